#pragma once

/// @file
/// The forces of a rigid obstacle on a body.

#include "solid/material/material_table.hpp"
#include "solid/terms/contact/constants.hpp"
#include "solid/terms/contact/contact_term.hpp"
#include "solid/terms/contact/obstacle/moved_obstacle.hpp"
#include "solid/terms/surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

inline std::vector<std::unique_ptr<Surface>> surfaces_on(const Space& space, const std::vector<std::string>& faces) {
  std::vector<std::unique_ptr<Surface>> all;
  for (const std::string& face : faces) all.push_back(std::make_unique<Surface>(space, face));
  return all;
}

/// Returns the weight of a point at a node in means over the points around it, per area: the square of the shape
/// function, since those of nodes at corners may have a zero mean.
inline double weight_at_node(const Surface::Facet& facet, std::size_t q, std::size_t i) {
  return facet.shape(q, i) * facet.shape(q, i);
}

/// See Contact. The tangent is exact; it is unsymmetric with friction or viscosity. Levels have its symmetric positive
/// parts at the last linearization, those of lower degrees their means over each facet.
class ObstacleContact : public ContactTerm {
 public:
  /// Throws MeshError on all ranks for an unknown face or one between cells. Collective.
  ObstacleContact(const Space& space, const MaterialTable& materials, const Contact& given);

  ContactReport report(TermPoint& x) override;
  PetscReal safe_step(TermPoint& x) override;
  void remember(TermPoint& x) override;
  void fields(TermPoint& x, std::span<Vec3> values) override;
  std::pair<double, double> change_of_levels() const override;
  void levels_were_built() override;

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  void add_energy(TermPoint& x, Energy& energy) override;
  std::vector<TimeHistory> time_histories() const override;
  std::unique_ptr<LevelTerm> on(const Space& level) const override;
  double bytes() const override;
  double tangent_bytes() const override;
  double level_bytes(int degree) const override;

 private:
  class Tangent;
  class Level;
  using Block = NodeBlocks::Block;
  /// A facet that may touch the obstacle; each facet counts once, if faces overlap.
  struct Part {
    std::size_t surface, facet;
    std::size_t first;  // the number of its first point
    Layer layer;
  };
  /// A point of a facet on the obstacle.
  struct Touch {
    double area = 0;
    double stiffness = 0;  // k
    double pressure = 0;   // p
    double traction = 0;   // normal traction: p less the viscosity's part, not below 0
    bool presses = true;   // it is not held at 0
    Distance there = {};
    // Velocities, 0 in statics.
    Vec3 carried = {};   // of the rigid obstacle
    Vec3 relative = {};  // of the body relative to it
    Vec3 slip = {};      // w, the part along the surface
    double rate = 0;     // g'
    // Of a point in statics:
    bool at_rest = false;
    bool unmoved = false;          // the body has not moved since the load step began
    double spring = 0;             // -dA/dx at a fixed gap, before the projection of A
    Vec3 trial = {}, by_gap = {};  // A before its projection, and its derivative with respect to the gap
  };
  /// Friction T of a point in statics as a function of A along the surface. With m = A/|A|
  ///     T = part A,     dT = slope m (m . dA) + part (dA - m (m . dA)) + by_pressure m dp.
  struct Stick {
    Vec3 along;   // A
    double size;  // |A|; 1 if A = 0
    double part = 1, slope = 1, by_pressure = 0;
  };
  Stick stick(const Touch& touch) const;
  /// A point at the beginning of a load step of statics.
  struct Slip {
    Vec3 trial{};         // A_0 in the frame of the obstacle
    Vec3 place{};         // y_0, there
    Vec3 displacement{};  // in space
    double gap = 0;       // above 0 if it was open
  };
  void begin_friction(const Slip& slip, const Vec3& place, const Vec3& displacement, Touch& touch) const;
  const Surface::Facet& facet(const Part& part) const { return surfaces_[part.surface]->facets()[part.facet]; }
  /// Calls use(part, point, x, g) for all points of the faces; the obstacle must be at its place.
  template <class Use>
  void for_points(const NodalValues& u, Use&& use);
  /// Calls use(part, point, Touch) for the points on the obstacle, and finds the smallest gap. Collective.
  template <class Use>
  void for_touching(TermPoint& x, Use&& use);
  void fail(PetscReal t, const Vec3& place);
  /// Return the force on the body per undeformed area at a point, and its part by friction.
  Vec3 force(const Touch& touch) const;
  Vec3 friction(const Touch& touch) const;
  /// Computes k of the points as means over the nodes' means of c M / h: it varies less than the depth of single cells,
  /// and with it the pressure. Collective.
  void smooth(const std::vector<double>& of_parts);
  double overlap_at(const Vec3& X) const;

  MovedObstacle obstacle_, at_start_;
  std::vector<std::unique_ptr<Surface>> surfaces_;
  std::vector<Part> parts_;
  std::vector<double> stiffness_;  // k of each point [force/length^3]
  std::vector<double> overlaps_;   // g_0 of each point, if overlaps are removed
  std::vector<Slip> slips_;        // of each point, with friction
  double smallest_gap_ = 0;        // on this rank, at the last state
  /// The symmetric positive parts of a tangent at each point, times its area.
  struct Parts {
    Block q{}, v{};
  };
  std::vector<Parts> linearized_;  // of the tangent that was last given to the levels
  std::vector<double> built_;      // traces of linearized_ when the levels were built
};

template <class Use>
void ObstacleContact::for_points(const NodalValues& u, Use&& use) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Surface::Facet& own = facet(parts_[p]);
    for (std::size_t q = 0; q < own.points(); ++q) {
      const Vec3 x = own.place(q, u);
      Distance there = obstacle_.at(x);
      if (!overlaps_.empty()) there.d -= overlaps_[parts_[p].first + q];
      use(p, q, x, there);
    }
  }
}

template <class Use>
void ObstacleContact::for_touching(TermPoint& x, Use&& use) {
  obstacle_.move_to(x.t(), x.load_factor());
  const NodalValues& u = x.q();
  const NodalValues* v = moves(x.state()) ? &x.v() : nullptr;
  if (x.state().internal.rate == 0) require_slips();
  smallest_gap_ = std::numeric_limits<double>::infinity();
  for_points(u, [&](std::size_t p, std::size_t q, const Vec3& place, const Distance& there) {
    if (!std::isfinite(there.d)) return fail(x.t(), place);
    smallest_gap_ = std::min(smallest_gap_, there.d);
    if (!(there.d < contact::at_rest * parts_[p].layer.depth)) return;
    const Surface::Facet& own = facet(parts_[p]);
    const double k = stiffness_[parts_[p].first + q];
    const double pressure = there.d < 0 ? -k * there.d : 0;
    Touch touch{.area = own.point(q).size(), .stiffness = k, .pressure = pressure, .there = there};
    if (!v && has_friction() && slips_known_)
      begin_friction(slips_[parts_[p].first + q], place, own.value(q, u), touch);
    if (v) {
      touch.carried = obstacle_.velocity(place);
      touch.relative = own.value(q, *v) - touch.carried;
      const double along = dot(there.normal, touch.relative);
      touch.rate = along + there.rate;
      touch.slip = touch.relative - along * there.normal;
    }
    const double damping = parts_[p].layer.impedance * touch.rate;
    touch.presses = !(damping > touch.pressure);
    touch.traction = touch.presses ? touch.pressure - damping : 0;
    use(p, q, touch);
  });
}

}  // namespace gearshift::solid
