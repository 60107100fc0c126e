#include "solid/recovery/cell_samples.hpp"

#include "solid/numerics/pseudo_inverse.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace gearshift::solid {

CellSamples::CellSamples(const Element& element) : known_(element.points().size()), nodes_(element.nodes().size()) {
  if (element.degree() == 1) {  // the mean, at the centre
    points_ = {element.centre()};
    double sum = 0;
    for (std::size_t q = 0; q < known_; ++q) sum += element.weigh(1, q);
    for (std::size_t q = 0; q < known_; ++q) matrix_.push_back(element.weigh(1, q) / sum);
    interpolate_.resize(nodes_);
    element.values(points_.front(), interpolate_);
    extrapolate_.assign(nodes_, 1.0);
    return;
  }
  const Element lower(element.kind(), element.degree() - 1);
  const auto shapes = static_cast<Eigen::Index>(lower.nodes().size()), known = static_cast<Eigen::Index>(known_);
  const auto values_at = [&](const std::vector<Vec3>& points) {
    Eigen::MatrixXd values(shapes, static_cast<Eigen::Index>(points.size()));
    for (std::size_t q = 0; q < points.size(); ++q)
      lower.values(points[q], {values.col(static_cast<Eigen::Index>(q)).data(), lower.nodes().size()});
    return values;
  };
  points_ = lower.mass_points();
  const Eigen::MatrixXd at_known = values_at(element.points());
  Eigen::VectorXd weights(known);
  for (Eigen::Index q = 0; q < known; ++q) weights[q] = element.weigh(1, static_cast<std::size_t>(q));
  const Eigen::MatrixXd weighted = at_known * weights.asDiagonal();
  const Eigen::MatrixXd samples =
      values_at(points_).transpose() * (weighted * at_known.transpose()).ldlt().solve(weighted);
  for (Eigen::Index s = 0; s < samples.rows(); ++s)
    for (Eigen::Index q = 0; q < known; ++q) matrix_.push_back(samples(s, q));
  interpolate_.resize(points_.size() * nodes_);
  for (std::size_t s = 0; s < points_.size(); ++s)
    element.values(points_[s], std::span(interpolate_).subspan(s * nodes_, nodes_));
  const Eigen::MatrixXd at_samples = values_at(points_).transpose();
  const Eigen::MatrixXd at_nodes = values_at(element.nodes()).transpose() * pseudo_inverse(at_samples);
  for (Eigen::Index node = 0; node < at_nodes.rows(); ++node)
    for (Eigen::Index s = 0; s < at_nodes.cols(); ++s) extrapolate_.push_back(at_nodes(node, s));
}

void CellSamples::take(std::span<const double> values, std::size_t components, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t s = 0; s < points_.size(); ++s)
    for (std::size_t q = 0; q < known_; ++q)
      for (std::size_t c = 0; c < components; ++c)
        out[s * components + c] += matrix_[s * known_ + q] * values[q * components + c];
}

void CellSamples::correct(std::span<const double> samples, std::size_t components, std::span<const double> shares,
                          std::span<double> nodal) const {
  std::vector<double> rest(samples.begin(), samples.end());
  for (std::size_t s = 0; s < points_.size(); ++s)
    for (std::size_t n = 0; n < nodes_; ++n)
      for (std::size_t c = 0; c < components; ++c)
        rest[s * components + c] -= interpolate_[s * nodes_ + n] * nodal[n * components + c];
  for (std::size_t n = 0; n < nodes_; ++n)
    for (std::size_t s = 0; s < points_.size(); ++s)
      for (std::size_t c = 0; c < components; ++c)
        nodal[n * components + c] += shares[n] * extrapolate_[n * points_.size() + s] * rest[s * components + c];
}

}  // namespace gearshift::solid
