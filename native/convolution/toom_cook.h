#pragma once

#include <cstddef>

/*
 * Convolutions with fewer products, by the algorithm of Toom and Cook (Lavin and Gray, "Fast algorithms for
 * convolutional neural networks", 2015, whose F(m, r) this is in one dimension): m neighbouring outputs of a filter of r
 * taps are an interpolation through m + r − 1 points, so they take m + r − 1 products instead of m · r. With B the
 * forward transform of a tile's inputs, W the filter's values at the points and A the backward transform,
 *
 *   y[j] = Σ_k x[j + k] · w[k] = Σ_p A[j, p] · W[p] · (B x)[p].
 *
 * The points are 0, pairs ±q, and infinity, so their count is even (or 1: a filter of one tap is its own value).
 */
namespace lantang {
// Every file has its own: one that is compiled for AVX-512 must not lend what it compiles to others.
namespace {

constexpr int kMostPoints = 10;

constexpr int pairsOf(int points) { return (points - 2) / 2; }

/**
 * The magnitude of a pair. Of the sets of simple fractions these were found to round least: by 2, 5 and 10 · 10⁻⁷ of the
 * outputs at 6, 8 and 10 points.
 */
constexpr double magnitudeOf(int points, int pair) {
  constexpr double kMagnitudes[][kMostPoints / 2 - 1] = {
      {}, {1.0}, {2.0 / 3, 3.0 / 2}, {1.0 / 2, 1.0, 2.0}, {1.0 / 3, 3.0 / 4, 4.0 / 3, 2.0}};
  return kMagnitudes[pairsOf(points)][pair];
}

constexpr double power(double base, int exponent) {
  double result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

/** Coefficients, by powers of x², of the product of x² − q² over all pairs but one (or but none, for −1). */
struct EvenPolynomial {
  double terms[kMostPoints / 2 + 1] = {};
};
constexpr EvenPolynomial productOfPairs(int points, int without) {
  EvenPolynomial product;
  product.terms[0] = 1;
  int degree = 0;
  for (int pair = 0; pair < pairsOf(points); ++pair) {
    if (pair == without) continue;
    ++degree;
    for (int i = degree; i >= 0; --i) {
      const double square = magnitudeOf(points, pair) * magnitudeOf(points, pair);
      product.terms[i] = (i > 0 ? product.terms[i - 1] : 0) - square * product.terms[i];
    }
  }
  return product;
}

/** The point of that number: 0, then pairs with the positive one first; the last one, infinity, has no value. */
constexpr double pointOf(int points, int number) {
  if (number == 0) return 0;
  const double magnitude = magnitudeOf(points, (number - 1) / 2);
  return number % 2 == 1 ? magnitude : -magnitude;
}

/** The transforms of a tile's inputs and of its products, for pairs of points together. */
template <int kPoints>
struct Transforms {
  static constexpr int kPairs = pairsOf(kPoints);
  static constexpr int kRows = kPairs > 0 ? kPairs : 1;
  /** Of the inputs 0, 2, 4 … for the point 0, and of 1, 3, 5 … for infinity. */
  float outer[kRows + 1] = {};
  /** Of the inputs 2, 4 …, alike for both points of a pair, and of 1, 3 …, with the sign of the point. */
  float even[kRows][kRows] = {};
  float odd[kRows][kRows] = {};
  /** Powers of a pair's magnitude. */
  float powers[kRows][kMostPoints] = {};

  constexpr Transforms() {
    for (int i = 0; i <= kPairs; ++i) outer[i] = static_cast<float>(productOfPairs(kPoints, -1).terms[i]);
    for (int pair = 0; pair < kPairs; ++pair) {
      const EvenPolynomial others = productOfPairs(kPoints, pair);
      for (int i = 0; i < kPairs; ++i) {
        even[pair][i] = static_cast<float>(others.terms[i]);
        odd[pair][i] = static_cast<float>(others.terms[i] * magnitudeOf(kPoints, pair));
      }
      for (int j = 0; j < kMostPoints; ++j) {
        powers[pair][j] = static_cast<float>(power(magnitudeOf(kPoints, pair), j));
      }
    }
  }
};

/** What tap `tap` of a filter of `taps` counts for in its value W at a point. */
constexpr double shareOfTap(int points, int point, int taps, int tap) {
  if (points == 1) return 1;
  if (point == points - 1) return tap == taps - 1 ? 1 : 0;
  double scale = 1;
  for (int other = 0; other < points - 1; ++other) {
    if (other != point) scale *= pointOf(points, point) - pointOf(points, other);
  }
  return power(pointOf(points, point), tap) / scale;
}

}  // namespace
}  // namespace lantang
