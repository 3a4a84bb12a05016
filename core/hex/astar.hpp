// The player of the document hex-ai-player: alpha-beta over neighbouring cells, positions valued by how many stones
// each side still needs.
//
//     value = other's distance / (own distance + 0.00001)      own: of the seat that searches, on every ply
//
// It takes a win in one where there is one. Else it searches `depth` plies. Candidates, in this order and each once:
//
//     the centre; empty neighbours of stones of the seat on turn; empty neighbours of the other's stones
//
// On the first ply all stones count, in the order of their cells; deeper only the last three of each seat, the latest
// first, those of the searched line included. Isolated cells, which touch no such stone, are thus no candidates, but
// the centre always is. Deeper candidates may run out while the board has room: then all stones count again.
#pragma once

#include <limits>

#include "hex/keys.hpp"
#include "hex/memo.hpp"
#include "hex/paths.hpp"
#include "search/deepen.hpp"

namespace ludoteca {

class HexAstar {
 public:
  static constexpr int kMaxDepth = 9;
  static constexpr int kRecent = 3;
  using Recent = std::array<std::vector<Action>, 2>;

  struct Settings {
    int depth = 3;
    bool prune = true;  // cut where beta <= alpha; without it the same choice takes longer
    bool memo = true;   // keep the value of a position for the other ways that lead to it
  };

  // recent: the last moves of each seat, the latest last. A seat of which fewer are known than it has stones, and fewer
  // than three, is one whose past is unknown: all its stones count on every ply.
  HexAstar(const Hex& game, Settings settings, const Recent& recent, Limits& limits)
      : game_(game), settings_(settings), limits_(limits), paths_(game), recent_(recent) {}

  // Chooses for the seat on turn; value and scores are the ratio above, infinite for a win and 0 for a loss. The score
  // of an action that was cut off is only known to be no better than the one shown. A win in one takes no nodes.
  //
  // Where the end may come early it looks three plies ahead first, which is quick, then four, and so on.
  void choose(const State<Hex>& root, SharedChoice& shared) {
    seat_ = root.pub.turn;
    if (wins_at_once(root, shared)) return;
    for (Seat seat : {Seat{0}, Seat{1}}) {
      const std::size_t known = recent_[index(seat)].size();
      past_unknown_[index(seat)] = known < std::min<std::size_t>(kRecent, count_stones(root, seat));
    }
    Moves moves;
    list_near_all(root, moves);
    shared.update([&](Choice& choice) {
      choice.action = moves[0];
      choice.line.put_first(moves[0], Rest{});
    });
    const int first = limits_.may_end_early() ? std::min(settings_.depth, kFirstLook) : settings_.depth;
    for (plies_ = first; plies_ <= settings_.depth && !limits_.spent(); ++plies_) look(root, moves, shared);
  }

 private:
  static constexpr std::uint64_t kNodesPerLook = 32;
  static constexpr int kFirstLook = 3;
  static constexpr int kMeetAgain = 3;  // the plies after which another order of the same moves can meet
  using Moves = ActionList<Hex::kMaxActions>;
  using Rest = Line<kMaxDepth>;
  static constexpr double kEpsilon = 1e-5, kNone = -1, kInfinite = std::numeric_limits<double>::infinity();

  // What was found below the root. The line belongs to it: without it nobody could say where the value comes from.
  struct Found {
    double value = 0;
    std::array<std::int16_t, kMaxDepth - kMeetAgain> line{};  // kNoAction beyond its end
  };
  static constexpr std::int16_t kNoAction = -1;

  const Hex& game_;
  const Settings settings_;
  Limits& limits_;
  HexPaths paths_;
  const HexKeys keys_{0};
  Recent recent_;  // grows and shrinks with the searched line
  std::array<bool, 2> past_unknown_{};
  Seat seat_ = 0;
  int plies_ = 0;  // of this look
  HexMemo<double> leaves_;
  HexMemo<Found> inner_;

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  bool wins_at_once(const State<Hex>& root, SharedChoice& shared) const {
    for (Action action = 0; action < game_.size * game_.size; ++action) {
      if (game_.owner(root.pub, action) != kNobody) continue;
      State<Hex> next = root;
      game_.apply(next, action);
      if (next.pub.winner == kNobody) continue;
      Round round(shared, 1);
      round.add(action, kInfinite, Rest{});
      round.finish(true);
      return true;
    }
    return false;
  }

  void look(const State<Hex>& root, const Moves& moves, SharedChoice& shared) {
    const std::uint64_t key = keys_.position(game_, root.pub);
    Round round(shared, plies_);
    for (const Action action : moves) {
      Rest rest;
      const double best = round.empty() ? kNone : round.best();
      const double value = after(root, key, action, plies_ - 1, best, kInfinite, rest);
      if (limits_.spent()) return;
      round.add(action, value, rest);
      if (settings_.prune && round.best() == kInfinite) break;
    }
    round.finish(plies_ == settings_.depth);
  }

  double evaluate(const State<Hex>& state) {
    const HexPaths::Stones stones = paths_.stones(state.pub);
    const int own = paths_.distance(paths_.terrain(stones, seat_));
    const int others = paths_.distance(paths_.terrain(stones, other(seat_)));
    assert(own > 0 && others > 0);  // somebody would have won
    return others / (own + kEpsilon);
  }

  // The value once `action` is played here, searching `depth` plies more; bounded as alpha-beta bounds it. Where it is
  // exact, `line` is the play that it comes from.
  double after(const State<Hex>& state, std::uint64_t key, Action action, int depth, double alpha, double beta,
               Rest& line) {
    line.size = 0;
    if (!limits_.spend(kNodesPerLook)) return 0;
    const Seat mover = state.pub.turn;
    State<Hex> next = state;
    game_.apply(next, action);
    if (next.pub.winner != kNobody) return mover == seat_ ? kInfinite : 0;
    key ^= keys_(action, mover);
    const bool meets_again = settings_.memo && plies_ - depth >= kMeetAgain;
    if (depth == 0) return leaf(next, key, meets_again);
    // Whose turn it is follows from the depth, so position and depth are all there is to remember a value by.
    const std::uint64_t entry = key + static_cast<std::uint64_t>(depth) * 0x9e3779b97f4a7c15ULL;
    if (meets_again) {
      if (const Found* found = inner_.find(entry)) {
        for (const std::int16_t each : found->line) line.add_if(each != kNoAction, each);
        return found->value;
      }
    }
    recent_[index(mover)].push_back(action);
    const double value = search(next, key, depth, alpha, beta, line);
    recent_[index(mover)].pop_back();
    // What a cut gives is a bound and no value, and must not be used again as one.
    const bool exact = !settings_.prune || (alpha < value && value < beta);
    if (meets_again && exact && !limits_.spent()) {
      Found found{value, {}};
      found.line.fill(kNoAction);
      std::copy(line.begin(), line.end(), found.line.begin());
      inner_.add(entry, found);
    }
    return value;
  }

  double leaf(const State<Hex>& state, std::uint64_t key, bool meets_again) {
    if (!meets_again) return evaluate(state);
    if (const double* found = leaves_.find(key)) return *found;
    const double value = evaluate(state);
    leaves_.add(key, value);
    return value;
  }

  double search(const State<Hex>& state, std::uint64_t key, int depth, double alpha, double beta, Rest& line) {
    const bool ours = state.pub.turn == seat_;
    Moves moves;
    list_near_recent(state, moves);
    if (moves.size == 0) list_near_all(state, moves);
    double best = 0;
    bool first = true;
    for (const Action action : moves) {
      Rest rest;
      const double value = after(state, key, action, depth - 1, alpha, beta, rest);
      if (limits_.spent()) return 0;
      if (first || (ours ? value > best : value < best)) {
        best = value;
        line.put_first(action, rest);
      }
      first = false;
      if (!settings_.prune) continue;
      (ours ? alpha : beta) = ours ? std::max(alpha, best) : std::min(beta, best);
      if (beta <= alpha) break;
    }
    return best;
  }

  std::size_t count_stones(const State<Hex>& state, Seat seat) const {
    std::size_t count = 0;
    for (Action cell = 0; cell < game_.size * game_.size; ++cell) count += game_.owner(state.pub, cell) == seat;
    return count;
  }

  using Listed = std::array<bool, Hex::kMaxSide * Hex::kMaxSide>;

  void list_near_all(const State<Hex>& state, Moves& moves) const {
    Listed listed{};
    list_centre(state, listed, moves);
    list_near_stones(state, state.pub.turn, listed, moves);
    list_near_stones(state, other(state.pub.turn), listed, moves);
  }

  void list_near_recent(const State<Hex>& state, Moves& moves) const {
    Listed listed{};
    list_centre(state, listed, moves);
    for (Seat seat : {state.pub.turn, other(state.pub.turn)}) {
      if (past_unknown_[index(seat)]) {
        list_near_stones(state, seat, listed, moves);
        continue;
      }
      const std::vector<Action>& played = recent_[index(seat)];
      for (std::size_t back = 1; back <= std::min<std::size_t>(kRecent, played.size()); ++back) {
        list_near(state, game_.at(played[played.size() - back]), listed, moves);
      }
    }
  }

  void list_centre(const State<Hex>& state, Listed& listed, Moves& moves) const {
    moves.size = 0;
    list(state, game_.at(game_.size / 2, game_.size / 2), listed, moves);
  }

  void list_near_stones(const State<Hex>& state, Seat seat, Listed& listed, Moves& moves) const {
    for (Action cell = 0; cell < game_.size * game_.size; ++cell) {
      if (game_.owner(state.pub, cell) == seat) list_near(state, game_.at(cell), listed, moves);
    }
  }

  void list_near(const State<Hex>& state, int cell, Listed& listed, Moves& moves) const {
    for (const std::int16_t n : game_.neighbours(cell)) list(state, n, listed, moves);
  }

  void list(const State<Hex>& state, int cell, Listed& listed, Moves& moves) const {
    if (listed[index(cell)] || state.pub.cell[index(cell)]) return;
    listed[index(cell)] = true;
    moves.add(game_.action_at(cell));
  }
};

}  // namespace ludoteca
