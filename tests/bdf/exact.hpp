#pragma once

/// @file
/// Exact BDF weights for double-precision times, and the distance of a computed weight from them in ulp.

#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace exact {

/// An integer of any size, with the operations that products of differences need.
class Integer {
 public:
  Integer() = default;
  explicit Integer(std::int64_t value) : negative_(value < 0) {
    for (auto u = negative_ ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value); u != 0;
         u >>= 32)
      limbs_.push_back(static_cast<std::uint32_t>(u));
  }

  Integer shifted(int bits) const {  // times 2^bits
    Integer r = *this;
    for (int i = 0; i < bits / 32; ++i) r.limbs_.insert(r.limbs_.begin(), 0U);
    return r * Integer(std::int64_t{1} << (bits % 32));
  }
  Integer operator-() const {
    Integer r = *this;
    r.negative_ = !negative_;
    return r;
  }
  friend Integer operator*(const Integer& x, const Integer& y) {
    Integer r;
    r.limbs_.assign(x.limbs_.size() + y.limbs_.size(), 0U);
    for (std::size_t i = 0; i < x.limbs_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < y.limbs_.size() || carry != 0; ++j) {
        const std::uint64_t factor = j < y.limbs_.size() ? y.limbs_[j] : 0;
        carry += r.limbs_[i + j] + std::uint64_t{x.limbs_[i]} * factor;
        r.limbs_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    r.negative_ = x.negative_ != y.negative_;
    r.trim();
    return r;
  }
  friend Integer operator+(const Integer& x, const Integer& y) {
    if (x.negative_ == y.negative_) return sum(x, y);
    return smaller(x, y) ? difference(y, x) : difference(x, y);
  }
  friend Integer operator-(const Integer& x, const Integer& y) { return x + -y; }
  Integer magnitude() const { return negative_ ? -*this : *this; }
  bool zero() const { return limbs_.empty(); }

  /// Returns the number as m 2^e, to 64 bits.
  long double scaled(int& exponent) const {
    long double r = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) r = r * 4294967296.0L + limbs_[i];
    int e = 0;
    r = std::frexp(r, &e);
    exponent = e;
    return negative_ ? -r : r;
  }

 private:
  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }
  static bool smaller(const Integer& x, const Integer& y) {
    if (x.limbs_.size() != y.limbs_.size()) return x.limbs_.size() < y.limbs_.size();
    for (std::size_t i = x.limbs_.size(); i-- > 0;)
      if (x.limbs_[i] != y.limbs_[i]) return x.limbs_[i] < y.limbs_[i];
    return false;
  }
  static Integer sum(const Integer& x, const Integer& y) {
    Integer r;
    r.negative_ = x.negative_;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < x.limbs_.size() || i < y.limbs_.size() || carry != 0; ++i) {
      carry += (i < x.limbs_.size() ? x.limbs_[i] : 0ULL) + (i < y.limbs_.size() ? y.limbs_[i] : 0ULL);
      r.limbs_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    return r;
  }
  static Integer difference(const Integer& x, const Integer& y) {  // |x| >= |y|; has the sign of x
    Integer r = x;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < r.limbs_.size(); ++i) {
      std::int64_t d = std::int64_t{r.limbs_[i]} - borrow - (i < y.limbs_.size() ? std::int64_t{y.limbs_[i]} : 0);
      borrow = d < 0 ? 1 : 0;
      r.limbs_[i] = static_cast<std::uint32_t>(d + (borrow << 32));
    }
    r.trim();
    return r;
  }

  std::vector<std::uint32_t> limbs_;  // least significant first
  bool negative_ = false;
};

/// The exact value numerator / denominator * 2^exponent.
struct Rational {
  Integer numerator, denominator;
  int exponent = 0;
};

/// Returns |value - exact| in units in the last place of `value`. The difference is formed exactly.
inline double ulps(double value, const Rational& exact) {
  int e = 0;
  const double mantissa = std::frexp(value, &e);  // value = m 2^(e-53), m whole, ulp = 2^(e-53)
  const Integer m(static_cast<std::int64_t>(std::ldexp(mantissa, 53)));
  const int shift = exact.exponent - (e - 53);  // |m - n/d 2^shift|
  const Integer left = m * exact.denominator;
  const Integer gap = shift >= 0 ? left - exact.numerator.shifted(shift) : left.shifted(-shift) - exact.numerator;
  if (gap.zero()) return 0;
  const Integer unit = shift >= 0 ? exact.denominator : exact.denominator.shifted(-shift);
  int ge = 0, ue = 0;
  const long double g = gap.magnitude().scaled(ge), u = unit.magnitude().scaled(ue);
  return static_cast<double>(std::ldexp(g / u, ge - ue));
}

/// Returns the times as exact integer multiples of 2^-bits.
inline std::vector<Integer> whole(std::span<const double> times, int& bits) {
  bits = 0;
  for (const double t : times) {
    int b = 0;
    for (double x = t; x != std::floor(x); x *= 2) ++b;
    bits = b > bits ? b : bits;
  }
  std::vector<Integer> result;
  for (const double t : times) {
    int e = 0;
    const double m = std::frexp(t, &e);  // t 2^bits = m 2^53 2^(e - 53 + bits)
    const int shift = e - 53 + bits;
    auto mantissa = static_cast<std::int64_t>(std::ldexp(m, 53));
    if (shift < 0) {
      if (-shift < 63 && mantissa % (std::int64_t{1} << -shift) != 0) throw std::logic_error("whole(): lost digits");
      mantissa = -shift < 63 ? mantissa / (std::int64_t{1} << -shift) : 0;
    }
    result.push_back(Integer(mantissa).shifted(shift > 0 ? shift : 0));
  }
  return result;
}

/// Returns l_j'(t_s) for exactly these doubles, from the definition.
inline std::vector<Rational> weights(std::span<const double> times) {
  int bits = 0;
  const std::vector<Integer> t = whole(times, bits);
  const std::size_t s = t.size() - 1;
  std::vector<Rational> result;
  for (std::size_t j = 0; j < s; ++j) {
    Rational c{Integer(1), t[j] - t[s], bits};
    for (std::size_t m = 0; m < s; ++m) {
      if (m == j) continue;
      c.numerator = c.numerator * (t[s] - t[m]);
      c.denominator = c.denominator * (t[j] - t[m]);
    }
    result.push_back(c);
  }
  Rational newest{Integer(), Integer(1), bits};
  for (std::size_t m = 0; m < s; ++m) {
    newest.numerator = newest.numerator * (t[s] - t[m]) + newest.denominator;
    newest.denominator = newest.denominator * (t[s] - t[m]);
  }
  result.push_back(newest);
  return result;
}

}  // namespace exact
