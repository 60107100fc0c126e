// A steel frame under ground motion: M, C and K are assembled with MatSetValues, as in any finite-element code.

#include <gearshift/gearshift.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

using gearshift::petsc::check, gearshift::petsc::Handle;
using Element = std::array<std::array<PetscScalar, 6>, 6>;

/// Computes mass and stiffness of an Euler-Bernoulli beam. DoFs of each end: along, across, rotation. l < 0: across
/// points to the right.
void beam(double l, double EA, double EI, double line_mass, Element& m, Element& k) {
  const double w = line_mass * std::abs(l) / 420, a = EA / std::abs(l), b = EI / std::abs(l * l * l);
  m = {{{140 * w, 0, 0, 70 * w, 0, 0},
        {0, 156 * w, 22 * l * w, 0, 54 * w, -13 * l * w},
        {0, 22 * l * w, 4 * l * l * w, 0, 13 * l * w, -3 * l * l * w},
        {70 * w, 0, 0, 140 * w, 0, 0},
        {0, 54 * w, 13 * l * w, 0, 156 * w, -22 * l * w},
        {0, -13 * l * w, -3 * l * l * w, 0, -22 * l * w, 4 * l * l * w}}};
  k = {{{a, 0, 0, -a, 0, 0},
        {0, 12 * b, 6 * l * b, 0, -12 * b, 6 * l * b},
        {0, 6 * l * b, 4 * l * l * b, 0, -6 * l * b, 2 * l * l * b},
        {-a, 0, 0, a, 0, 0},
        {0, -12 * b, -6 * l * b, 0, 12 * b, -6 * l * b},
        {0, 6 * l * b, 2 * l * l * b, 0, -6 * l * b, 4 * l * l * b}}};
}

int main(int argc, char** argv) {
  gearshift::Session session(argc, argv, "A frame of beams on shaking ground, integrated by gearshift.\n");
  return session.run([](MPI_Comm comm) {
    const PetscInt storeys = 5;  // each 3 m high and 6 m wide
    PetscInt n = 4;
    std::string table;
    gearshift::petsc::read_options(comm, "", "Frame", [&](gearshift::petsc::Options& o) {
      o.integer("-elements", "elements of each column and beam", n);
      o.string("-table", "file for the motion of the ground and of the roof", table);
    });
    // Numbering of the nodes: up the left column, up the right one, then along the beams from left to right.
    const PetscInt column = storeys * n + 1, nodes = 2 * column + storeys * (n - 1), size = 3 * nodes;
    Handle<Mat> M, C, K;
    Handle<Vec> q, v;
    for (Handle<Mat>* matrix : {&M, &K})
      check(MatCreateAIJ(comm, PETSC_DECIDE, PETSC_DECIDE, size, size, 12, nullptr, 12, nullptr, matrix->out()));
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const PetscInt elements = 3 * storeys * n;
    for (PetscInt e = elements * rank / ranks; e < elements * (rank + 1) / ranks; ++e) {
      const PetscInt part = e / (storeys * n), i = e % (storeys * n), floor = i / n, along = i % n;
      PetscInt from = part * column + i, to = from + 1;  // first and last node of an element of a column
      if (part == 2) {
        const PetscInt inner = 2 * column + floor * (n - 1) + along;
        from = along == 0 ? (floor + 1) * n : inner - 1;
        to = along == n - 1 ? column + (floor + 1) * n : inner;
      }
      Element m, k;
      const PetscInt x = part == 2 ? 0 : 1, y = 1 - x;  // along and across the member
      if (part == 2)
        beam(6.0 / static_cast<double>(n), 210e9 * 8.45e-3, 210e9 * 2.31e-4, 3000, m, k);
      else
        beam(-3.0 / static_cast<double>(n), 210e9 * 1.49e-2, 210e9 * 2.52e-4, 117, m, k);
      const std::array<PetscInt, 6> at{3 * from + x, 3 * from + y, 3 * from + 2, 3 * to + x, 3 * to + y, 3 * to + 2};
      check(MatSetValues(M.get(), 6, at.data(), 6, at.data(), m[0].data(), ADD_VALUES));
      check(MatSetValues(K.get(), 6, at.data(), 6, at.data(), k[0].data(), ADD_VALUES));
    }
    for (Mat matrix : {M.get(), K.get()}) check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    for (Mat matrix : {M.get(), K.get()}) check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    check(MatDuplicate(K.get(), MAT_COPY_VALUES, C.out()));  // C = 0.2/s M + 0.002 s K
    check(MatScale(C.get(), 0.002));
    check(MatAXPY(C.get(), 0.2, M.get(), SAME_NONZERO_PATTERN));
    gearshift::AssembledSystem frame(M.get(), C.get(), K.get());
    frame.set_symmetric();
    check(MatCreateVecs(K.get(), nullptr, q.out()));
    check(VecDuplicate(q.get(), v.out()));
    // The feet follow the ground motion g = G sin^3(w t) along x.
    PetscInt first = 0, last = 0;
    check(VecGetOwnershipRange(q.get(), &first, &last));
    std::vector<PetscInt> feet;
    for (const PetscInt i : {0, 1, 2, 3, 4, 5}) {
      const PetscInt dof = i < 3 ? i : 3 * column + i - 3;
      if (first <= dof && dof < last) feet.push_back(dof);
    }
    Handle<IS> held;
    check(ISCreateGeneral(comm, static_cast<PetscInt>(feet.size()), feet.data(), PETSC_COPY_VALUES, held.out()));
    const double G = 0.05, w = 4;
    const auto ground = [&](PetscReal t) {
      const double s = std::sin(w * t), c = std::cos(w * t);
      return std::array{G * s * s * s, 3 * G * w * s * s * c, 3 * G * w * w * (2 * s * c * c - s * s * s)};
    };
    frame.set_constrained(held.get(), [&](PetscReal t, Vec x, Vec rate, Vec acceleration) {
      const std::array to{x, rate, acceleration};
      for (std::size_t i = 0; i < to.size(); ++i) {
        const gearshift::petsc::WriteView entries(to[i]);
        for (const PetscInt dof : feet) entries[dof - first] = dof % 3 == 0 ? ground(t)[i] : 0;
      }
    });

    const auto roof = [&, dof = 3 * (column - 1)](Vec x) {
      PetscReal value = first <= dof && dof < last ? gearshift::petsc::ReadView(x)[dof - first] : 0;
      MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm);
      return value;
    };
    std::ofstream file(rank == 0 ? table : "");
    gearshift::Stepper stepper(frame, q.get(), {.order = 2, .dt = 0.01, .t_end = 6});
    stepper.add_monitor([&](const gearshift::Stepper& now, const gearshift::StepReport&) {
      const gearshift::State x = now.state();
      file << x.t << ' ' << ground(x.t)[0] << ' ' << roof(x.q) << '\n';
    });
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    const gearshift::Report run = stepper.run();
    check(PetscPrintf(comm, "t %g  DoFs %d  steps %d  Krylov %d  matrices %d  roof %.6e m\n", run.t,
                      static_cast<int>(size), static_cast<int>(run.steps), static_cast<int>(run.krylov_iterations),
                      static_cast<int>(frame.fills()), roof(stepper.state().q)));
  });
}
