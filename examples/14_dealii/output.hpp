#pragma once

// Frames for ParaView, written by deal.II's DataOut.

#include "problem.hpp"

#include <deal.II/lac/petsc_vector.h>
#include <deal.II/numerics/data_out.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace beam {

class Frames {
 public:
  /// @param folder created if it does not exist; empty: no frames
  Frames(const Problem& problem, const std::string& folder) : problem_(problem), folder_(folder) {
    if (!folder.empty()) std::filesystem::create_directories(folder);
  }

  /// Writes a frame. Collective.
  void write(double t, Vec q) {
    const MPI_Comm comm = problem_.mesh.get_communicator();
    dealii::PETScWrappers::MPI::Vector own(problem_.owned, comm), all(problem_.owned, problem_.relevant, comm);
    gearshift::petsc::check(VecCopy(q, own));
    problem_.constraints.distribute(own);
    all = own;
    dealii::DataOut<dim> out;
    out.attach_dof_handler(problem_.dofs);
    out.add_data_vector(all, std::vector<std::string>(dim, "displacement"), dealii::DataOut<dim>::type_dof_data,
                        std::vector(dim, dealii::DataComponentInterpretation::component_is_part_of_vector));
    out.build_patches(degree);
    times_.emplace_back(
        t, out.write_vtu_with_pvtu_record(folder_ + "/", "frame", static_cast<unsigned int>(times_.size()), comm, 4));
    if (dealii::Utilities::MPI::this_mpi_process(comm) == 0) {
      std::ofstream list(folder_ + "/solution.pvd");
      dealii::DataOutBase::write_pvd_record(list, times_);
    }
  }

  explicit operator bool() const { return !folder_.empty(); }

 private:
  const Problem& problem_;
  std::string folder_;
  std::vector<std::pair<double, std::string>> times_;
};

}  // namespace beam
