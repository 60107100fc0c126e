#pragma once

/// @file
/// The forces between faces of the mesh that touch.

#include "solid/terms/contact/contact_term.hpp"
#include "solid/terms/contact/pair/near_facets.hpp"
#include "solid/terms/contact/pair/pair_force.hpp"

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
/// with the gap g from the closest point of the other side. The tangent is exact up to terms of the order of g^2; it is
/// unsymmetric with friction or viscosity. Where an iteration of Newton's method presses facets into each other by more
/// than any equilibrium, it leaves out the turning of the normals, which would make it indefinite.
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
  using Values = NearFacets::Values;

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
  void measure(const MaterialTable& materials);
  /// Fetches what depends on the search of the facets. Collective.
  void follow_search();
  /// Returns the points in contact; they are kept for the next call at the same state. Collective.
  std::shared_ptr<const std::vector<Touch>> touching(TermPoint& x);
  std::optional<Touch> touch(const Near& near) const;
  void set_rates(Touch& touch, const Values& v) const;
  void set_way(Touch& touch) const;
  void add_forces(TermPoint& x, SharedSum& r, bool on_first_side);
  /// Returns the area of a point of an own facet to which pressures refer.
  double pressed_area(std::size_t facet, std::size_t point) const;

  ContactFacets facets_;
  std::vector<Layer> layers_;
  std::vector<Vec3> node_stiffness_;  // c M / h of owned nodes, in the first component
  std::unique_ptr<NearFacets> near_;
  /// A point of an own facet: k, and the undeformed area.
  struct PointData {
    double stiffness, area;
  };
  std::vector<std::vector<PointData>> points_;  // [facet][point]
  std::shared_ptr<const FacetSearch> search_;   // to which these refer:
  std::vector<double> k_;                       // of the known nodes
  /// Friction in statics: the beginning of the load step.
  struct Start {
    petsc::Handle<Vec> q;
    Values places;                         // of the known nodes
    std::vector<std::vector<Slip>> slips;  // [facet][point]
  } start_;
  /// What points in contact depend on in addition to places.
  struct Motion {
    std::size_t state = 0;  // of the places
    bool moves = false;
    PetscReal slip_speed = 0;
    Values v = {};
    bool operator==(const Motion&) const = default;
  };
  Motion motion_;
  std::shared_ptr<const std::vector<Touch>> touches_;
  /// A point with the symmetric positive parts of the tangent that was last given to the levels, times its area.
  struct Linearized {
    std::size_t facet, point, partner;
    FacetPlace place;
    Block q{}, v{};
  };
  struct Levels {
    std::vector<Linearized> points;
    std::shared_ptr<const FacetSearch> search;  // to which their facets refer
    std::vector<double> now, built;  // traces of the parts q by own facet: of `points`, and at levels_were_built()
  } levels_;
};

}  // namespace gearshift::solid
