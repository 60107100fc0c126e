#include "problems.hpp"

#include "bar.hpp"
#include "classics.hpp"
#include "lattice.hpp"
#include "pendulum.hpp"

namespace bench {
namespace {

std::unique_ptr<Problem> by_name(const std::string& name, const std::vector<PetscInt>& nodes) {
  const auto along = [&](std::size_t axis, PetscInt usual) { return axis < nodes.size() ? nodes[axis] : usual; };
  if (name == "bar") return make_bar({.nodes = along(0, 10000)});
  if (name == "bar0") return make_bar({.nodes = along(0, 1000), .amplitude = 0.005, .stiffness_damping = 0});
  if (name == "steep") return make_bar({.nodes = along(0, 1000), .mass_damping = 0, .stiffness_damping = 0});
  if (name == "cant2") return make_lattice({.nx = along(0, 257), .ny = along(1, 9)});
  if (name == "free2") return make_lattice({.nx = along(0, 257), .ny = along(1, 9), .damping = 0});
  if (name == "cant3") {
    auto body = make_lattice({.nx = along(0, 65), .ny = along(1, 22), .nz = along(2, 22)});
    body->pc_type = "ilu";
    return body;
  }
  if (name == "pend") return make_pendulum({.masses = along(0, 10)});
  if (name == "pend4") return make_pendulum({.masses = along(0, 10), .stiffness = 4e5});
  if (name == "hertz") return make_hertzian_wall();
  if (name == "kelvin") return make_bar({.nodes = along(0, 1000), .mass_damping = 0, .stiffness_damping = 1});
  if (name == "rotor") return make_rotor({.stations = along(0, 20)});
  if (name == "frame") return make_shaken_frame({.storeys = along(0, 20)});
  if (name == "blast") return make_shaken_frame({.storeys = along(0, 20), .blast = true});
  if (name == "stick") return make_stick_slip();
  if (name == "duffing") return make_duffing_chain({.masses = along(0, 20)});
  if (name == "vdp") return make_van_der_pol();
  if (name == "beam1") return make_beam({.nodes = along(0, 40)});
  if (name == "beam01") return make_beam({.nodes = along(0, 40), .damping = 1e-3});
  if (name == "lift") return make_beam({.nodes = along(0, 40), .damping = 0.02, .foundation = 4000});
  throw gearshift::OptionError("no problem is called '" + name +
                               "'; there are bar bar0 steep cant2 free2 cant3 pend "
                               "pend4 hertz kelvin rotor frame blast stick duffing vdp beam1 beam01 lift");
}

}  // namespace

std::unique_ptr<Problem> make_problem(const std::string& name, const std::vector<PetscInt>& nodes) {
  auto problem = by_name(name, nodes);
  problem->name = name;
  return problem;
}

}  // namespace bench
