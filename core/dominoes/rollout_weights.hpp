// The weights of the rollout policy of Dominoes, printed by bench/engines/dominoes_policy.cpp.
#pragma once

#include "dominoes/rollout_policy.hpp"

namespace ludoteca {

inline constexpr DominoesRolloutPolicy::Weights DominoesRolloutPolicy::kDraw = {
    1.35f, 2.65f, 2.32f, -1.48f, 5.73f, -6.96f, 0.64f, -7.55f, -1.03f, 1.82f, 2.18f, 0.05f, 4.18f, 2.10f,
    0.14f, 2.49f, 0.86f, -1.86f, 4.01f, -5.20f, 0.39f, -6.72f, -2.45f, 1.69f, 0.50f, -1.22f, 3.00f, 0.00f,
    1.64f, -0.15f, -2.08f, 1.40f, 5.64f, -6.15f, -2.29f, -4.00f, -3.08f, 1.15f, 2.09f, 1.11f, 3.30f, 1.18f,
};

}  // namespace ludoteca
