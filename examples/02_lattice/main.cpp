// A beam of springs falls under its own weight: gearshift integrates existing application code.

#include "lattice_system.hpp"

#include <fstream>
#include <string>
#include <vector>

using gearshift::petsc::check, gearshift::petsc::Handle;

int main(int argc, char** argv) {
  gearshift::Session session(argc, argv, "A clamped lattice of springs under gravity, integrated by gearshift.\n");
  return session.run([](MPI_Comm comm) {
    LatticeParameters p;
    bool assembled = true;
    std::string table;
    gearshift::petsc::read_options(comm, "", "Lattice", [&](gearshift::petsc::Options& o) {
      o.integer("-lattice_nx", "masses along x; the masses at x = 0 are clamped", p.nodes[0]);
      o.integer("-lattice_ny", "masses along y", p.nodes[1]);
      o.integer("-lattice_nz", "masses along z", p.nodes[2]);
      o.real("-lattice_stiffness", "stiffness of a spring [N/m]", p.stiffness);
      o.real("-lattice_damping", "coefficient of a dashpot [N s/m]", p.damping);
      o.flag("-lattice_assemble", "assemble the tangent, for PETSc's preconditioners; false: only its diagonal",
             assembled);
      o.string("-lattice_table", "file for the motion of the tip", table);
    });
    Lattice lattice;
    check(lattice.create(comm, p));
    {
      LatticeSystem system(lattice, assembled);
      Handle<Vec> q, v;
      check(DMCreateGlobalVector(lattice.dm(), q.out()));
      check(VecDuplicate(q.get(), v.out()));

      gearshift::Stepper stepper(system, q.get(), {.order = 2, .dt = 0.02, .t_end = 0.5});
      std::vector<std::pair<PetscReal, PetscReal>> motion;
      stepper.add_monitor([&](const gearshift::Stepper& now, const gearshift::StepReport&) {
        PetscReal tip = 0;
        check(lattice.tip(now.state().q, &tip));
        motion.emplace_back(now.state().t, tip);
      });
      stepper.set_from_options();
      stepper.set_initial_state(0, q.get(), v.get());
      const gearshift::Report run = stepper.run();

      int rank = 0;
      MPI_Comm_rank(comm, &rank);
      if (!table.empty() && rank == 0) {
        std::ofstream file(table);
        for (const auto& [t, tip] : motion) file << t << ' ' << tip << '\n';
        if (!file) throw gearshift::IoError("cannot write " + table + "; does its folder exist?");
      }
      PetscInt size = 0;
      check(VecGetSize(q.get(), &size));
      check(PetscPrintf(comm, "t %g  DoFs %d  steps %d  Newton %d  Krylov %d  tip %.8e m\n", run.t,
                        static_cast<int>(size), static_cast<int>(run.steps), static_cast<int>(run.newton_iterations),
                        static_cast<int>(run.krylov_iterations), motion.empty() ? 0.0 : motion.back().second));
    }
    check(lattice.destroy());
  });
}
