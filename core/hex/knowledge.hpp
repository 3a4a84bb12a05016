// What is certain about a position of Hex, for the classical engine's tree: cells whose owner is settled, and moves that
// need not be tried. Reasoned by core/hex/fill_in.hpp, for any size behind one face.
#pragma once

#include <memory>
#include <vector>

#include "hex/fill_in.hpp"
#include "hex/rave_nodes.hpp"

namespace ludoteca {

class HexKnowledge {
 public:
  struct Known {
    std::vector<HexSettled> settled;  // empty cells whose owner is certain: they may be filled in
    std::vector<Action> moves;        // where the seat on turn may have to play; if any move wins, one of these does
  };

  virtual ~HexKnowledge() = default;
  // Several threads may ask at once.
  virtual void study(const Hex::Public& pub, Known& out) const = 0;

  static std::unique_ptr<const HexKnowledge> make(const Hex& game);
};

template <int W>
class HexKnowledgeOf final : public HexKnowledge {
 public:
  explicit HexKnowledgeOf(const Hex& game) : game_(game), map_(game), fillin_(map_) {}

  void study(const Hex::Public& pub, Known& out) const override {
    out.settled.clear();
    out.moves.clear();
    HexStones<W> stones = map_.stones(game_, pub);
    const Cells<W> open = map_.empty(stones);
    fillin_.fill(stones);
    (open & stones.taken()).each([&](int cell) {
      out.settled.push_back({cell, stones[0].has(cell) ? Seat{0} : Seat{1}});
    });
    (map_.empty(stones) - fillin_.inferior(stones, pub.turn)).each([&](int cell) { out.moves.push_back(cell); });
  }

 private:
  const Hex& game_;
  const HexMap<W> map_;
  const HexFillIn<W> fillin_;
};

inline std::unique_ptr<const HexKnowledge> HexKnowledge::make(const Hex& game) {
  return with_words(game.size, [&](auto words) -> std::unique_ptr<const HexKnowledge> {
    return std::make_unique<HexKnowledgeOf<decltype(words)::value>>(game);
  });
}

}  // namespace ludoteca
