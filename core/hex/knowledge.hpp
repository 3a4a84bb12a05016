// What the RAVE search knows of a position without search: filled-in cells and inferior moves, from fill_in.hpp, for
// boards of any size.
#pragma once

#include <memory>
#include <vector>

#include "hex/fill_in.hpp"
#include "hex/rave_nodes.hpp"

namespace ludoteca {

// The interface without the number of words; `make` builds the right one for a game.
class HexKnowledge {
 public:
  struct Result {
    std::vector<FilledCell> filled;  // dead and captured cells
    std::vector<Action> moves;       // the moves worth trying: if any move wins, one of these does
  };

  virtual ~HexKnowledge() = default;
  // May be called by several threads at once.
  virtual void compute(const Hex::Public& pub, Result& out) const = 0;

  static std::unique_ptr<const HexKnowledge> make(const Hex& game);
};

template <int W>
class HexKnowledgeOf final : public HexKnowledge {
 public:
  explicit HexKnowledgeOf(const Hex& game) : game_(game), map_(game), fill_in_(map_) {}

  void compute(const Hex::Public& pub, Result& out) const override {
    out.filled.clear();
    out.moves.clear();
    HexStones<W> stones = map_.stones(game_, pub);
    const Cells<W> open = map_.empty(stones);
    fill_in_.fill(stones);
    (open & stones.taken()).each([&](int cell) {
      out.filled.push_back({cell, stones[0].has(cell) ? Seat{0} : Seat{1}});
    });
    (map_.empty(stones) - fill_in_.inferior(stones, pub.turn)).each([&](int cell) { out.moves.push_back(cell); });
  }

 private:
  const Hex& game_;
  const HexMap<W> map_;
  const HexFillIn<W> fill_in_;
};

inline std::unique_ptr<const HexKnowledge> HexKnowledge::make(const Hex& game) {
  return with_words(game.size, [&](auto words) -> std::unique_ptr<const HexKnowledge> {
    return std::make_unique<HexKnowledgeOf<decltype(words)::value>>(game);
  });
}

}  // namespace ludoteca
