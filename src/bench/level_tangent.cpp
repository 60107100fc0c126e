#include "bench/level_tangent.hpp"

#include <gearshift/petsc/views.hpp>

namespace gearshift::bench {
namespace {

solid::Constraints none(const solid::Space& space) {
  solid::Constraints none;
  none.set_up(space, std::vector<char>(3 * static_cast<std::size_t>(space.local_nodes())), {});
  return none;
}

std::vector<float> in_single(Vec x) {
  const petsc::ReadView entries(x);
  std::vector<float> result(entries.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<float>(entries[i]);
  return result;
}

}  // namespace

LevelTangent::LevelTangent(const solid::Space& space, const solid::Material& material,
                           const solid::KernelOptions& kernels, Vec u, Vec x)
    : constraints_(none(space)),
      material_(material, space.cells()),
      operator_(space, constraints_, material_, kernels),
      in_(in_single(x)),
      out_(in_.size()) {
  operator_.update(in_single(u).data(), {1, 0, 0});
}

}  // namespace gearshift::bench
