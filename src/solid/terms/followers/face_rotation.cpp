#include "solid/terms/followers/face_rotation.hpp"

#include "petsc/lapack.hpp"
#include "solid/numerics/polar.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace gearshift::solid {

namespace {

using Vector = FaceRotation::Vector;
using Matrix = FaceRotation::Matrix;

constexpr double least = 1e-14;  // of a face's moments, relative to the largest; rounding causes 1e-16

Vector of(const Vec3& x) { return {x[0], x[1], x[2]}; }

template <class Use>
void for_points(const Surface& surface, Use&& use) {
  for (const Surface::Facet& facet : surface.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const Vec3 area = facet.point(q).vector_area();
      use(facet, q, std::sqrt(dot(area, area)));
    }
}

template <std::size_t N>
void sum_over_ranks(const Surface& surface, std::array<double, N>& sums) {
  petsc::check(
      MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(N), MPI_DOUBLE, MPI_SUM, surface.space().comm()));
}

}  // namespace

FaceRotation::FaceRotation(const Surface& surface, const char* what) : surface_(surface) {
  std::array<double, 4> first{};
  for_points(surface, [&](const Surface::Facet& facet, std::size_t q, double area) {
    first[0] += area;
    for (std::size_t c = 0; c < 3; ++c) first[1 + c] += area * facet.point(q).X[c];
  });
  sum_over_ranks(surface, first);
  area_ = first[0];
  centre_ = (1 / area_) * Vec3{first[1], first[2], first[3]};
  std::array<double, 9> second{};
  for_points(surface, [&](const Surface::Facet& facet, std::size_t q, double area) {
    const Vector r = of(facet.point(q).X - centre_);
    Eigen::Map<Matrix>(second.data()) += area * r * r.transpose();
  });
  sum_over_ranks(surface, second);
  inertia_ = Eigen::Map<const Matrix>(second.data());
  const std::vector<double> sizes =
      inertia_.allFinite() ? petsc::symmetric_eigen(second, false) : std::vector<double>(3);  // zero is rejected below
  const double far = dot(centre_, centre_) + sizes[2] / area_;
  if (!(area_ > 0) || !(sizes[1] > least * sizes[2]) || !(sizes[2] / area_ > least * least * far))
    throw MeshError(std::string("the ") + what + " on '" + surface.name() +
                    "': that face has no area, or lies on one line, so that it has no rotation; give another face");
}

FaceRotation::Moments FaceRotation::reference_moments(const NodalValues& u) const {
  std::array<double, 12> sums{};
  Eigen::Map<Vector> mean(sums.data());
  Eigen::Map<Matrix> moment(sums.data() + 3);
  for_points(surface_, [&](const Surface::Facet& facet, std::size_t q, double area) {
    const Vector value = area * of(facet.value(q, u));
    mean += value;
    moment += value * of(facet.point(q).X - centre_).transpose();
  });
  sum_over_ranks(surface_, sums);
  return {mean / area_, moment};
}

bool FaceRotation::Pose::update(const NodalValues& u) {
  const Matrix H = of_.inertia_ + of_.reference_moments(u).moment;
  const auto fail = [&] {
    for (Matrix* all : {&R_, &P_, &inverse_}) all->setConstant(std::numeric_limits<double>::quiet_NaN());
    return false;
  };
  if (!H.allFinite()) return fail();
  const Polar polar(H);
  const Matrix& U = polar.U;
  const Vector& s = polar.s;
  const Vector a{s[1] + s[2], s[0] + s[2], s[0] + s[1]};
  if (!(a[0] > least * s[0])) return fail();
  R_ = polar.R;
  P_ = U * s.asDiagonal() * U.transpose();
  inverse_ = U * a.cwiseInverse().asDiagonal() * U.transpose();
  return true;
}

Vec3 FaceRotation::Pose::arm(const Surface::Point& point) const {
  const Vector r = R_ * of(point.X - of_.centre_);
  return {r[0], r[1], r[2]};
}

FaceRotation::Moments FaceRotation::Pose::moments(const NodalValues& u) const {
  Moments found = of_.reference_moments(u);
  found.moment *= R_.transpose();
  return found;
}

Vector FaceRotation::Pose::spin(const Moments& change) const {
  const Matrix& G = change.moment;
  return inverse_ * Vector(G(2, 1) - G(1, 2), G(0, 2) - G(2, 0), G(1, 0) - G(0, 1));
}

Matrix FaceRotation::Pose::change(const Moments& change) const {
  const Vector w = spin(change);
  Matrix turn;
  turn << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  const Matrix dP = change.moment - P_ * turn, even = 0.5 * (dP + dP.transpose());
  return even.trace() * Matrix::Identity() - even;
}

}  // namespace gearshift::solid
