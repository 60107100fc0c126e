#include "solid/operator/rotating_frame.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/text_of.hpp"
#include "solid/element/vectors.hpp"

#include <cmath>
#include <optional>

namespace gearshift::solid {
namespace {

/// Computes out = make(node) for every node.
template <class Make>
void fill(Vec out, Make&& make) {
  const petsc::WriteView values(out);
  for (std::size_t node = 0; 3 * node < values.size(); ++node) {
    const Vec3 value = make(node);
    for (std::size_t c = 0; c < 3; ++c) values[3 * node + c] = value[c];
  }
}

/// The nodal values of a Vec; a null Vec reads as 0.
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

void require_finite(const Vec3& x, const char* what) {
  if (!std::isfinite(x[0] + x[1] + x[2]))
    throw OptionError(std::string("rotating frame: give finite numbers for the ") + what);
}

}  // namespace

RotatingFrame::RotatingFrame(const Space& space, const Vec3& spin, const Vec3& centre)
    : space_(space), constant_{spin, {}}, centre_(centre) {
  require_finite(spin, "spin");
  require_finite(centre, "centre");
}

RotatingFrame::RotatingFrame(const Space& space, Spin spin, const Vec3& centre,
                             TimeHistory::NextRoughTime next_rough_time)
    : space_(space), varying_(std::move(spin)), centre_(centre), next_rough_time_(std::move(next_rough_time)) {
  require_finite(centre, "centre");
}

SpinValue RotatingFrame::at(PetscReal t) const {
  if (!varying_) return constant_;
  const SpinValue spin = varying_(t);
  for (const Vec3& x : {spin.w, spin.w_t})
    if (!std::isfinite(x[0] + x[1] + x[2]))
      throw Error("the frame's angular velocity (-frame_spin), or its derivative, is not a finite number at t = " +
                  petsc::text_of(t, 10));
  return spin;
}

TimeHistory RotatingFrame::course() const {
  TimeHistory course;
  course.steady = steady();
  course.value = [own = *this](PetscReal t, const Vec3& X) {
    const auto [w, w_t] = own.at(t);
    const Vec3 r = X - own.centre_;
    return -1 * (cross(w, cross(w, r)) + cross(w_t, r));
  };
  course.next_rough_time = next_rough_time_;
  return course;
}

void RotatingFrame::accelerations(const SpinValue& spin, Vec q, Vec v, Vec a, PetscReal factor, Vec out) const {
  const Nodal at(q), rate(v), own(a);
  const auto [w, w_t] = spin;
  const auto sum = [&, w = w](std::size_t node, auto&& more) {
    const Vec3 r = space_.coordinates()[node] + at[node] - centre_;
    return own[node] + 2 * cross(w, rate[node]) + factor * more(cross(w, cross(w, r)), r);
  };
  if (w_t == Vec3{})
    fill(out, [&](std::size_t node) { return sum(node, [](const Vec3& inwards, const Vec3&) { return inwards; }); });
  else
    fill(out, [&, w_t = w_t](std::size_t node) {
      return sum(node, [&](const Vec3& inwards, const Vec3& r) { return inwards + cross(w_t, r); });
    });
}

void RotatingFrame::tangent(const SpinValue& spin, PetscReal sq, PetscReal sv, Vec in, Vec out) const {
  const Nodal given(in);
  const auto [w, w_t] = spin;
  const auto steady = [&, w = w](std::size_t node) {
    const Vec3 across = cross(w, given[node]);
    return 2 * sv * across + sq * cross(w, across);
  };
  if (w_t == Vec3{})
    fill(out, steady);
  else
    fill(out, [&, w_t = w_t](std::size_t node) { return steady(node) + sq * cross(w_t, given[node]); });
}

void RotatingFrame::velocities(const Vec3& w, PetscReal of_rest, PetscReal of_motion, Vec q, Vec out) const {
  const Nodal at(q);
  fill(out, [&](std::size_t node) {
    return cross(w, of_rest * (space_.coordinates()[node] - centre_) + of_motion * at[node]);
  });
}

Vec3 RotatingFrame::diagonal(const SpinValue& spin) {
  Vec3 result;
  for (std::size_t c = 0; c < 3; ++c) result[c] = spin.w[c] * spin.w[c] - dot(spin.w, spin.w);
  return result;
}

}  // namespace gearshift::solid
