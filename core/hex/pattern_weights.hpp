#pragma once
namespace ludoteca {
inline constexpr short kRingWeights[] = {0};
inline constexpr short kBridgeWeights[] = {0};
inline constexpr short kNearnessWeights[] = {0};
inline constexpr short kSavesWeights[] = {0};
}
