#include "app/coupling/keys.hpp"

#include "app/coupling/coupling.hpp"

#include <array>

namespace gearshift::app {

void CouplingKeys::read(petsc::Options& options) {
  constexpr std::array readable{"force", "traction"}, writable{"displacement", "velocity"};
  options.string("-precice", "preCICE configuration file; the body is one of its participants", configuration);
  options.string("-precice_participant", "name of the body as a participant in this file", participant);
  options.string("-precice_mesh",
                 "name of the mesh of the body in this file; the vertices of a two-dimensional mesh are the lines of "
                 "nodes along z",
                 mesh);
  options.strings("-precice_faces", "faces whose nodes form this mesh, separated by commas", faces);
  options.string("-precice_read", "name of the data that are read: the loads on the body", reads);
  options.choice("-precice_read_kind",
                 "kind of the data that are read: force: forces on the nodes (conservative mapping); traction: forces "
                 "per reference area at the nodes (consistent mapping)",
                 readable, reads_tractions);
  options.string("-precice_write", "name of the data that are written: the motion of the nodes", writes);
  options.choice("-precice_write_kind", "kind of the data that are written", writable, writes_velocity);
  options.integer(
      "-precice_samples",
      "minimum number of samples of the motion that are written in a time window, at the ends of steps and, by dense "
      "output, between them: 3 for the cubic waveforms of preCICE, 1 for the ends of steps only",
      samples);
  constexpr std::array needs_coupling{"-precice_participant", "-precice_mesh",      "-precice_faces",
                                      "-precice_read",        "-precice_read_kind", "-precice_write",
                                      "-precice_write_kind",  "-precice_samples"};
  for (const char* key : needs_coupling)
    if (!given() && petsc::has_option("", key))
      throw OptionError("option " + std::string(key) +
                        ": it applies only to a coupled run; also give preCICE's configuration file, by -precice");
  if (!given()) return;
  if (!Coupling::available())
    throw OptionError(
        "option -precice: this program was built without preCICE; install version 3 and configure with "
        "-DGEARSHIFT_PRECICE=ON");
  if (samples < 1) throw OptionError("option -precice_samples: give 1 or more; the end of a window is always a sample");
  if (faces.empty()) throw OptionError("option -precice_faces: give the faces that the body shares with its partner");
}

}  // namespace gearshift::app
