#include "app/analyses/equilibrium_check.hpp"

#include "app/results/greatest.hpp"
#include "petsc/queries.hpp"
#include "solid/material/registered_laws.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace gearshift::app {
namespace {

/// Returns F = I + H.
Eigen::Matrix3d gradient(const solid::PointState& point) {
  return Eigen::Matrix3d::Identity() +
         Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(point.gradient.data());
}

/// Returns the cosine of the angle by which the rotation of F turns. The rotation is the limit of R <- (R + R^-T) / 2
/// (N. Higham, SIAM J. Sci. Stat. Comput. 7, 1986).
double cosine_of_turn(const Eigen::Matrix3d& F) {
  Eigen::Matrix3d R = F;
  for (PetscReal change = 1; change > 1e-3;) {
    const Eigen::Matrix3d next = (R + R.inverse().transpose()) / 2;
    change = (next - R).norm();
    R = next;
  }
  return (R.trace() - 1) / 2;
}

/// After more Newton iterations than these the path to the equilibrium may have led anywhere: images of equilibria were
/// found after 33 iterations and more. A body that turns far on its way is then computed by shorter load steps.
constexpr PetscInt direct_iterations = 20;

}  // namespace

EquilibriumCheck::EquilibriumCheck(const solid::Body& body, bool keep_unstable)
    : body_(body), keep_unstable_(keep_unstable), friction_(body.has_friction()) {
  const std::vector<solid::Material> used = body.materials();
  softens_ = petsc::any(body.space().comm(), std::any_of(used.begin(), used.end(), [](const solid::Material& m) {
                          return std::isfinite(solid::softening_volume(m));
                        }));
}

Refusal EquilibriumCheck::look_at_volumes(const State& x) const {
  // Volumes as fractions of the volume beyond which the law of the cell softens.
  std::vector<double> parts;
  std::vector<PetscInt> cells;
  body_.visit_points(x, [&](PetscInt cell, std::span<const solid::PointState> points) {
    double most = 0;
    for (const solid::PointState& point : points) most = std::max(most, gradient(point).determinant());
    parts.push_back(most / solid::softening_volume(body_.material(cell)));
    cells.push_back(cell);
  });
  const MPI_Comm comm = body_.space().comm();
  const auto most = greatest(comm, parts);
  if (!most || !(most->value > 1)) return {};
  int law = 0;
  PetscReal limit = 0;
  if (petsc::rank_of(comm) == most->rank) {
    const solid::Material& material = body_.material(cells[most->at]);
    law = static_cast<int>(material.law);
    limit = solid::softening_volume(material);
  }
  MPI_Bcast(&law, 1, MPI_INT, most->rank, comm);
  MPI_Bcast(&limit, 1, MPIU_REAL, most->rank, comm);
  const auto of = static_cast<solid::Law>(law);
  const bool chooses = solid::has_volumetric(of);
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "a cell grows to %.3g times its original volume, and the law %s%s softens beyond %.3g",
                most->value * limit, solid::name_of(of), chooses ? " with -volumetric log2" : "", limit);
  return {.word = "a volume at which the law softens",
          .reason = text.data(),
          .advice = chooses ? "give -volumetric simo or quadratic, a larger bulk modulus, or smaller loads"
                            : "give smaller loads"};
}

/// The image of an equilibrium in two planes of symmetry, a turn by 180 degrees, is an equilibrium, too, but no slowly
/// growing load leads there.
Refusal EquilibriumCheck::look_at_turns(const State& before, const State& x) const {
  std::vector<Eigen::Matrix3d> inverse;  // of F before, at all points
  body_.visit_points(before, [&](PetscInt, std::span<const solid::PointState> points) {
    for (const solid::PointState& point : points) inverse.push_back(gradient(point).inverse());
  });
  auto former = inverse.begin();
  double smallest = 1;
  body_.visit_points(x, [&](PetscInt, std::span<const solid::PointState> points) {
    for (const solid::PointState& point : points)
      smallest = std::min(smallest, cosine_of_turn(gradient(point) * *former++));
  });
  if (!(petsc::reduced(body_.space().comm(), MPI_MIN, smallest) < 0)) return {};
  return {.word = "a jump to another branch",
          .reason =
              "a cell has turned by more than a right angle after many Newton iterations: the body has probably "
              "jumped to another branch of equilibria",
          .advice = "give more load steps (-load_steps) or compute the motion instead"};
}

Refusal EquilibriumCheck::look(const State& before, const State& x, const StepReport& report, bool wary) const {
  if (softens_)
    if (Refusal refusal = look_at_volumes(x)) return refusal;
  if (report.unstable && !keep_unstable_)
    return {.word = "an unstable equilibrium", .reason = buckles, .advice = buckles_advice, .unstable = true};
  const bool guessed = report.reference_residual > 0;
  // Where points begin to slide, the path of the body has a kink that the tangents at both ends do not show.
  if (!friction_ && report.jump > (wary || guessed ? 2 : 4))
    return {.word = "a jump to another branch",
            .reason = "the body has jumped to another branch of equilibria: it snaps through, or its law softens",
            .advice = "compute the motion instead, or prescribe displacements instead of forces"};
  if (report.newton_iterations > direct_iterations) return look_at_turns(before, x);
  return {};
}

}  // namespace gearshift::app
