#pragma once

/// @file
/// Helpers shared by the tests of solid.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/body.hpp>

#include <gtest/gtest.h>
#include <petscsnes.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::solid::test {

using petsc::check;
using petsc::Handle;

/// Sets options during its lifetime. Something must read the solver options: an unused tolerance tests nothing.
class Options {
 public:
  explicit Options(std::vector<std::pair<std::string, std::string>> list) : list_(std::move(list)) {
    for (const auto& [key, value] : list_) check(PetscOptionsSetValue(nullptr, key.c_str(), value.c_str()));
  }
  ~Options() {
    for (const auto& [key, value] : list_) {
      PetscBool read = PETSC_TRUE;
      if (key.rfind("-ksp_", 0) == 0 || key.rfind("-snes_", 0) == 0)
        (void)!PetscOptionsUsed(nullptr, key.c_str() + 1, &read);
      EXPECT_TRUE(read) << "nothing has read " << key << " " << value;
      (void)!PetscOptionsClearValue(nullptr, key.c_str());
    }
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

 private:
  std::vector<std::pair<std::string, std::string>> list_;
};

inline Mesh box(const std::string& faces, const std::string& upper = "1,1,1", const std::string& lower = "0,0,0") {
  const Options options({{"-dm_plex_box_faces", faces}, {"-dm_plex_box_upper", upper}, {"-dm_plex_box_lower", lower}});
  return Mesh::from_options(PETSC_COMM_WORLD);
}

/// Returns the same box in tetrahedra, six per hexahedron.
inline Mesh tetrahedra(const std::string& faces, const std::string& upper = "1,1,1") {
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-dm_plex_simplex", "1"}});
  return box(faces, upper);
}

inline Mesh file(const std::string& name) {
  const Options options(std::vector<std::pair<std::string, std::string>>{
      {"-dm_plex_filename", std::string(GEARSHIFT_TEST_DATA) + "/" + name}});
  return Mesh::from_options(PETSC_COMM_WORLD);
}

/// Moves the vertices of a straight mesh by a smooth map that depends on the position only.
inline void distort(const Mesh& mesh, PetscReal amount) {
  Vec coordinates = nullptr;
  check(DMGetCoordinatesLocal(mesh.dm(), &coordinates));
  {
    petsc::WriteView x(coordinates);
    for (std::size_t i = 0; i + 2 < x.size(); i += 3) {
      const PetscReal a = x[i], b = x[i + 1], c = x[i + 2];
      x[i] += amount * std::sin(2 * b + 3 * c + a);
      x[i + 1] += amount * std::cos(3 * a - 2 * c);
      x[i + 2] += amount * std::sin(4 * a * b + c);
    }
  }
  check(DMSetCoordinatesLocal(mesh.dm(), coordinates));
}

/// Adds a label to the cells of this rank whose centres satisfy `holds`.
template <class Holds>
void mark(const Mesh& mesh, const char* name, Holds&& holds) {
  PetscInt first = 0, last = 0;
  check(DMCreateLabel(mesh.dm(), name));
  check(DMPlexGetHeightStratum(mesh.dm(), 0, &first, &last));
  for (PetscInt cell = first; cell < last; ++cell) {
    PetscReal volume = 0, centre[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    check(DMPlexComputeCellGeometryFVM(mesh.dm(), cell, &volume, centre, normal));
    if (holds(Vec3{centre[0], centre[1], centre[2]})) check(DMSetLabelValue(mesh.dm(), name, cell, 1));
  }
}

inline Material material(Law law) {
  return {.law = law, .E = 2.6, .nu = 0.3, .rho = 1.7, .mu1 = 0.7, .mu2 = 0.3, .bulk = 3.0};
}
constexpr Law laws[] = {Law::linear_elastic, Law::st_venant_kirchhoff, Law::neo_hookean, Law::mooney_rivlin};

inline Handle<Vec> vector(const Body& body) {
  Handle<Vec> result;
  check(VecDuplicate(body.layout(), result.out()));
  check(VecZeroEntries(result.get()));
  return result;
}

inline Handle<Vec> vector(const Body& body, const std::function<Vec3(const Vec3&)>& field) {
  auto result = vector(body);
  body.interpolate([&](PetscReal, const Vec3& X) { return field(X); }, 0, result.get());
  return result;
}

inline PetscReal inner(Vec a, Vec b) {
  PetscScalar value = 0;
  check(VecDot(a, b, &value));
  return value;
}

inline PetscReal norm(Vec a) {
  PetscReal value = 0;
  check(VecNorm(a, NORM_2, &value));
  return value;
}

inline PetscReal biggest(Vec a) {
  PetscReal value = 0;
  check(VecNorm(a, NORM_INFINITY, &value));
  return value;
}

/// A smooth displacement of moderate size.
inline Vec3 wavy(const Vec3& X) {
  return {0.05 * std::sin(1.3 * X[0] + 0.4 * X[1]) + 0.02 * X[2] * X[1], 0.04 * std::cos(0.9 * X[1] - X[2]) * X[0],
          0.03 * std::sin(X[0] * X[2] + 0.5)};
}
inline Vec3 ripple(const Vec3& X) {
  return {std::sin(2.1 * X[0] - X[1] + 0.3), std::cos(1.7 * X[1] + X[2] * X[0]), std::sin(2.9 * X[2] + X[1]) - 0.2};
}

/// One of the six rigid motions of the body deformed by `deformed`: three translations, then rotations about the axes.
template <class Field>
Handle<Vec> rigid_motion(const Body& body, Field&& deformed, std::size_t mode) {
  return vector(body, [&](const Vec3& X) {
    const Vec3 u = deformed(X), x{X[0] + u[0], X[1] + u[1], X[2] + u[2]};
    Vec3 value{};
    if (mode < 3) {
      value[mode] = 1;
    } else {
      value[(mode + 1) % 3] = -x[(mode + 2) % 3];
      value[(mode + 2) % 3] = x[(mode + 1) % 3];
    }
    return value;
  });
}

/// Advances (y, z)' = rates(x, y, z) by a step of size h of the classical Runge-Kutta method.
template <class Rates>
void runge_kutta(Rates&& rates, PetscReal x, PetscReal h, PetscReal& y, PetscReal& z) {
  const auto [a1, b1] = rates(x, y, z);
  const auto [a2, b2] = rates(x + h / 2, y + h / 2 * a1, z + h / 2 * b1);
  const auto [a3, b3] = rates(x + h / 2, y + h / 2 * a2, z + h / 2 * b2);
  const auto [a4, b4] = rates(x + h, y + h * a3, z + h * b3);
  y += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  z += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
}

/// Returns the type of the preconditioner that a solver uses.
inline std::string preconditioner_of(SNES snes) {
  KSP ksp = nullptr;
  PC pc = nullptr;
  PCType type = nullptr;
  check(SNESGetKSP(snes, &ksp));
  check(KSPGetPC(ksp, &pc));
  check(PCGetType(pc, &type));
  return type;
}

/// The tangent of a body with its supports as a MATSHELL, and the KSP that Body::configure sets up for it.
class LinearProblem {
 public:
  explicit LinearProblem(Body& body) : body_(body), tangent_(body.make_linearization()), work_(vector(body)) {
    PetscInt size = 0;
    check(VecGetLocalSize(body.layout(), &size));
    check(MatCreateShell(PETSC_COMM_WORLD, size, size, PETSC_DETERMINE, PETSC_DETERMINE, this, shell_.out()));
    const auto multiply = [](Mat A, Vec in, Vec out) -> PetscErrorCode {
      LinearProblem* self = nullptr;
      PetscCall(MatShellGetContext(A, &self));
      PetscCallCXX(self->multiply(in, out));
      return gearshift::petsc::success;
    };
    const auto diagonal = [](Mat A, Vec out) -> PetscErrorCode {
      LinearProblem* self = nullptr;
      PetscCall(MatShellGetContext(A, &self));
      PetscCallCXX(self->tangent_->diagonal(self->shifts_, out));
      PetscCallCXX(self->mask(out, 1.0));
      return gearshift::petsc::success;
    };
    check(MatShellSetOperation(shell_.get(), MATOP_MULT,
                               reinterpret_cast<void (*)()>(static_cast<PetscErrorCode (*)(Mat, Vec, Vec)>(multiply))));
    check(MatShellSetOperation(shell_.get(), MATOP_GET_DIAGONAL,
                               reinterpret_cast<void (*)()>(static_cast<PetscErrorCode (*)(Mat, Vec)>(diagonal))));
    matrix_ = Handle<Mat>::adopt(body.create_preconditioner_matrix());
    check(SNESCreate(PETSC_COMM_WORLD, snes_.out()));
    body.configure(snes_.get());
    check(SNESGetKSP(snes_.get(), &ksp_));
    check(KSPSetFromOptions(ksp_));
    check(KSPSetOperators(ksp_, shell_.get(), matrix_ ? matrix_.get() : shell_.get()));
  }

  void update(Vec q, Shifts s, const InternalState& internal = {}) {
    State x;
    x.q = q;
    x.internal = internal;
    tangent_->update(x);
    shifts_ = s;
    check(MatAssemblyBegin(shell_.get(), MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(shell_.get(), MAT_FINAL_ASSEMBLY));
    if (matrix_) tangent_->assemble(s, matrix_.get());
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc));
    body_.update_preconditioner(*tangent_, s, pc);
  }

  /// Solves and returns the iterations, negative if it did not converge.
  PetscInt solve(Vec rhs, Vec x, PetscReal rtol) {
    check(KSPSetTolerances(ksp_, rtol, 1e-50, PETSC_DEFAULT, 500));
    check(KSPSolve(ksp_, rhs, x));
    PetscInt iterations = 0;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    check(KSPGetIterationNumber(ksp_, &iterations));
    check(KSPGetConvergedReason(ksp_, &reason));
    return reason > 0 ? iterations : -iterations - 1;
  }

  void mask(Vec x, PetscReal value) const {
    const PetscInt* indices = nullptr;
    PetscInt size = 0, first = 0;
    check(ISGetLocalSize(body_.constrained(), &size));
    check(ISGetIndices(body_.constrained(), &indices));
    check(VecGetOwnershipRange(x, &first, nullptr));
    {
      petsc::WriteView values(x);
      for (PetscInt i = 0; i < size; ++i) values[static_cast<std::size_t>(indices[i] - first)] = value;
    }
    check(ISRestoreIndices(body_.constrained(), &indices));
  }

  Linearization& tangent() { return *tangent_; }
  KSP ksp() const { return ksp_; }
  Mat shell() const { return shell_.get(); }

 private:
  void multiply(Vec in, Vec out) {
    check(VecCopy(in, work_.get()));
    mask(work_.get(), 0);
    tangent_->apply(shifts_, work_.get(), out);
    // Identity on constrained entries.
    const PetscInt* indices = nullptr;
    PetscInt size = 0, first = 0;
    check(ISGetLocalSize(body_.constrained(), &size));
    check(ISGetIndices(body_.constrained(), &indices));
    check(VecGetOwnershipRange(in, &first, nullptr));
    {
      const petsc::ReadView source(in);
      petsc::WriteView values(out);
      for (PetscInt i = 0; i < size; ++i)
        values[static_cast<std::size_t>(indices[i] - first)] = source[static_cast<std::size_t>(indices[i] - first)];
    }
    check(ISRestoreIndices(body_.constrained(), &indices));
  }

  Body& body_;
  std::unique_ptr<Linearization> tangent_;
  Shifts shifts_;
  Handle<Vec> work_;
  Handle<Mat> shell_, matrix_;
  Handle<SNES> snes_;
  KSP ksp_ = nullptr;
};

/// Newton's method for R(t, q, 0, 0) = 0, starting from q with prescribed entries set; returns the norms of the free
/// residuals, including the initial one.
inline std::vector<PetscReal> newton(Body& body, PetscReal t, Vec q, PetscReal rtol, PetscReal linear_rtol = 1e-12,
                                     int max_iterations = 20) {
  LinearProblem problem(body);
  auto r = vector(body), d = vector(body), zero = vector(body), unused = vector(body);
  body.prescribe(t, q, zero.get(), unused.get());
  check(VecZeroEntries(zero.get()));
  std::vector<PetscReal> norms;
  for (int iteration = 0; iteration <= max_iterations; ++iteration) {
    State x{t, q, zero.get(), zero.get()};
    body.residual(x, r.get());
    problem.mask(r.get(), 0);
    norms.push_back(norm(r.get()));
    if (norms.back() <= rtol * norms.front() || iteration == max_iterations) break;
    problem.update(q, {1, 0, 0});
    problem.solve(r.get(), d.get(), linear_rtol);
    check(VecAXPY(q, -1, d.get()));
  }
  return norms;
}

}  // namespace gearshift::solid::test
