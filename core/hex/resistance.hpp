// How much a cell of Hex matters, judged by electricity.
//
// Between its two sides each seat has a net of wires: one from end to end of each of its full links, groups and sides
// being without resistance and an empty cell having resistance 1. With a voltage between the sides, the current through
// an empty cell says how much the seat relies on it.
#pragma once

#include <cmath>

#include "hex/virtual_connections.hpp"

namespace ludoteca {

template <int W>
class HexCurrents {
 public:
  explicit HexCurrents(int cells) : current_(static_cast<std::size_t>(cells)) {}

  // Adds to `current` of each empty cell what flows through it, as a share of the whole.
  void measure(const HexLinks<W>& links) {
    wire(links);
    settle();
    double whole = 0;
    through_.assign(potential_.size(), 0);
    for (const Wire& w : wires_) {
      const double flow = w.conductance * std::abs(potential_[w.one] - potential_[w.two]);
      through_[w.one] += flow;
      through_[w.two] += flow;
    }
    whole = through_[HexLinks<W>::kLow] + 1e-12;
    links.empty().each([&](int cell) { current_[index(cell)] = 0; });
    for (std::size_t end = 0; end < through_.size(); ++end) {
      if (!links.is_empty_cell(static_cast<int>(end))) continue;
      current_[index(links.cells(static_cast<int>(end)).first())] = through_[end] / (2 * whole);
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
  std::vector<std::vector<std::pair<std::uint16_t, float>>> at_;  // by end, the other ends and conductances

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  void wire(const HexLinks<W>& links) {
    wires_.clear();
    links.each([&](const typename HexLinks<W>::Link& link) {
      if (link.half) return;
      const int ends = links.is_empty_cell(link.one) + links.is_empty_cell(link.two);
      const int carrier = (link.carrier & links.empty()).count();
      if (ends == 0 || carrier > 2) return;
      wires_.push_back({index(link.one), index(link.two), 1.0 / (ends * (carrier + 1))});
    });
    const std::size_t ends = links.count_ends();
    potential_.assign(ends, 0.5);
    potential_[HexLinks<W>::kLow] = 1;
    potential_[HexLinks<W>::kHigh] = 0;
    if (at_.size() < ends) at_.resize(ends);
    for (auto& list : at_) list.clear();
    for (const Wire& w : wires_) {
      at_[w.one].emplace_back(static_cast<std::uint16_t>(w.two), static_cast<float>(w.conductance));
      at_[w.two].emplace_back(static_cast<std::uint16_t>(w.one), static_cast<float>(w.conductance));
    }
  }

  // Gauss–Seidel: each end takes the weighted mean of what it is wired to, again and again.
  void settle() {
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
