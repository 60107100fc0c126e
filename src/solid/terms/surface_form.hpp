#pragma once

/// @file
/// Springs and dashpots between a face and the ground, and masses on a face.

#include "solid/material/material_table.hpp"
#include "solid/operator/term/term.hpp"
#include "solid/terms/surface.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// Per reference area, with N the outward normal of the undeformed face:
///     R += int (kn N N' + kt (1 - N N')) u . phi + int (cn N N' + ct (1 - N N')) v . phi + int m/A a . phi
/// The term is symmetric, and linear in u, v and a.
class SurfaceForm : public Term {
 public:
  /// Normal and tangential coefficients.
  struct Pair {
    PetscReal normal = 0, tangential = 0;
  };

  /// Creates a foundation with the stiffnesses k [force/length^3].
  static std::unique_ptr<SurfaceForm> foundation(const Space& space, std::string_view face, Pair k);
  /// Creates dashpots with the coefficients c [force time/length^3].
  static std::unique_ptr<SurfaceForm> dashpots(const Space& space, std::string_view face, Pair c);
  /// Creates an absorbing boundary: dashpots that absorb plane waves of the material, exactly if they arrive along the
  /// normal: cn = rho c_p, ct = rho c_s with the speeds of pressure and shear waves at small strains. (J. Lysmer, R.L.
  /// Kuhlemeyer, Finite dynamic model for infinite media, J. Eng. Mech. Div. ASCE 95, 1969.)
  static std::unique_ptr<SurfaceForm> absorbing(const Space& space, std::string_view face,
                                                const MaterialTable& material);

  /// Creates a mass m distributed uniformly over the area A of the face. Collective.
  static std::unique_ptr<SurfaceForm> mass(const Space& space, std::string_view face, PetscReal m);

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  void add_energy(TermPoint& x, Energy& energy) override;
  void add_momentum(TermPoint& x, SharedSum& p) override;
  std::vector<std::string> faces() const override {
    return acts_on_ == Acts::a ? std::vector<std::string>{} : std::vector{surface_.name()};
  }
  std::unique_ptr<LevelTerm> on(const Space& level) const override;
  double bytes() const override;
  double level_bytes(int degree) const override;

 private:
  class Tangent;
  class Level;
  using Block = NodeBlocks::Block;
  /// The quantity to which the forces are proportional.
  enum class Acts { q, v, a };
  SurfaceForm(const Space& space, std::string_view face, Acts on) : surface_(space, face), acts_on_(on) {}
  template <class Of>
  void fill(Of&& pair_of_cell);
  /// Adds factor int D x . phi to sum.
  void add(double factor, const NodalValues& x, NodalSum& sum) const;
  /// Returns the shift that multiplies this term.
  PetscReal shift(Shifts s) const { return acts_on_ == Acts::q ? s.q : acts_on_ == Acts::v ? s.v : s.a; }

  Surface surface_;
  Acts acts_on_;
  std::vector<Pair> of_cell_;  // of each facet
  std::vector<Block> blocks_;  // of each point, multiplied by its area
};

}  // namespace gearshift::solid
