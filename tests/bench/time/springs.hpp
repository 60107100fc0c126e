#pragma once

#include "problem.hpp"

#include <array>
#include <vector>

namespace bench {

/// Point masses connected by springs with dashpots along them, at large displacements q, under gravity along -y:
///
///     force on a mass = sum over its springs of  k ((l - l0) / l + damping D.D' / l^2) D,  D from it to the other end.
///
/// Derived problems only define which masses are connected.
class Springs : public Problem {
 public:
  bool symmetric() const override { return damping_ == 0; }
  void initial(Vec q, Vec v) const override;

 protected:
  using Direction = std::array<double, 3>;

  /// A kind of spring: the vector at rest from a mass to its other end.
  struct Kind {
    Direction offset{};
    double stiffness = 1;
    double length = 1;
  };

  /// One spring seen from one of its masses.
  struct Joint {
    PetscInt row;    ///< the owned mass, counted from this rank's first
    PetscInt self;   ///< the same mass in the ghosted numbering
    PetscInt other;  ///< the other end in the ghosted numbering, or held
    int kind;
  };
  static constexpr PetscInt held = -1;  ///< an end that is fixed

  /// Gravity does not act on masses without a joint (held ones).
  Springs(Handle<DM> dm, double mass_of_node, double gravity, double damping);

  PetscInt dimension_;
  std::vector<Kind> kinds_;
  std::vector<Joint> joints_;

 private:
  struct Stretch;
  /// Returns the relative displacement (or velocity) of the other end.
  Direction relative(const ReadView& ghosted, const Joint& joint) const;
  Stretch stretch(const ReadView& q, const ReadView& v, const Joint& joint) const;

  void compute_force(double t, Vec q, Vec v, Vec f) override;
  void compute_product(Vec q, Vec v, double fq, Vec x, double fv, Vec z, Vec y) override;
  void fill(Vec q, Vec v, double fm, double fq, double fv, Mat P) override;

  double mass_of_node_, gravity_, damping_;
};

}  // namespace bench
