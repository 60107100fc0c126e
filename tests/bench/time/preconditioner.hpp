#pragma once

#include "problem.hpp"

#include <petscpc.h>

#include <cmath>

namespace bench {

/// P = M - fq F_q - fv F_v, N by N, and its factorisation: the preconditioner of all peers. LU, or the
/// problem's choice; options -p_pc_*.
class Preconditioner {
 public:
  explicit Preconditioner(Problem& problem);
  void build(Vec q, Vec v, double fq, double fv);
  void apply(Vec r, Vec x);
  double factor_nonzeros() const;

 private:
  Problem& problem_;
  Handle<Mat> matrix_;
  Handle<PC> pc_;
};

/// Returns the nonzeros of the factor of a factorising preconditioner; 0 for others.
double factor_nonzeros(PC pc);

/// The rule for rebuilding, for integrators without their own rule. As in CVODE: after a change of the step's
/// coefficient gamma by more than 30 %, after 20 solves (option -rebuild_age), and after a failure.
class RebuildRule {
 public:
  RebuildRule() { check(PetscOptionsGetInt(nullptr, nullptr, "-rebuild_age", &max_, nullptr)); }
  bool due(double gamma) const { return failed_ || gamma_ <= 0 || std::abs(gamma / gamma_ - 1) > 0.3 || age_ >= max_; }
  void built(double gamma) {
    gamma_ = gamma;
    age_ = 0;
    failed_ = false;
  }
  void used() { ++age_; }
  void failed() { failed_ = true; }

 private:
  double gamma_ = 0;
  PetscInt age_ = 0, max_ = 20;
  bool failed_ = false;
};

}  // namespace bench
