#pragma once

#include <cstdint>

namespace lantang {

/**
 * Fills `target` with `count` standard normal deviates: element t is a function of (seed, stream, channel, t) alone,
 * so neither padding nor the rows beside it change it. `stream` tells the noise inputs of one voice apart.
 */
void fillNormal(uint64_t seed, uint32_t stream, uint32_t channel, int64_t count, float* target);

}  // namespace lantang
