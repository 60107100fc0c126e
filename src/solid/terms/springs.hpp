#pragma once

/// @file
/// Springs and dashpots between a face and the ground.

#include "solid/material/material_table.hpp"
#include "solid/operator/term.hpp"
#include "solid/terms/surface.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// Per reference area, with N the outward normal of the undeformed face:
///     R += int (kn N N' + kt (1 - N N')) u . phi + int (cn N N' + ct (1 - N N')) v . phi
/// Symmetric; linear in u and v.
class Springs : public Term {
 public:
  /// Normal and tangential coefficients.
  struct Pair {
    PetscReal normal = 0, tangential = 0;
  };

  /// A foundation, k [force/length^3].
  static std::unique_ptr<Springs> foundation(const Space& space, std::string_view face, Pair k);
  /// Dashpots, c [force time/length^3].
  static std::unique_ptr<Springs> dashpots(const Space& space, std::string_view face, Pair c);
  /// Dashpots that absorb plane waves of the material, exactly if they arrive along the normal: cn = rho c_p, ct = rho
  /// c_s with the speeds of pressure and shear waves at small strains. (J. Lysmer, R.L. Kuhlemeyer, Finite dynamic
  /// model for infinite media, J. Eng. Mech. Div. ASCE 95, 1969.)
  static std::unique_ptr<Springs> absorbing(const Space& space, std::string_view face, const MaterialTable& material);

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  void add_energy(TermPoint& x, Energy& energy) override;
  std::vector<std::string> faces() const override { return {surface_.name()}; }
  std::unique_ptr<LevelTerm> on(const Space& level) const override;
  double bytes() const override;
  double level_bytes(int degree) const override;

 private:
  class Tangent;
  class Level;
  using Block = NodeBlocks::Block;
  Springs(const Space& space, std::string_view face, bool rates) : surface_(space, face), rates_(rates) {}
  template <class Of>
  void fill(Of&& pair_of_cell);
  /// sum += factor int D x . phi
  void add(double factor, const NodalValues& x, NodalSum& sum) const;
  /// The shift that multiplies the springs.
  PetscReal shift(Shifts s) const { return rates_ ? s.v : s.q; }

  Surface surface_;
  bool rates_;                 // dashpots
  std::vector<Pair> of_cell_;  // of each facet
  std::vector<Block> blocks_;  // of each point, times its area
};

}  // namespace gearshift::solid
