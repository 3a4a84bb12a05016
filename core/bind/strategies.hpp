// Strategies of a small game as Python sees them: for each information set the probability of each legal action.
#pragma once

#include <stdexcept>
#include <vector>

#include "search/cfr.hpp"

namespace ludoteca {

using StrategyBySet = std::vector<std::vector<double>>;

inline StrategyBySet by_set(const InformationSets& tree, const CfrPlus::Strategy& strategy) {
  StrategyBySet out;
  for (const auto& set : tree.sets) {
    const auto first = strategy.begin() + set.first_action;
    out.emplace_back(first, first + set.actions);
  }
  return out;
}

// Throws std::invalid_argument if it does not fit the information sets.
inline CfrPlus::Strategy flat(const InformationSets& tree, const StrategyBySet& strategy) {
  CfrPlus::Strategy out;
  bool fits = strategy.size() == tree.sets.size();
  for (std::size_t i = 0; fits && i < strategy.size(); ++i) {
    fits = strategy[i].size() == static_cast<std::size_t>(tree.sets[i].actions);
    out.insert(out.end(), strategy[i].begin(), strategy[i].end());
  }
  if (!fits) throw std::invalid_argument("there must be one number for each legal action of each view");
  return out;
}

}  // namespace ludoteca
