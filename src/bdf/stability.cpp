#include <gearshift/bdf/stability.hpp>
#include <gearshift/bdf/weights.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace gearshift::bdf {

double growth_factor(std::span<const double> times, std::complex<double> z) {
  const std::vector<double> c = weights(times);
  if (!std::isfinite(z.real()) || !std::isfinite(z.imag()))
    throw std::invalid_argument("gearshift::bdf::growth_factor: z is not finite");
  const auto s = static_cast<Eigen::Index>(times.size() - 1);
  const double h = times[times.size() - 1] - times[times.size() - 2];
  const std::complex<double> leading = h * c.back() - z;
  if (leading == 0.0) return std::numeric_limits<double>::infinity();
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(s, s);
  for (Eigen::Index j = 0; j + 1 < s; ++j) companion(j + 1, j) = 1;
  for (Eigen::Index j = 0; j < s; ++j) companion(j, s - 1) = -h * c[static_cast<std::size_t>(j)] / leading;
  return companion.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace gearshift::bdf
