#pragma once

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include <petscdmda.h>

#include <functional>
#include <string>

/// The work-precision benchmark of time integrators.
namespace bench {

using gearshift::petsc::check;
using gearshift::petsc::Handle;
using gearshift::petsc::ReadView;
using gearshift::petsc::WriteView;

/// The work of an integrator; each count is a loop over the whole body, or a solve with the whole factor.
struct Counts {
  long forces = 0;        ///< F(q, v)
  long products = 0;      ///< tangent products; F_q and F_v in the same loop count once
  long builds = 0;        ///< preconditioners assembled and factorised
  long applications = 0;  ///< preconditioner solves
  long eliminations = 0;  ///< products with only F_q, used by a 2N form inside its preconditioner
  double flops = 0;       ///< of forces, products, eliminations and assembly: the user's part of the work
};

/// M v' = F(t, q, v), q' = v with a constant diagonal mass M, from a given state at t = 0 to t = end.
///
/// All functions available to an integrator are here, and are counted. The derivatives of F do not depend on time.
/// Every call is collective on PETSC_COMM_WORLD; input and output Vecs are different.
class Problem {
 public:
  virtual ~Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  DM dm() const { return dm_.get(); }
  Vec mass() const { return mass_.get(); }
  Handle<Vec> vector() const;
  PetscInt size() const;

  /// Returns true if F_q and F_v are symmetric everywhere.
  virtual bool symmetric() const = 0;
  virtual void initial(Vec q, Vec v) const = 0;

  /// Computes f = F(t, q, v) [force].
  void force(double t, Vec q, Vec v, Vec f);

  /// Computes y = fq F_q x + fv F_v z in one loop; x and z may be the same Vec.
  void product(Vec q, Vec v, double fq, Vec x, double fv, Vec z, Vec y);

  /// Computes y = fq F_q x, counted as an elimination.
  void elimination(Vec q, Vec v, double fq, Vec x, Vec y);

  /// Assembles P = fm M - fq F_q - fv F_v.
  void assemble(Vec q, Vec v, double fm, double fq, double fv, Mat P);
  Handle<Mat> matrix() const;

  std::string name;
  std::string pc_type = "lu";  ///< type of the common preconditioner, built from P
  double end = 1;              ///< [time]
  double scale_q = 1;          ///< size of q: absolute tolerances are tol scale_q [length]
  double scale_v = 1;          ///< size of v [length/time]
  Counts counts;

 protected:
  Problem() = default;

  /// Must be called once by the constructors of problems.
  void use(Handle<DM> dm);

  virtual void compute_force(double t, Vec q, Vec v, Vec f) = 0;
  virtual void compute_product(Vec q, Vec v, double fq, Vec x, double fv, Vec z, Vec y) = 0;
  virtual void fill(Vec q, Vec v, double fm, double fq, double fv, Mat P) = 0;

  /// Returns the local Vec number `slot` (0..3) with the owned and ghost entries of x.
  Vec with_ghosts(int slot, Vec x);

 private:
  /// Runs a loop over the body and counts its flops.
  void sweep(const std::function<void()>& body);

  Handle<DM> dm_;
  Handle<Vec> mass_;
  Handle<Vec> local_[4];
};

}  // namespace bench
