// Tic-tac-toe as Python sees it: the classes TicTacToeRules, -State, -View and -Batch, made by one template.
#include "bind/bind.hpp"
#include "rules.hpp"

NB_MODULE(_tictactoe, m) {
  using namespace ludoteca;
  auto [rules, view] = bind_game<TicTacToe>(m, "TicTacToe");
  rules.def(nb::init<>());
  using V = BoundView<TicTacToe>;
  view.def_prop_ro("owners", [](const V& v) {
    std::vector<std::optional<int>> out;
    for (int cell = 0; cell < TicTacToe::kCells; ++cell) {
      out.push_back(TicTacToe::owns(v.view.pub, 0, cell)   ? std::optional{0}
                    : TicTacToe::owns(v.view.pub, 1, cell) ? std::optional{1}
                                                           : std::nullopt);
    }
    return out;
  });
}
