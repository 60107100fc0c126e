#include "bench/cantilever.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace gearshift::bench {
namespace {

using petsc::check;

constexpr std::array formulations{"displacement", "mixed"};
constexpr std::array laws{"linear_elastic", "st_venant_kirchhoff", "neo_hookean", "mooney_rivlin"};

/// Cells along the beam and across it.
struct Cells {
  PetscInt along = 1, across = 1;
};

Cells cells_for(const Cantilever& given) {
  const auto along = [&](PetscInt across) {
    return std::max(PetscInt{1},
                    static_cast<PetscInt>(std::lround(given.aspect / given.stretch * static_cast<PetscReal>(across))));
  };
  const auto size = [&](PetscInt across) {
    const auto p = static_cast<double>(given.degree), n = p * static_cast<double>(across) + 1;
    return 3 * n * n * (p * static_cast<double>(along(across)) + 1);
  };
  PetscInt across = 1;
  while (size(across + 1) <= given.dofs) ++across;
  // Take the size whose ratio to `dofs` is closer to 1.
  if (size(across + 1) / given.dofs < given.dofs / size(across)) ++across;
  return {along(across), across};
}

/// Sets the Mooney-Rivlin moduli for the same behaviour at small strains: a quarter of the shear modulus in the second
/// term, or less if the bulk modulus requires it.
solid::Material complete(solid::Material m) {
  const PetscReal shear = m.E / (2 * (1 + m.nu)), bulk = m.E / (3 * (1 - 2 * m.nu));
  m.mu2 = std::clamp(bulk / 2 - shear / 3, 0.0, shear / 4);
  m.mu1 = shear - m.mu2;
  // If nu is 0, the term in ln J vanishes; rounding must not make it negative.
  m.bulk = std::max(bulk, 2 * shear / 3 + 2 * m.mu2);
  return m;
}

void set_default(const char* key, const std::string& value) {
  if (!petsc::has_option("", key)) check(PetscOptionsSetValue(nullptr, key, value.c_str()));
}

}  // namespace

void Cantilever::read(petsc::Options& options) {
  options.integer("-degree", "polynomial degree, 1 to 6", degree);
  options.real("-dofs", "approximate number of unknowns of the beam; -dm_plex_filename reads another mesh instead",
               dofs);
  options.real("-aspect", "length of the beam over its height", aspect);
  options.real("-height", "height and width of the beam [length]", height);
  options.real("-stretch", "length of a cell over its height", stretch);
  options.string("-clamp", "clamped face", clamp);
  options.reals("-load", "body force per mass gx,gy,gz [length/time^2]", load);
  options.choice("-formulation", "displacement, or mixed with a discontinuous pressure", formulations, formulation);
  options.choice("-material", "material law", laws, material.law);
  options.real("-E", "Young's modulus [force/length^2]", material.E);
  options.real("-nu", "Poisson's ratio, below 0.5 [-]", material.nu);
  options.real("-rho", "mass density [mass/length^3]", material.rho);
}

void Cantilever::validate() const {
  if (degree < 1 || degree > 6) throw OptionError("option -degree: give 1 to 6");
  if (!(dofs >= 1) || dofs > 1e10) throw OptionError("option -dofs: give a number of unknowns, 1 to 1e10");
  if (!(aspect > 0) || !(height > 0) || !(stretch > 0) || !std::isfinite(aspect * height * stretch))
    throw OptionError("options -aspect, -height and -stretch: give numbers above 0");
  if (load.size() != 3) throw OptionError("option -load: give three numbers gx,gy,gz");
  check_material(complete(material));
}

solid::Mesh Cantilever::make_mesh(MPI_Comm comm) const {
  if (!petsc::has_option("", "-dm_plex_filename")) {
    const Cells cells = cells_for(*this);
    const std::string across = std::to_string(cells.across);
    std::array<char, 96> upper{};
    std::snprintf(upper.data(), upper.size(), "%.17g,%.17g,%.17g", aspect * height, height, height);
    set_default("-dm_plex_box_faces", std::to_string(cells.along) + "," + across + "," + across);
    set_default("-dm_plex_box_upper", upper.data());
  }
  return solid::Mesh::from_options(comm);
}

std::unique_ptr<solid::Body> Cantilever::make_body(solid::Mesh mesh) const {
  auto body = std::make_unique<solid::Body>(std::move(mesh), static_cast<int>(degree));
  body->set_material(complete(material));
  body->set_formulation(formulation);
  body->clamp(clamp);
  const solid::Vec3 g{load[0], load[1], load[2]};
  body->set_gravity([g](PetscReal, const solid::Vec3&) { return g; }, true);
  body->set_up();
  return body;
}

void Cantilever::describe(io::Summary& line, const solid::Body& body) const {
  int ranks = 1;
  MPI_Comm_size(body.mesh().comm(), &ranks);
  line.add("degree", degree);
  line.add("material", name_of(material.law));
  line.add("nu", material.nu);
  line.add("stretch", stretch);
  line.add("ranks", ranks);
  line.add("cells", body.mesh().global_cells());
  line.add("dofs", petsc::size_of(body.layout()));
}

void print(MPI_Comm comm, const io::Summary& line) {
  check(PetscPrintf(comm, "%s", line.line().c_str()));
  (void)std::fflush(stdout);
}

}  // namespace gearshift::bench
