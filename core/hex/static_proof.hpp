// Static proofs for the network search of Hex: see analyser.hpp.
#pragma once

#include "hex/analyser.hpp"
#include "zero/network_search.hpp"

namespace ludoteca {

template <>
struct StaticProof<Hex> {
  struct Result {
    Seat winner = kNobody;
    Action move = -1;
    HexSet moves;
    bool pruned = false;  // only `moves` have to be tried
    bool allows(Action action) const { return !pruned || moves.has(action); }
  };

  explicit StaticProof(const Hex& g) : analyser_(g, ConnectionLimits::quick()) {}

  Result find(const Hex::Public& pub) {
    const HexAnalysis found = analyser_.analyse(pub);
    return {found.winner, found.move, found.moves, true};
  }

 private:
  HexAnalyser analyser_;
};

}  // namespace ludoteca
