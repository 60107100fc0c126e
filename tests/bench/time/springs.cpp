#include "springs.hpp"

#include <cmath>
#include <utility>

namespace bench {

/// Quantities of a spring from which its force and tangent are computed.
struct Springs::Stretch {
  Direction d;             ///< D
  Direction rate;          ///< D'
  double length, squared;  ///< l, l^2
  double power;            ///< D.D'
  double tension;          ///< the force is tension D
};

Springs::Springs(Handle<DM> dm, double mass_of_node, double gravity, double damping)
    : mass_of_node_(mass_of_node), gravity_(gravity), damping_(damping) {
  use(std::move(dm));
  check(DMDAGetInfo(this->dm(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &dimension_, nullptr,
                    nullptr, nullptr, nullptr, nullptr));
  check(VecSet(mass(), mass_of_node));
}

void Springs::initial(Vec q, Vec v) const {
  check(VecSet(q, 0));
  check(VecSet(v, 0));
}

Springs::Direction Springs::relative(const ReadView& ghosted, const Joint& joint) const {
  Direction out{};
  for (PetscInt p = 0; p < dimension_; ++p)
    out[p] = (joint.other == held ? 0 : ghosted[joint.other * dimension_ + p]) - ghosted[joint.self * dimension_ + p];
  return out;
}

Springs::Stretch Springs::stretch(const ReadView& q, const ReadView& v, const Joint& joint) const {
  const Kind& kind = kinds_[joint.kind];
  Stretch s{relative(q, joint), relative(v, joint), 0, 0, 0, 0};
  for (PetscInt p = 0; p < dimension_; ++p) {
    s.d[p] += kind.offset[p];
    s.squared += s.d[p] * s.d[p];
    s.power += s.d[p] * s.rate[p];
  }
  s.length = std::sqrt(s.squared);
  s.tension = kind.stiffness * ((s.length - kind.length) / s.length + damping_ * s.power / s.squared);
  return s;
}

void Springs::compute_force(double, Vec q, Vec v, Vec f) {
  const ReadView at(with_ghosts(0, q)), rate(with_ghosts(1, v));
  check(VecSet(f, 0));
  const WriteView out(f);
  PetscInt weighed = -1;
  for (const Joint& joint : joints_) {
    const Stretch s = stretch(at, rate, joint);
    const auto force = out.span().subspan(joint.row * dimension_, dimension_);
    if (std::exchange(weighed, joint.row) != joint.row) force[1] -= mass_of_node_ * gravity_;
    for (PetscInt p = 0; p < dimension_; ++p) force[p] += s.tension * s.d[p];
  }
  check(PetscLogFlops(static_cast<double>(joints_.size()) * (8.0 * static_cast<double>(dimension_) + 7)));
}

void Springs::compute_product(Vec q, Vec v, double fq, Vec x, double fv, Vec z, Vec y) {
  const Vec first = with_ghosts(2, x), second = z == x ? first : with_ghosts(3, z);
  const ReadView at(with_ghosts(0, q)), rate(with_ghosts(1, v)), dx(first), dz(second);
  check(VecSet(y, 0));
  const WriteView out(y);
  for (const Joint& joint : joints_) {
    const Kind& kind = kinds_[joint.kind];
    const Stretch s = stretch(at, rate, joint);
    const Direction e = relative(dx, joint), g = z == x ? e : relative(dz, joint);
    double de = 0, re = 0, dg = 0;
    for (PetscInt p = 0; p < dimension_; ++p) {
      de += s.d[p] * e[p];
      re += s.rate[p] * e[p];
      dg += s.d[p] * g[p];
    }
    const double elastic = kind.length * de / (s.length * s.squared);
    const double viscous = damping_ / s.squared * (re - 2 * s.power * de / s.squared);
    const double along = kind.stiffness * (fq * (elastic + viscous) + fv * damping_ * dg / s.squared);
    for (PetscInt p = 0; p < dimension_; ++p) out[joint.row * dimension_ + p] += fq * s.tension * e[p] + along * s.d[p];
  }
  check(PetscLogFlops(static_cast<double>(joints_.size()) * (18.0 * static_cast<double>(dimension_) + 21)));
}

void Springs::fill(Vec q, Vec v, double fm, double fq, double fv, Mat P) {
  const ReadView at(with_ghosts(0, q)), rate(with_ghosts(1, v));
  const auto n = static_cast<std::size_t>(dimension_);
  PetscInt owned = 0;
  check(VecGetLocalSize(mass(), &owned));
  std::vector<double> diagonal(static_cast<std::size_t>(owned) * n, 0.0);  // an n x n block for each owned mass
  const auto insert = [&](PetscInt row, PetscInt column, const double* block) {
    check(MatSetValuesBlockedLocal(P, 1, &row, 1, &column, block, INSERT_VALUES));
  };
  std::vector<PetscInt> ghosted(static_cast<std::size_t>(owned) / n, -1);
  std::array<double, 9> block{};
  for (const Joint& joint : joints_) {
    const Kind& kind = kinds_[joint.kind];
    const Stretch s = stretch(at, rate, joint);
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t o = 0; o < n; ++o) {
        const double elastic = kind.length * s.d[o] / (s.length * s.squared);
        const double viscous = damping_ / s.squared * (s.rate[o] - 2 * s.power * s.d[o] / s.squared);
        const double along = kind.stiffness * (fq * (elastic + viscous) + fv * damping_ * s.d[o] / s.squared);
        const double entry = (p == o ? fq * s.tension : 0) + s.d[p] * along;
        diagonal[static_cast<std::size_t>(joint.row) * n * n + p * n + o] += entry;
        block[p * n + o] = -entry;
      }
    ghosted[joint.row] = joint.self;
    if (joint.other != held) insert(joint.self, joint.other, block.data());
  }
  PetscInt first = 0;
  check(VecGetOwnershipRange(mass(), &first, nullptr));
  for (std::size_t node = 0; node < ghosted.size(); ++node) {
    double* own = diagonal.data() + node * n * n;
    for (std::size_t p = 0; p < n; ++p) own[p * n + p] += fm * mass_of_node_;
    if (ghosted[node] >= 0) {
      insert(ghosted[node], ghosted[node], own);
    } else {
      const auto row = static_cast<PetscInt>(static_cast<std::size_t>(first) / n + node);
      check(MatSetValuesBlocked(P, 1, &row, 1, &row, own, INSERT_VALUES));
    }
  }
  check(PetscLogFlops(static_cast<double>(joints_.size() * n * n) * 12));
}

}  // namespace bench
