// What virtual connections, dead and captured cells say of a position, for a search that a network leads.
#pragma once

#include "hex/analyser.hpp"
#include "zero/network_search.hpp"

namespace ludoteca {

template <>
struct Certainty<Hex> {
  struct Sight {
    Seat winner = kNobody;
    Action move = -1;
    HexSet moves;
    bool narrowed = false;  // only `moves` have to be tried
    bool allows(Action action) const { return !narrowed || moves.has(action); }
  };

  explicit Certainty(const Hex& g) : connections_(g, LinkLimits::quick()) {}

  Sight look(const Hex::Public& pub) {
    const HexInsight seen = connections_.look(pub);
    return {seen.winner, seen.move, seen.moves, true};
  }

 private:
  HexConnections connections_;
};

}  // namespace ludoteca
