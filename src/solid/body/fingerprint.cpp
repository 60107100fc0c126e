#include "solid/body/fingerprint.hpp"

#include "dynamics/checkpoint/unfit_state.hpp"
#include "petsc/files/checksum.hpp"
#include "petsc/queries.hpp"
#include "solid/space/numbering.hpp"

#include <petscsf.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {
namespace {

using petsc::check;

/// A hash of a list of values.
class Hash {
 public:
  Hash& add(std::string_view text) {
    for (const char byte : text) add(static_cast<unsigned char>(byte));
    return add(text.size());
  }
  Hash& add(std::integral auto number) {
    value_ = petsc::mixed(value_, static_cast<std::uint64_t>(number));
    return *this;
  }
  Hash& add(double value) { return add(std::bit_cast<std::uint64_t>(value + 0.0)); }  // -0 as 0
  Hash& add(const Vec3& X) { return add(X[0]).add(X[1]).add(X[2]); }
  Hash& add(const std::vector<PetscReal>& values) {
    add(values.size());
    for (const PetscReal value : values) add(value);
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

std::uint64_t hash_of(const Material& material) {
  // All members are listed here: a new member makes this line fail to compile.
  const auto& [law, E, nu, rho, mu1, mu2, bulk, yield, hardening, voce_saturation, voce_rate, mu3, alpha1, alpha2,
               alpha3, c1, c2, c3, k1, k2, dispersion, fibre_1, fibre_2, volumetric, parameters, prony_g, prony_tau,
               rayleigh_mass, rayleigh_stiffness] = material;
  Hash hash;
  hash.add(std::string_view(name_of(law))).add(std::string_view(fibre_1.identity()));
  hash.add(std::string_view(fibre_2.identity()));
  hash.add(static_cast<int>(volumetric)).add(parameters).add(prony_g).add(prony_tau);
  for (const PetscReal value :
       {E,      nu,     rho,    mu1, mu2, bulk, yield, hardening, voce_saturation, voce_rate,     mu3,
        alpha1, alpha2, alpha3, c1,  c2,  c3,   k1,    k2,        dispersion,      rayleigh_mass, rayleigh_stiffness})
    hash.add(value);
  return hash.value();
}

/// Returns the number of each local node. Collective.
std::vector<PetscInt> node_numbers(const Space& space, IS natural) {
  if (!natural) return {space.global_node_numbers().begin(), space.global_node_numbers().end()};
  std::vector<PetscInt> numbers(static_cast<std::size_t>(space.local_nodes()));
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  const std::vector<PetscInt> entries = petsc::indices_of(natural);
  for (std::size_t node = 0; node < owned; ++node) numbers[node] = entries[3 * node] / 3;
  check(PetscSFBcastBegin(space.node_sf(), MPIU_INT, numbers.data(), numbers.data() + owned, MPI_REPLACE));
  check(PetscSFBcastEnd(space.node_sf(), MPIU_INT, numbers.data(), numbers.data() + owned, MPI_REPLACE));
  return numbers;
}

}  // namespace

Fingerprint::Fingerprint(const Mesh& mesh, const Space& space, const MaterialTable& material, IS natural) {
  // The positions of nodes of other degrees contain rounding errors.
  const Numbering geometry(mesh, mesh.geometry_degree());
  const std::vector<Vec3> positions = geometry.positions();
  const std::vector<PetscInt> numbers = node_numbers(space, natural);
  const PetscInt before = petsc::sum_before(space.comm(), space.cells());

  std::array<std::uint64_t, 4> sums{};
  std::vector<PetscInt> corners;
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const PetscInt point = space.mesh_cells().point(cell);
    const CellKind kind = space.element(cell).kind();
    const PetscInt number = mesh.has_cell_numbers() ? mesh.cell_number(point) : before + cell;
    corners.resize(Element(kind, mesh.geometry_degree()).nodes().size());
    geometry.cell(point, kind, corners.data());
    std::uint64_t nodes = 0;
    Hash in_order, of_regions;
    in_order.add(number);
    for (const PetscInt corner : corners) {
      const Vec3& X = positions[static_cast<std::size_t>(corner)];
      nodes += Hash().add(X).value();
      in_order.add(X);
    }
    for (const PetscInt node : space.cell_nodes(cell)) in_order.add(numbers[static_cast<std::size_t>(node)]);
    std::vector<std::string_view> names;
    for (const int region : space.mesh_cells().regions(cell))
      names.push_back(mesh.region_names()[static_cast<std::size_t>(region)]);
    std::sort(names.begin(), names.end());
    of_regions.add(number);
    for (const std::string_view name : names) of_regions.add(name);
    sums[places] += Hash().add(nodes).value();
    sums[order] += in_order.value();
    sums[regions] += of_regions.value();
    sums[materials] += Hash().add(number).add(hash_of(material[cell])).value();
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_UINT64_T, MPI_SUM, space.comm());
  std::transform(sums.begin(), sums.end(), sums_.begin(),
                 [](std::uint64_t sum) { return std::bit_cast<std::int64_t>(sum); });
}

void Fingerprint::archive(Archive& state) const {
  auto found = sums_;
  for (const auto& [part, name] :
       {std::pair{places, "places"}, {order, "order"}, {regions, "regions"}, {materials, "materials"}})
    state(name, found[part]);
  const auto refuse_if_other = [&](Part part, const char* what, const char* remedy) {
    if (found[part] != sums_[part])
      throw UnfitState(std::string(what) + " than here; continue with the " + remedy + " that it was written with");
  };
  refuse_if_other(places, "the nodes of its mesh have other positions", "mesh");
  refuse_if_other(order, "the cells or nodes of its mesh are in another order", "mesh");
  refuse_if_other(regions, "its cells are in other regions", "mesh");
  refuse_if_other(materials, "its cells have other materials", "materials");
}

}  // namespace gearshift::solid
