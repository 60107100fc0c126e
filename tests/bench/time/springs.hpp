#pragma once

#include "problem.hpp"

#include <array>
#include <vector>

namespace bench {

/// Point masses joined by springs with dashpots along them, at large displacements q, under gravity along -y:
///
///     force on a mass = sum over its springs of  k ((l - l0) / l + damping D.D' / l^2) D,  D from it to the other end.
///
/// The problems derived from it only say who is joined to whom.
class Springs : public Problem {
 public:
  bool symmetric() const override { return damping_ == 0; }
  void initial(Vec q, Vec v) const override;

 protected:
  using Direction = std::array<double, 3>;

  /// A kind of spring: from a mass to its other end when at rest.
  struct Kind {
    Direction offset{};
    double stiffness = 1;
    double length = 1;
  };

  /// One spring as one of its masses sees it.
  struct Joint {
    PetscInt row;    ///< the owned mass, counted from this rank's first
    PetscInt self;   ///< the same mass in the ghosted numbering
    PetscInt other;  ///< the other end in the ghosted numbering, or held
    int kind;
  };
  static constexpr PetscInt held = -1;  ///< an end that does not move

  /// Masses that gravity does not move (held ones) are those without a joint.
  Springs(Handle<DM> dm, double mass_of_node, double gravity, double damping);

  PetscInt dimension_;
  std::vector<Kind> kinds_;
  std::vector<Joint> joints_;

 private:
  struct Stretch;
  /// The relative displacement (or velocity) of the other end.
  Direction relative(const ReadView& ghosted, const Joint& joint) const;
  Stretch stretch(const ReadView& q, const ReadView& v, const Joint& joint) const;

  void compute_force(double t, Vec q, Vec v, Vec f) override;
  void compute_product(Vec q, Vec v, double fq, Vec x, double fv, Vec z, Vec y) override;
  void fill(Vec q, Vec v, double fm, double fq, double fv, Mat P) override;

  double mass_of_node_, gravity_, damping_;
};

}  // namespace bench
