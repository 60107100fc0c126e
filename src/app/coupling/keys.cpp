#include "app/coupling/keys.hpp"

#include "app/coupling/coupling.hpp"

#include <array>
#include <string>

namespace gearshift::app {

void CouplingKeys::read(petsc::Options& options) {
  constexpr std::array readable{"force", "traction"}, writable{"displacement", "velocity"};
  options.string("-precice", "preCICE's configuration file: the body is one of the solvers that it couples",
                 configuration);
  options.string("-precice_participant", "the body's name there", participant);
  options.string("-precice_mesh",
                 "the name of its mesh there; of one in two dimensions, the vertices are the lines of nodes along z",
                 mesh);
  options.strings("-precice_faces", "the faces whose nodes this mesh consists of", faces);
  options.string("-precice_read", "the data that load the body", reads);
  options.choice("-precice_read_kind",
                 "force: forces on the nodes (conservative mapping); traction: forces per reference area at the nodes "
                 "(consistent mapping)",
                 readable, reads_tractions);
  options.string("-precice_write", "the data that tell how the nodes move", writes);
  options.choice("-precice_write_kind", "what they are", writable, writes_velocity);
  options.integer(
      "-precice_samples",
      "at least so many times in a window the partners are told of the motion, steps' ends and dense output "
      "between them: 3 for the cubic waveforms of preCICE, 1 for steps' ends alone",
      samples);
  constexpr std::array needs_coupling{"-precice_participant", "-precice_mesh",      "-precice_faces",
                                      "-precice_read",        "-precice_read_kind", "-precice_write",
                                      "-precice_write_kind",  "-precice_samples"};
  for (const char* key : needs_coupling)
    if (!given() && petsc::has_option("", key))
      throw OptionError("option " + std::string(key) +
                        ": this is about a coupled run; give preCICE's configuration file by -precice too");
  if (!given()) return;
  if (!Coupling::available())
    throw OptionError(
        "option -precice: this program was built without preCICE; install version 3 and configure with "
        "-DGEARSHIFT_PRECICE=ON");
  if (samples < 1) throw OptionError("option -precice_samples: a window has at least one, its end");
  if (faces.empty()) throw OptionError("option -precice_faces: name the faces that the body shares with its partner");
}

}  // namespace gearshift::app
