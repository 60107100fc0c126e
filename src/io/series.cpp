#include <gearshift/io/folder.hpp>
#include <gearshift/io/series.hpp>

#include <array>
#include <cstdio>

namespace gearshift::io {

void PvdSeries::add(PetscReal t, const std::string& data) {
  steps_.emplace_back(t, data);
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  std::string failure;
  if (rank == 0) {
    std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
    for (const auto& [time, file] : steps_) {
      std::array<char, 40> number{};
      std::snprintf(number.data(), number.size(), "%.17g", time);
      text += "    <DataSet timestep=\"" + std::string(number.data()) + "\" part=\"0\" file=\"" + file + "\"/>\n";
    }
    text += "  </Collection>\n</VTKFile>\n";
    try {
      write_atomically(file_, text);
    } catch (const IoError& error) {
      failure = error.what();
    }
  }
  throw_together(comm_, failure);
}

}  // namespace gearshift::io
