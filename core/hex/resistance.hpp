// The importance of each cell by electrical resistance, used to order moves.
//
// For each seat the board is a circuit between its two sides: a build_wires for each of its full connections, groups
// and sides without resistance, an empty cell with resistance 1. The current through an empty cell, with a voltage
// between the sides, says how much the seat relies on it.
#pragma once

#include <cmath>

#include "hex/virtual_connections.hpp"

namespace ludoteca {

template <int W>
class HexResistance {
 public:
  explicit HexResistance(int cells) : current_(index(cells)) {}

  // Computes the current through each empty cell, as a share of the total.
  void compute(const HexVirtualConnections<W>& connections) {
    build_wires(connections);
    relax();
    through_.assign(potential_.size(), 0);
    for (const Wire& w : wires_) {
      const double flow = w.conductance * std::abs(potential_[w.one] - potential_[w.two]);
      through_[w.one] += flow;
      through_[w.two] += flow;
    }
    const double total = through_[HexVirtualConnections<W>::kLow] + 1e-12;
    connections.empty().each([&](int cell) { current_[index(cell)] = 0; });
    for (std::size_t end = 0; end < through_.size(); ++end) {
      if (!connections.is_empty_cell(static_cast<int>(end))) continue;
      current_[index(connections.cells(static_cast<int>(end)).first())] = through_[end] / (2 * total);
    }
  }
  double operator[](int cell) const { return current_[index(cell)]; }

 private:
  static constexpr int kSweeps = 24;
  static constexpr double kOver = 1.5;  // over-relaxation
  struct Wire {
    std::size_t one, two;
    double conductance;
  };
  std::vector<double> current_, potential_, through_;
  std::vector<Wire> wires_;
  std::vector<std::vector<std::pair<std::uint16_t, float>>> at_;  // by end: the other ends and conductances

  void build_wires(const HexVirtualConnections<W>& connections) {
    wires_.clear();
    connections.each([&](const typename HexVirtualConnections<W>::Connection& connection) {
      if (connection.semi) return;
      const int ends = connections.is_empty_cell(connection.one) + connections.is_empty_cell(connection.two);
      const int carrier = (connection.carrier & connections.empty()).count();
      if (ends == 0 || carrier > 2) return;
      wires_.push_back({index(connection.one), index(connection.two), 1.0 / (ends * (carrier + 1))});
    });
    const std::size_t ends = connections.count_ends();
    potential_.assign(ends, 0.5);
    potential_[HexVirtualConnections<W>::kLow] = 1;
    potential_[HexVirtualConnections<W>::kHigh] = 0;
    if (at_.size() < ends) at_.resize(ends);
    for (auto& list : at_) list.clear();
    for (const Wire& w : wires_) {
      at_[w.one].emplace_back(static_cast<std::uint16_t>(w.two), static_cast<float>(w.conductance));
      at_[w.two].emplace_back(static_cast<std::uint16_t>(w.one), static_cast<float>(w.conductance));
    }
  }

  // Gauss–Seidel with over-relaxation: each end repeatedly takes the weighted mean of the ends it is wired to.
  void relax() {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (std::size_t end = 2; end < potential_.size(); ++end) {
        double sum = 0, weight = 0;
        for (const auto& [far, conductance] : at_[end]) {
          sum += conductance * potential_[far];
          weight += conductance;
        }
        if (weight > 0) potential_[end] += kOver * (sum / weight - potential_[end]);
      }
    }
  }
};

}  // namespace ludoteca
