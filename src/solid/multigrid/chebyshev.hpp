#pragma once

/// @file
/// Chebyshev iteration and estimates of its interval, for vectors in either precision.

#include <petscsys.h>

#include <functional>
#include <type_traits>
#include <vector>

namespace gearshift::solid {

/// The coefficients of d = keep d + scale z, x += d, with z the preconditioned residual at x: after k such steps the
/// error has been multiplied by T_k((middle - lambda) / radius) / T_k(middle / radius).
/// (Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1.)
class Chebyshev {
 public:
  struct Step {
    double keep, scale;
  };
  Chebyshev(double smallest, double largest)
      : radius_((largest - smallest) / 2), sigma_((largest + smallest) / (largest - smallest)) {}

  Step next() {
    const double rho = before_ == 0 ? 1 / sigma_ : 1 / (2 * sigma_ - before_);
    const Step step{rho * before_, (before_ == 0 ? 1 : 2) * rho / radius_};
    before_ = rho;
    return step;
  }

 private:
  double radius_, sigma_, before_ = 0;
};

/// Returns a . b over all ranks. Collective.
template <class T>
double dot(MPI_Comm comm, const std::vector<T>& a, const std::vector<T>& b);

/// Computes to = B from with a symmetric positive definite B.
template <class T>
using ArrayProduct = std::function<void(std::vector<T>& from, std::vector<T>& to)>;

/// The ends of a spectrum: the smallest and the largest Ritz value, and the error bound of the largest.
struct Spectrum {
  double smallest = 0, largest = 0, error = 0;
};

/// Estimates the spectrum of B A by `steps` steps of conjugate gradients with the residual r, or fewer, when the
/// residual has fallen by the factor `enough` in the norm of B; returns zeros if r is zero or A is not positive. (Saad,
/// section 6.7.3; the largest value and its bound as in Zhou and Li, J. Comput. Appl. Math. 235, 2011.) Collective.
template <class T>
Spectrum estimate_spectrum(MPI_Comm comm, PetscInt steps, std::vector<T> r,
                           const std::type_identity_t<ArrayProduct<T>>& A,
                           const std::type_identity_t<ArrayProduct<T>>& B, double enough = 0);

}  // namespace gearshift::solid
