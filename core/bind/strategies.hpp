// Ways to play a small game as Python sees them: for each information set how likely each legal action is.
#pragma once

#include <vector>

#include "search/regret.hpp"

namespace ludoteca {

using Mixtures = std::vector<std::vector<double>>;

inline Mixtures by_set(const InformationSets& tree, const Regret::Mixture& mixture) {
  Mixtures out;
  for (const auto& set : tree.sets) {
    const auto first = mixture.begin() + set.first_action;
    out.emplace_back(first, first + set.actions);
  }
  return out;
}

// Throws std::invalid_argument where it does not fit the sets.
inline Regret::Mixture flat(const InformationSets& tree, const Mixtures& mixtures) {
  Regret::Mixture out;
  bool fits = mixtures.size() == tree.sets.size();
  for (std::size_t i = 0; fits && i < mixtures.size(); ++i) {
    fits = mixtures[i].size() == static_cast<std::size_t>(tree.sets[i].actions);
    out.insert(out.end(), mixtures[i].begin(), mixtures[i].end());
  }
  if (!fits) throw std::invalid_argument("there must be one number for each legal action of each view");
  return out;
}

}  // namespace ludoteca
