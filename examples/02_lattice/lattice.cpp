#include "lattice.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace {

using Node = std::array<PetscScalar, 3>;
using Block = std::array<Node, 3>;
using Field = PetscScalar****;

/// Calls `visit(i, j, k)` for the owned nodes of a DMDA.
template <class Visit>
PetscErrorCode for_owned(DM dm, Visit&& visit) {
  PetscInt x, y, z, nx, ny, nz;
  PetscFunctionBeginUser;
  PetscCall(DMDAGetCorners(dm, &x, &y, &z, &nx, &ny, &nz));
  for (PetscInt k = z; k < z + nz; ++k)
    for (PetscInt j = y; j < y + ny; ++j)
      for (PetscInt i = x; i < x + nx; ++i) visit(i, j, k);
  PetscFunctionReturn(success);
}

/// Calls `visit(i, j, k, rest vector)` for each neighbour that a spring joins to node (i, j, k).
template <class Visit>
void for_neighbours(const LatticeParameters& p, PetscInt i, PetscInt j, PetscInt k, Visit&& visit) {
  for (PetscInt dk = -1; dk <= 1; ++dk)
    for (PetscInt dj = -1; dj <= 1; ++dj)
      for (PetscInt di = -1; di <= 1; ++di) {
        const PetscInt a = i + di, b = j + dj, c = k + dk;
        if ((di == 0 && dj == 0 && dk == 0) || a < 0 || b < 0 || c < 0) continue;
        if (a >= p.nodes[0] || b >= p.nodes[1] || c >= p.nodes[2]) continue;
        const auto h = p.spacing;
        visit(a, b, c,
              Node{h * static_cast<PetscReal>(di), h * static_cast<PetscReal>(dj), h * static_cast<PetscReal>(dk)});
      }
}

PetscReal length(const Node& x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

Node minus(const PetscScalar* to, const PetscScalar* from) {
  return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

/// A spring from a to b in the current configuration.
struct Spring {
  Spring(const Node& rest, const PetscScalar* qa, const PetscScalar* qb) : rest_length(length(rest)), n(minus(qb, qa)) {
    for (int d = 0; d < 3; ++d) n[d] += rest[d];
    now = length(n);
    for (int d = 0; d < 3; ++d) n[d] /= now;
  }
  PetscReal stretch() const { return now - rest_length; }
  /// The tangent stiffness is k (axial n n^T + lateral I), with axial + lateral = 1.
  PetscReal axial() const { return rest_length / now; }
  PetscReal lateral() const { return 1 - rest_length / now; }

  PetscReal rest_length;
  Node n;
  PetscReal now;
};

/// A DMDA vector viewed as a four-dimensional array during the lifetime of the object.
class Array {
 public:
  Array(DM dm, Vec vec, bool write = false) : dm_(dm), vec_(vec), write_(write) {
    (void)!(write_ ? DMDAVecGetArrayDOF(dm_, vec_, &array_) : DMDAVecGetArrayDOFRead(dm_, vec_, &array_));
  }
  ~Array() {
    (void)!(write_ ? DMDAVecRestoreArrayDOF(dm_, vec_, &array_) : DMDAVecRestoreArrayDOFRead(dm_, vec_, &array_));
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  PetscScalar* operator()(PetscInt i, PetscInt j, PetscInt k) const { return static_cast<Field>(array_)[k][j][i]; }

 private:
  DM dm_;
  Vec vec_;
  bool write_;
  void* array_ = nullptr;
};

/// A ghosted copy of a global vector, taken from the DMDA's pool.
class Ghosted {
 public:
  explicit Ghosted(DM dm) : dm_(dm) {}
  ~Ghosted() {
    if (local_) (void)!DMRestoreLocalVector(dm_, &local_);
  }
  Ghosted(const Ghosted&) = delete;
  Ghosted& operator=(const Ghosted&) = delete;
  PetscErrorCode fill(Vec global) {
    PetscFunctionBeginUser;
    PetscCall(DMGetLocalVector(dm_, &local_));
    PetscCall(DMGlobalToLocal(dm_, global, INSERT_VALUES, local_));
    PetscFunctionReturn(success);
  }
  operator Vec() const { return local_; }

 private:
  DM dm_;
  Vec local_ = nullptr;
};

}  // namespace

PetscErrorCode Lattice::create(MPI_Comm comm, const LatticeParameters& parameters) {
  PetscFunctionBeginUser;
  p_ = parameters;
  const PetscInt* n = p_.nodes;
  PetscCall(DMDACreate3d(comm, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX, n[0], n[1], n[2],
                         PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 3, 1, nullptr, nullptr, nullptr, &dm_));
  PetscCall(DMSetFromOptions(dm_));
  PetscCall(DMSetUp(dm_));
  const auto extent = [&](int d) { return p_.spacing * static_cast<PetscReal>(n[d] - 1); };
  PetscCall(DMDASetUniformCoordinates(dm_, 0, extent(0), 0, extent(1), 0, extent(2)));

  // Indices of the entries of the clamped nodes. The owned entries are numbered in the order of for_owned().
  Vec layout;
  PetscInt entry;
  std::vector<PetscInt> entries;
  PetscCall(DMGetGlobalVector(dm_, &layout));
  PetscCall(VecGetOwnershipRange(layout, &entry, nullptr));
  PetscCall(DMRestoreGlobalVector(dm_, &layout));
  PetscCall(for_owned(dm_, [&](PetscInt i, PetscInt, PetscInt) {
    for (int d = 0; d < 3; ++d, ++entry)
      if (i == 0) entries.push_back(entry);
  }));
  PetscCall(ISCreateGeneral(comm, static_cast<PetscInt>(entries.size()), entries.data(), PETSC_COPY_VALUES, &clamped_));
  PetscFunctionReturn(success);
}

PetscErrorCode Lattice::destroy() {
  PetscFunctionBeginUser;
  PetscCall(ISDestroy(&clamped_));
  PetscCall(DMDestroy(&dm_));
  PetscFunctionReturn(success);
}

PetscErrorCode Lattice::residual(Vec q, Vec v, Vec a, Vec r, bool* collapsed) const {
  PetscFunctionBeginUser;
  Ghosted local_q(dm_), local_v(dm_);
  PetscCall(local_q.fill(q));
  PetscCall(local_v.fill(v));
  const Array at(dm_, local_q), rate(dm_, local_v), acceleration(dm_, a), out(dm_, r, true);
  *collapsed = false;
  PetscCall(for_owned(dm_, [&](PetscInt i, PetscInt j, PetscInt k) {
    Node force{0, -p_.mass * p_.gravity, 0};
    for_neighbours(p_, i, j, k, [&](PetscInt ni, PetscInt nj, PetscInt nk, const Node& rest) {
      const Spring spring(rest, at(i, j, k), at(ni, nj, nk));
      const Node dv = minus(rate(ni, nj, nk), rate(i, j, k));
      for (int d = 0; d < 3; ++d) force[d] += p_.stiffness * spring.stretch() * spring.n[d] + p_.damping * dv[d];
      *collapsed = *collapsed || spring.now < 1e-6 * spring.rest_length;
    });
    for (int d = 0; d < 3; ++d) out(i, j, k)[d] = p_.mass * acceleration(i, j, k)[d] - force[d];
  }));
  PetscFunctionReturn(success);
}

PetscErrorCode Lattice::tangent(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Vec in, Vec out) const {
  PetscFunctionBeginUser;
  Ghosted local_in(dm_);
  PetscCall(local_in.fill(in));
  const Array at(dm_, local_q), w(dm_, local_in), y(dm_, out, true);
  const PetscReal stiff = kq * p_.stiffness, damp = kv * p_.damping;
  PetscCall(for_owned(dm_, [&](PetscInt i, PetscInt j, PetscInt k) {
    Node sum{};
    for_neighbours(p_, i, j, k, [&](PetscInt ni, PetscInt nj, PetscInt nk, const Node& rest) {
      const Spring spring(rest, at(i, j, k), at(ni, nj, nk));
      const Node dw = minus(w(ni, nj, nk), w(i, j, k));
      const PetscReal along = spring.axial() * (spring.n[0] * dw[0] + spring.n[1] * dw[1] + spring.n[2] * dw[2]);
      for (int d = 0; d < 3; ++d) sum[d] += stiff * (along * spring.n[d] + spring.lateral() * dw[d]) + damp * dw[d];
    });
    for (int d = 0; d < 3; ++d) y(i, j, k)[d] = ka * p_.mass * w(i, j, k)[d] - sum[d];
  }));
  PetscFunctionReturn(success);
}

PetscErrorCode Lattice::tangent_diagonal(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Vec diagonal) const {
  PetscFunctionBeginUser;
  const Array at(dm_, local_q), y(dm_, diagonal, true);
  const PetscReal stiff = kq * p_.stiffness, damp = kv * p_.damping;
  PetscCall(for_owned(dm_, [&](PetscInt i, PetscInt j, PetscInt k) {
    for (int d = 0; d < 3; ++d) y(i, j, k)[d] = ka * p_.mass;
    for_neighbours(p_, i, j, k, [&](PetscInt ni, PetscInt nj, PetscInt nk, const Node& rest) {
      const Spring spring(rest, at(i, j, k), at(ni, nj, nk));
      for (int d = 0; d < 3; ++d)
        y(i, j, k)[d] += stiff * (spring.axial() * spring.n[d] * spring.n[d] + spring.lateral()) + damp;
    });
  }));
  PetscFunctionReturn(success);
}

PetscErrorCode Lattice::assemble(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Mat P) const {
  PetscFunctionBeginUser;
  const Array at(dm_, local_q);
  const PetscReal stiff = kq * p_.stiffness, damp = kv * p_.damping;
  PetscErrorCode code = success;
  PetscCall(for_owned(dm_, [&](PetscInt i, PetscInt j, PetscInt k) {
    const MatStencil row{k, j, i, 0};
    Block own{};
    for (int d = 0; d < 3; ++d) own[d][d] = ka * p_.mass;
    for_neighbours(p_, i, j, k, [&](PetscInt ni, PetscInt nj, PetscInt nk, const Node& rest) {
      const Spring spring(rest, at(i, j, k), at(ni, nj, nk));
      const MatStencil column{nk, nj, ni, 0};
      Block other{};
      for (int d = 0; d < 3; ++d)
        for (int e = 0; e < 3; ++e) {
          const PetscReal entry =
              stiff * spring.axial() * spring.n[d] * spring.n[e] + (d == e ? stiff * spring.lateral() + damp : 0);
          own[d][e] += entry;
          other[d][e] = -entry;
        }
      if (code == 0) code = MatSetValuesBlockedStencil(P, 1, &row, 1, &column, other[0].data(), INSERT_VALUES);
    });
    if (code == 0) code = MatSetValuesBlockedStencil(P, 1, &row, 1, &row, own[0].data(), INSERT_VALUES);
  }));
  PetscCall(code);
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(success);
}

PetscErrorCode Lattice::create_matrix(Mat* P) const {
  Vec coordinates;
  MatNullSpace modes;
  PetscFunctionBeginUser;
  PetscCall(DMCreateMatrix(dm_, P));
  PetscCall(DMGetCoordinates(dm_, &coordinates));
  PetscCall(MatNullSpaceCreateRigidBody(coordinates, &modes));
  PetscCall(MatSetNearNullSpace(*P, modes));
  PetscCall(MatNullSpaceDestroy(&modes));
  PetscFunctionReturn(success);
}

PetscErrorCode Lattice::energy(Vec q, Vec v, LatticeEnergy* energy) const {
  PetscFunctionBeginUser;
  Ghosted local_q(dm_), local_v(dm_);
  PetscCall(local_q.fill(q));
  PetscCall(local_v.fill(v));
  const Array at(dm_, local_q), rate(dm_, local_v);
  std::array<PetscReal, 4> sum{};  // kinetic, elastic, power of gravity, power of the dashpots
  PetscCall(for_owned(dm_, [&](PetscInt i, PetscInt j, PetscInt k) {
    const PetscScalar* speed = rate(i, j, k);
    sum[0] += p_.mass / 2 * (speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2]);
    sum[2] -= p_.mass * p_.gravity * speed[1];
    for_neighbours(p_, i, j, k, [&](PetscInt ni, PetscInt nj, PetscInt nk, const Node& rest) {
      // Half of the energy of a spring belongs to each of its ends.
      const Spring spring(rest, at(i, j, k), at(ni, nj, nk));
      const PetscReal dv = length(minus(rate(ni, nj, nk), speed));
      sum[1] += p_.stiffness / 4 * spring.stretch() * spring.stretch();
      sum[3] += p_.damping / 2 * dv * dv;
    });
  }));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum.data(), 4, MPIU_REAL, MPIU_SUM, PetscObjectComm((PetscObject)dm_)));
  *energy = {sum[0], sum[1], sum[2], sum[3]};
  PetscFunctionReturn(success);
}

PetscErrorCode Lattice::tip(Vec q, PetscReal* deflection) const {
  PetscFunctionBeginUser;
  const Array at(dm_, q);
  *deflection = 0;
  PetscCall(for_owned(dm_, [&](PetscInt i, PetscInt j, PetscInt k) {
    if (i == p_.nodes[0] - 1) *deflection += at(i, j, k)[1];
  }));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, deflection, 1, MPIU_REAL, MPIU_SUM, PetscObjectComm((PetscObject)dm_)));
  *deflection /= static_cast<PetscReal>(p_.nodes[1] * p_.nodes[2]);
  PetscFunctionReturn(success);
}
