// The Python module of the core. What it holds is in bind.hpp and, game by game, in bind_*.cpp.
#include <nanobind/nanobind.h>

namespace ludoteca {

void bind_dominoes(nanobind::module_& m);
void bind_dominoes_minimax(nanobind::module_& m);
void bind_hex(nanobind::module_& m);
void bind_hex_searches(nanobind::module_& m);
void bind_horses(nanobind::module_& m);
void bind_horses_minimax(nanobind::module_& m);
void bind_kittens(nanobind::module_& m);

}  // namespace ludoteca

NB_MODULE(_core, m) {
  ludoteca::bind_dominoes(m);
  ludoteca::bind_dominoes_minimax(m);
  ludoteca::bind_hex(m);
  ludoteca::bind_hex_searches(m);
  ludoteca::bind_horses(m);
  ludoteca::bind_horses_minimax(m);
  ludoteca::bind_kittens(m);
}
