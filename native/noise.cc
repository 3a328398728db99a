#include "noise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lantang {
namespace {

using Block = std::array<uint32_t, 4>;
constexpr int64_t kBlock = 4;

/*
 * Philox4x32-10: ten rounds of multiply and exchange over a 128-bit counter under a 64-bit key.
 * Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 5.
 */
Block philox(Block counter, uint64_t seed) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier0 * counter[0], product1 = kMultiplier1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(product0)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return counter;
}

/** In (0, 1]: a float holds 24 bits exactly, and the logarithm below must not see 0. */
float uniform(uint32_t bits) { return static_cast<float>((bits >> 8) + 1) * 0x1p-24f; }

/** Two independent normal deviates from two uniform ones (Box and Muller, 1958). */
void boxMuller(uint32_t bits0, uint32_t bits1, float* pair) {
  constexpr float kTwoPi = 6.28318530717958647692f;
  const float radius = std::sqrt(-2.0f * std::log(uniform(bits0)));
  const float angle = kTwoPi * uniform(bits1);
  pair[0] = radius * std::cos(angle);
  pair[1] = radius * std::sin(angle);
}

}  // namespace

void fillNormal(uint64_t seed, uint32_t stream, uint32_t channel, int64_t count, float* target) {
  for (int64_t start = 0; start < count; start += kBlock) {
    const Block bits = philox({static_cast<uint32_t>(start / kBlock), channel, stream, 0}, seed);
    float deviates[kBlock];
    boxMuller(bits[0], bits[1], deviates);
    boxMuller(bits[2], bits[3], deviates + 2);
    std::copy_n(deviates, std::min(kBlock, count - start), target + start);
  }
}

}  // namespace lantang
