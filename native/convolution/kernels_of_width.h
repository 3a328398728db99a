/*
 * The kernels, for vectors of LANTANG_VECTOR floats; LANTANG_KERNELS names them. Included by one file for each
 * instruction set, which is compiled for that set alone.
 */
#include "kernels.h"
#include "toom_cook.h"

namespace lantang {
namespace {

constexpr size_t kWidth = LANTANG_VECTOR;
/** Sums that are kept in registers beside a filter's values and an input, and how many vectors wide: as measured. */
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr size_t kSums = 24, kMostVectors = 4;
#elif defined(__AVX2__)
constexpr size_t kSums = 12, kMostVectors = 2;
#else
constexpr size_t kSums = 8, kMostVectors = 4;
#endif

typedef float Vector __attribute__((vector_size(kWidth * sizeof(float))));
typedef float UnalignedVector __attribute__((vector_size(kWidth * sizeof(float)), aligned(sizeof(float)), may_alias));

#define LANTANG_INLINE inline __attribute__((always_inline))
/** Tiles and points are few and known when this is compiled: as arrays that stay in registers. */
#define LANTANG_UNROLL _Pragma("GCC unroll 24")

LANTANG_INLINE Vector load(const float* from) { return *reinterpret_cast<const UnalignedVector*>(from); }
LANTANG_INLINE void store(float* to, Vector value) { *reinterpret_cast<UnalignedVector*>(to) = value; }
LANTANG_INLINE Vector splat(float value) { return value - Vector{}; }
LANTANG_INLINE Vector activated(Vector value, float slope) {
  const Vector low = value * slope;
  return value > low ? value : low;
}

/**
 * A tile's inputs, at the points. For a pair ±q the polynomial is x·(x ± q)·Π(x² − other²): its even part is the same
 * for both, its odd part has the other sign.
 */
template <int kPoints>
LANTANG_INLINE void forward(const Vector (&inputs)[kPoints], Vector (&atPoints)[kPoints]) {
  constexpr Transforms<kPoints> transforms;
  constexpr int pairs = pairsOf(kPoints);
  Vector atZero{}, atInfinity{};
  LANTANG_UNROLL for (int i = 0; i <= pairs; ++i) {
    atZero += inputs[2 * i] * transforms.outer[i];
    atInfinity += inputs[2 * i + 1] * transforms.outer[i];
  }
  atPoints[0] = atZero;
  atPoints[kPoints - 1] = atInfinity;
  LANTANG_UNROLL for (int pair = 0; pair < pairs; ++pair) {
    Vector even{}, odd{};
    LANTANG_UNROLL for (int i = 0; i < pairs; ++i) {
      even += inputs[2 * i + 2] * transforms.even[pair][i];
      odd += inputs[2 * i + 1] * transforms.odd[pair][i];
    }
    atPoints[1 + 2 * pair] = even + odd;
    atPoints[2 + 2 * pair] = even - odd;
  }
}

/** A tile's outputs out of its products at the points: Σ_p p^j · products[p], and infinity for the last. */
template <int kPoints, int kTile>
LANTANG_INLINE void backward(const Vector (&products)[kPoints], Vector (&outputs)[kTile]) {
  constexpr Transforms<kPoints> transforms;
  constexpr int pairs = pairsOf(kPoints);
  Vector sums[pairs], differences[pairs];
  LANTANG_UNROLL for (int pair = 0; pair < pairs; ++pair) {
    sums[pair] = products[1 + 2 * pair] + products[2 + 2 * pair];
    differences[pair] = products[1 + 2 * pair] - products[2 + 2 * pair];
  }
  LANTANG_UNROLL for (int j = 0; j < kTile; ++j) {
    Vector output = j == 0 ? products[0] : Vector{};
    LANTANG_UNROLL for (int pair = 0; pair < pairs; ++pair) {
      output += (j % 2 == 0 ? sums[pair] : differences[pair]) * transforms.powers[pair][j];
    }
    outputs[j] = j == kTile - 1 ? output + products[kPoints - 1] : output;
  }
}

template <>
LANTANG_INLINE void forward<1>(const Vector (&inputs)[1], Vector (&atPoints)[1]) {
  atPoints[0] = inputs[0];
}
template <>
LANTANG_INLINE void backward<1, 1>(const Vector (&products)[1], Vector (&outputs)[1]) {
  outputs[0] = products[0];
}

/** Divides kTiles. */
constexpr size_t tilesAtOnce(size_t vectors) { return kSums / vectors; }

/** [channels, kTiles] inputs at one point by [channels, vectors] values → [tiles, vectors] products. */
template <size_t kVectors>
LANTANG_INLINE void multiply(const float* inputs, size_t channels, const float* values, float* products) {
  constexpr size_t kRows = tilesAtOnce(kVectors);
  Vector sums[kRows][kVectors]{};
  for (size_t chunk = 0; chunk < channels; chunk += kWidth, inputs += kTiles * kWidth) {
#pragma GCC unroll 4
    for (size_t channel = 0; channel < kWidth; ++channel, values += kVectors * kWidth) {
      Vector value[kVectors];
      LANTANG_UNROLL for (size_t v = 0; v < kVectors; ++v) value[v] = load(values + v * kWidth);
      LANTANG_UNROLL for (size_t row = 0; row < kRows; ++row) {
        const Vector input = splat(inputs[row * kWidth + channel]);
        LANTANG_UNROLL for (size_t v = 0; v < kVectors; ++v) sums[row][v] += input * value[v];
      }
    }
  }
  LANTANG_UNROLL for (size_t row = 0; row < kRows; ++row) {
    LANTANG_UNROLL for (size_t v = 0; v < kVectors; ++v) store(products + (row * kVectors + v) * kWidth, sums[row][v]);
  }
}

/** Time of a tile's first output: tiles of a run lie one beside the other, and so interleave where they are dilated. */
template <int kTile>
LANTANG_INLINE size_t startOf(size_t tile, size_t dilation) {
  return tile / dilation * kTile * dilation + tile % dilation;
}

/** Tiles first … first + count at the points, [points, chunks of channels, kTiles, kWidth]; zeros where none is left. */
template <int kPoints, int kTile>
void takeTiles(const Filtering& filtering, size_t first, size_t count) {
  const size_t stride = filtering.dilation * filtering.sourceChannels;
  const size_t perPoint = kTiles * filtering.sourceChannels;
  for (size_t i = 0; i < kTiles; ++i) {
    const size_t start = startOf<kTile>(first + i, filtering.dilation);
    const float* source = filtering.source + start * filtering.sourceChannels;
    for (size_t channel = 0; channel < filtering.sourceChannels; channel += kWidth) {
      Vector inputs[kPoints]{}, atPoints[kPoints];
      if (i < count) {
        LANTANG_UNROLL for (int p = 0; p < kPoints; ++p) {
          inputs[p] = activated(load(source + p * stride + channel), filtering.slope);
        }
      }
      forward<kPoints>(inputs, atPoints);
      float* target = filtering.scratch + channel * kTiles + i * kWidth;
      LANTANG_UNROLL for (int p = 0; p < kPoints; ++p) store(target + p * perPoint, atPoints[p]);
    }
  }
}

/** The outputs of tiles first … first + count, for `kVectors` vectors of channels from `channel` on. */
template <int kPoints, int kTile, size_t kVectors>
LANTANG_INLINE void giveTiles(const Filtering& filtering, const float* products, size_t first, size_t count,
                              size_t channel) {
  for (size_t i = 0; i < count; ++i) {
    const size_t start = startOf<kTile>(first + i, filtering.dilation);
    LANTANG_UNROLL for (size_t v = 0; v < kVectors; ++v) {
      Vector inputs[kPoints], outputs[kTile];
      LANTANG_UNROLL for (int p = 0; p < kPoints; ++p) {
        inputs[p] = load(products + ((p * kTiles + i) * kVectors + v) * kWidth);
      }
      backward<kPoints, kTile>(inputs, outputs);
      const size_t at = channel + v * kWidth;
      const Vector bias = filtering.bias != nullptr ? load(filtering.bias + at) : Vector{};
      LANTANG_UNROLL for (int j = 0; j < kTile; ++j) {
        const size_t offset = (start + j * filtering.dilation) * filtering.targetChannels + at;
        Vector output = outputs[j] + bias;
        if (filtering.addends[0] != nullptr) output += load(filtering.addends[0] + offset);
        if (filtering.addends[1] != nullptr) output += load(filtering.addends[1] + offset);
        store(filtering.target + offset, output);
      }
    }
  }
}

template <int kPoints, int kTile, size_t kVectors>
void makeChannels(const Filtering& filtering, const float* values, size_t first, size_t count, size_t channel) {
  float* products = filtering.scratch + kPoints * kTiles * filtering.sourceChannels;
  for (int p = 0; p < kPoints; ++p) {
    const float* inputs = filtering.scratch + p * kTiles * filtering.sourceChannels;
    const float* atPoint = values + p * filtering.sourceChannels * kVectors * kWidth;
    for (size_t i = 0; i < count; i += tilesAtOnce(kVectors)) {
      float* target = products + (p * kTiles + i) * kVectors * kWidth;
      multiply<kVectors>(inputs + i * kWidth, filtering.sourceChannels, atPoint, target);
    }
  }
  giveTiles<kPoints, kTile, kVectors>(filtering, products, first, count, channel);
}

template <int kPoints, int kTaps>
void filterTiles(const Filtering& filtering) {
  constexpr int kTile = kPoints - kTaps + 1;
  const size_t tiles = filtering.runs * filtering.dilation;
  for (size_t first = 0; first < tiles; first += kTiles) {
    const size_t count = tiles - first < kTiles ? tiles - first : kTiles;
    takeTiles<kPoints, kTile>(filtering, first, count);
    const float* values = filtering.values;
    for (size_t channel = 0, vectors; channel < filtering.targetChannels; channel += vectors * kWidth) {
      vectors = vectorsAtOnce((filtering.targetChannels - channel) / kWidth, kMostVectors);
      if constexpr (kMostVectors == 4) {
        if (vectors == 4) makeChannels<kPoints, kTile, 4>(filtering, values, first, count, channel);
      }
      if (vectors == 2) makeChannels<kPoints, kTile, 2>(filtering, values, first, count, channel);
      if (vectors == 1) makeChannels<kPoints, kTile, 1>(filtering, values, first, count, channel);
      values += kPoints * filtering.sourceChannels * vectors * kWidth;
    }
  }
}

/** What FilterBank shares taps out to. */
void filter(const Filtering& filtering) {
  const auto is = [&](int points, int taps) { return filtering.points == points && filtering.taps == taps; };
  if (is(1, 1)) return filterTiles<1, 1>(filtering);
  if (is(6, 2)) return filterTiles<6, 2>(filtering);
  if (is(8, 3)) return filterTiles<8, 3>(filtering);
  if (is(8, 4)) return filterTiles<8, 4>(filtering);
  if (is(8, 5)) return filterTiles<8, 5>(filtering);
  if (is(10, 5)) return filterTiles<10, 5>(filtering);
  if (is(10, 7)) return filterTiles<10, 7>(filtering);
}

/** The activated inputs of a block of outputs. */
void activate(const Narrowing& narrowing, size_t first, size_t count, float* target) {
  const float* source = narrowing.source + first * narrowing.sourceChannels;
  const size_t floats = (count + (narrowing.taps - 1) * narrowing.dilation) * narrowing.sourceChannels;
  for (size_t i = 0; i < floats; i += kWidth) store(target + i, activated(load(source + i), narrowing.slope));
}

float sumOf(const float* lanes) {
  float sum = 0;
  for (size_t lane = 0; lane < kWidth; ++lane) sum += lanes[lane];
  return sum;
}

void narrow(const Narrowing& narrowing) {
  const size_t channels = narrowing.sourceChannels;
  float* lanes = narrowing.scratch;
  float* inputs = narrowing.scratch + kNarrowBlock * kChannelBlock;
  for (size_t first = 0; first < narrowing.count; first += kNarrowBlock) {
    const size_t left = narrowing.count - first;
    const size_t count = left < kNarrowBlock ? left : kNarrowBlock;
    activate(narrowing, first, count, inputs);
    for (size_t output = 0; output < narrowing.targetChannels; ++output) {
      const float* weights = narrowing.weights + output * narrowing.taps * channels;
      for (size_t t = 0; t < count; ++t) {
        Vector sum{};
        for (size_t tap = 0; tap < narrowing.taps; ++tap) {
          const float* input = inputs + (t + tap * narrowing.dilation) * channels;
          for (size_t channel = 0; channel < channels; channel += kWidth) {
            sum += load(input + channel) * load(weights + tap * channels + channel);
          }
        }
        store(lanes + t * kWidth, sum);
      }
      const float bias = narrowing.bias != nullptr ? narrowing.bias[output] : 0;
      float* target = narrowing.target + first * narrowing.targetChannels + output;
      for (size_t t = 0; t < count; ++t) target[t * narrowing.targetChannels] = sumOf(lanes + t * kWidth) + bias;
    }
  }
}

}  // namespace

const Kernels LANTANG_KERNELS = {LANTANG_KERNELS_NAME, kWidth, kMostVectors, filter, narrow};

}  // namespace lantang
