#pragma once

/// @file
/// The forces between faces of the mesh that touch.

#include "solid/terms/contact/contact_term.hpp"
#include "solid/terms/contact/pair/facet_nodes.hpp"
#include "solid/terms/contact/pair/pair_force.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid {

/// A Contact of faces with other faces or with themselves. Quadrature points of both sides have half of the energy
/// each:
///
///     Pi = 1/2 sum over both sides of int k/2 min(g, 0)^2 dA,   1/k = 1/k_a + 1/k_b,
///
/// with the gap g from the closest point of the other side. The tangent is exact; it is unsymmetric with friction or
/// viscosity. Where an iteration of Newton's method presses facets into each other by more than any equilibrium, it
/// leaves out the turning of the normals, which would make it indefinite. The result does not depend on the time of the
/// last search: the closest point of a facet is computed from its centre, and among several facets the nearest one
/// counts.
/// (Two half passes: R. Sauer, L. De Lorenzis, Comput. Methods Appl. Mech. Eng. 253, 2013; here with the forces of an
/// energy, which are in equilibrium.)
class PairContact : public ContactTerm {
 public:
  /// Throws MeshError on all ranks for an unknown face or one between cells. Collective.
  PairContact(const Space& space, const MaterialTable& materials, const Contact& given);

  ContactReport report(TermPoint& x) override;
  PetscReal safe_step(TermPoint& x) override;
  void forget_slips() override;
  void remember(TermPoint& x) override;
  void fields(TermPoint& x, std::span<Vec3> values) override;
  std::pair<double, double> change_of_levels() const override;
  void levels_were_built() override;

  void add_residual(TermPoint& x, SharedSum& r) override { add_forces(x, r, false); }
  /// The forces on the first side.
  void add_residual_on(const std::string&, TermPoint& x, SharedSum& r) override { add_forces(x, r, true); }
  std::unique_ptr<TermTangent> make_tangent() override;
  void add_energy(TermPoint& x, Energy& energy) override;
  std::unique_ptr<LevelTerm> on(const Space& level) const override;
  double bytes() const override;
  double tangent_bytes() const override;
  double level_bytes(int degree) const override;

 private:
  class Tangent;
  class Level;
  using Block = NodeBlocks::Block;
  using Values = std::vector<Vec3>;  // of the nodes of the known facets

  /// An own point and the place of the other side that is nearest to it.
  struct Near {
    std::size_t own, point;
    std::size_t facet;  // of the other side, among the known ones
    ClosestPoint at;
    double gap;        // above the overlap that is removed
    Vec3 normal;       // of the facet, or at an edge of the gap
    double alignment;  // of the gap with the facet's normal, |cos|
  };
  /// A point in contact.
  struct Touch {
    std::size_t facet = 0, point = 0, partner = 0;
    double area = 0, gap = 0;
    Vec3 normal{};
    bool wild = false;  // the pressure exceeds half the modulus M: the state is no equilibrium
    FacetPlace place{};
    std::vector<FacetJet<double>> functions;  // of the partner's nodes, along the directions of the law
    PairLaw law;
    PairState<double> state;
    std::array<double, 3> weight_bends{};  // W_ab: 00 01 11
    std::array<double, 2> impedance_slopes{};
    std::array<Vec3, 3> bending{};     // d/dt S_ab
    std::array<Vec3, 3> grid_bends{};  // S_0ab
    /// Returns the law of the tangent: points stick in the first one of a load step, since most of those that slide
    /// there do so only because the bodies have not yet moved.
    PairLaw tangent_law() const {
      PairLaw result = law;
      result.holds = unmoved;
      return result;
    }
    bool unmoved = false;  // in statics: the nodes of both facets have not moved since the load step began
  };
  /// A point at the beginning of a load step of statics.
  struct Slip {
    bool touched = false;
    Vec3 trial{};  // A_0, in space
  };
  /// A box around a facet, along its tangents and its normal at the centre.
  struct Cover {
    Vec3 centre{};
    std::array<Vec3, 3> axes{};
    Extent extent{};
    Vec3 seen(const Vec3& x) const {
      const Vec3 r = x - centre;
      return {dot(axes[0], r), dot(axes[1], r), dot(axes[2], r)};
    }
    /// Returns a box around a facet.
    Extent seen_box(std::span<const std::size_t> nodes, const Values& places, bool larger) const;
    /// Returns true if a place lies farther beside the facet than above or below it.
    bool is_beside(const Vec3& seen) const {
      const auto [low, high] = extent;
      const double beside = std::pow(std::max({low[0] - seen[0], seen[0] - high[0], 0.0}), 2) +
                            std::pow(std::max({low[1] - seen[1], seen[1] - high[1], 0.0}), 2);
      return beside > std::pow(1.5 * std::max(std::abs(seen[2] - low[2]), std::abs(seen[2] - high[2])), 2);
    }
  };

  void measure(const MaterialTable& materials);
  /// Finds the facets that are near each other. @param places those of the own facets' nodes. Collective.
  void search(const std::vector<Values>& places);
  /// Returns the places of the known nodes for displacements. Collective.
  Values places_for(Vec q) const;
  /// Moves the facets to the displacements, and searches again if nodes have moved relative to each other by more than
  /// the search allows. Returns false, on all ranks, if some place is not finite. Collective.
  bool place(Vec q);
  Cover cover(std::size_t facet) const;
  Values values(Vec of) const;
  /// Return the own points that are near the other side, at the places of place(), and those of them that are in
  /// contact. Both are kept for the next call at the same state.
  const std::vector<Near>& near_points();
  std::shared_ptr<const std::vector<Touch>> touching(TermPoint& x);  // collective
  /// @param touching true: places from which a point is apart need not be found
  std::vector<Near> find_near(bool touching) const;
  /// Returns the facets that points of an own facet may be near.
  std::vector<std::size_t> partners(std::size_t facet, bool touching) const;
  /// A point with its normal and its place in the undeformed body.
  struct OwnPoint {
    std::size_t facet, point;
    Vec3 x{}, normal{}, X{};
  };
  OwnPoint own_point(std::size_t facet, std::size_t point) const;
  using NearestFirst = std::vector<std::pair<double, std::size_t>>;  // lower bounds of squared distances, and facets
  /// @param order work space
  std::optional<Near> nearest(const OwnPoint& own, const std::vector<std::size_t>& partners, bool touching,
                              NearestFirst& order) const;
  bool nearer(const Near& a, const Near& b) const;
  /// Returns true if a point was behind a place of its own body from the beginning, as the other side of a thin wall is.
  bool is_behind(const OwnPoint& own, const Near& near) const;
  /// Returns the distance to which a facet sees another one, and that to which it penetrates: both sides of a plate of
  /// one cell are no contact.
  double sight_of(std::size_t facet, std::size_t other, bool touching) const {
    constexpr double deepest = 0.5;  // part of a cell's depth
    const double far = sight * (sizes_[facet] + known_sizes_[other]);
    return touching ? std::min(far, deepest * known_layers_[other].depth * space_.degree()) : far;
  }
  /// Returns the height up to which points of a facet are in contact.
  double touching_height(std::size_t facet) const { return at_rest * layers_[facet].depth; }
  /// Returns the value at a point of a facet.
  static Vec3 value(std::span<const FacetJet<double>> functions, std::span<const std::size_t> nodes,
                    const Values& values);
  std::optional<Touch> touch(const Near& near) const;
  void set_rates(Touch& touch, const Values& v) const;
  void set_way(Touch& touch) const;
  void add_forces(TermPoint& x, SharedSum& r, bool on_first_side);
  /// Returns the stiffness of a facet at a place, with its derivatives.
  FacetJet<double> stiffness(std::size_t facet, std::span<const FacetJet<double>> functions) const;
  /// Return the area of a point of an own facet for these places of its nodes, and that to which pressures refer.
  double area(std::size_t facet, std::size_t point, const Values& places) const;
  double pressed_area(std::size_t facet, std::size_t point) const {
    return area(facet, point, layers_[facet].deforms ? places_ : X_);
  }
  /// Returns the speed at which nodes of the faces move relative to their mean, and the distance that the two sides can
  /// be sure to have. Collective.
  std::pair<double, double> speed_and_distance(const Values& v) const;

  /// Bodies that rest on each other without pressure touch: see ObstacleContact.
  static constexpr double at_rest = 1e-9;
  // Distances of a search, as parts of a facet's size: the box of a facet is larger by `skin`; nodes may move by
  // `slack` from the common motion before the next search; gaps are known up to `sight` times the sizes of both.
  static constexpr double skin = 1, slack = 0.25, sight = 0.75;

  ContactFacets facets_;
  Vec3 origin_{};  // at the faces: places relative to it do not round with the position of the body
  std::vector<Layer> layers_;
  std::vector<Borders> borders_;
  std::vector<Vec3> node_stiffness_;  // c M / h of owned nodes, in the first component
  std::vector<double> sizes_;         // of own facets: diameters of balls around their nodes
  double largest_ = 0;                // of these, on any rank
  /// Of the points of own facets: k, and the undeformed area.
  struct PointData {
    double stiffness, area;
  };
  std::vector<std::vector<PointData>> points_;  // [facet][point]
  std::vector<std::vector<double>> overlaps_;   // g_0 of these points, if overlaps are removed
  // Of the last search; all but the candidates for the known facets and their nodes:
  std::shared_ptr<const FacetSearch> search_;
  FacetNodes known_;
  std::vector<std::vector<std::size_t>> candidates_;  // for each own facet
  std::vector<Layer> known_layers_;
  std::vector<double> known_sizes_;
  std::vector<Sides> known_sides_;
  std::vector<Borders> known_borders_;
  Values X_, at_search_;
  std::vector<double> k_;
  // Friction in statics: displacements at the beginning of the load step, the places of the known nodes then, and the
  // points of own facets.
  petsc::Handle<Vec> q_at_start_;
  Values at_start_;
  std::vector<std::vector<Slip>> slips_;
  // At the last state:
  Values places_;
  std::vector<Vec3> modes_;  // [facet][mode]
  std::vector<Cover> covers_;
  std::optional<std::vector<Near>> near_points_;
  /// What points in contact depend on besides the places.
  struct Motion {
    bool moves = false;
    PetscReal slip_speed = 0;
    Values v = {};
    bool operator==(const Motion&) const = default;
  };
  Motion motion_;
  std::shared_ptr<const std::vector<Touch>> touches_;
  /// A point with the symmetric positive parts of the tangent that was last given to the levels, times its area.
  struct Linearized {
    std::size_t facet = 0, point = 0, partner = 0;
    FacetPlace place;
    Block q{}, v{};
  };
  std::vector<Linearized> linearized_;
  std::shared_ptr<const FacetSearch> linearized_search_;  // to which their facets refer
  std::vector<double> now_, built_;  // traces of the parts q by own facet: of linearized_, and at levels_were_built()
};

}  // namespace gearshift::solid
