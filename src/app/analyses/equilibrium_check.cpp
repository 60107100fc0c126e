#include "app/analyses/equilibrium_check.hpp"

#include "app/results/greatest.hpp"
#include "petsc/queries.hpp"
#include "solid/material/registered_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace gearshift::app {
namespace {

/// det (I + H)
double volume(const std::array<double, 9>& H) {
  const std::array<double, 9> F{1 + H[0], H[1], H[2], H[3], 1 + H[4], H[5], H[6], H[7], 1 + H[8]};
  return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
}

}  // namespace

EquilibriumCheck::EquilibriumCheck(const solid::Body& body, bool keep_unstable)
    : body_(body), keep_unstable_(keep_unstable) {
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
    for (const solid::PointState& point : points) most = std::max(most, volume(point.gradient));
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

Refusal EquilibriumCheck::look(const State& x, const StepReport& report, bool wary) const {
  if (softens_)
    if (Refusal refusal = look_at_volumes(x)) return refusal;
  if (report.unstable && !keep_unstable_)
    return {.word = "an unstable equilibrium", .reason = buckles, .advice = buckles_advice, .unstable = true};
  const bool guessed = report.reference_residual > 0;
  if (report.jump > (wary || guessed ? 2 : 4))
    return {.word = "a jump to another branch",
            .reason = "the body has jumped to another branch of equilibria: it snaps through, or its law softens",
            .advice = "compute the motion instead, or prescribe displacements instead of forces"};
  return {};
}

}  // namespace gearshift::app
