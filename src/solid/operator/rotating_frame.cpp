#include "solid/operator/rotating_frame.hpp"

#include <gearshift/petsc/views.hpp>

#include "solid/element/vectors.hpp"

#include <optional>

namespace gearshift::solid {
namespace {

/// out = make(node), node by node.
template <class Make>
void fill(Vec out, Make&& make) {
  const petsc::WriteView values(out);
  for (std::size_t node = 0; 3 * node < values.size(); ++node) {
    const Vec3 value = make(node);
    for (std::size_t c = 0; c < 3; ++c) values[3 * node + c] = value[c];
  }
}

/// A Vec that may be null, which is 0.
class Nodal {
 public:
  explicit Nodal(Vec x) {
    if (x) view_.emplace(x);
  }
  Vec3 operator[](std::size_t node) const {
    if (!view_) return {};
    return {(*view_)[3 * node], (*view_)[3 * node + 1], (*view_)[3 * node + 2]};
  }

 private:
  std::optional<petsc::ReadView> view_;
};

}  // namespace

void RotatingFrame::accelerations(Vec q, Vec v, Vec a, PetscReal factor, Vec out) const {
  const Nodal at(q), rate(v), own(a);
  fill(out, [&](std::size_t node) {
    const Vec3 r = space_.coordinates()[node] + at[node] - centre_;
    return own[node] + 2 * cross(spin_, rate[node]) + factor * cross(spin_, cross(spin_, r));
  });
}

void RotatingFrame::tangent(PetscReal sq, PetscReal sv, Vec in, Vec out) const {
  const Nodal given(in);
  fill(out, [&](std::size_t node) {
    const Vec3 across = cross(spin_, given[node]);
    return 2 * sv * across + sq * cross(spin_, across);
  });
}

void RotatingFrame::velocities(Vec q, Vec out) const {
  const Nodal at(q);
  fill(out, [&](std::size_t node) { return cross(spin_, space_.coordinates()[node] + at[node] - centre_); });
}

Vec3 RotatingFrame::diagonal() const {
  Vec3 result;
  for (std::size_t c = 0; c < 3; ++c) result[c] = spin_[c] * spin_[c] - dot(spin_, spin_);
  return result;
}

}  // namespace gearshift::solid
