#include "bench/level_tangent.hpp"

#include <gearshift/petsc/views.hpp>

namespace gearshift::bench {
namespace {

solid::Supports no_supports(const solid::Space& space) {
  solid::Supports supports;
  supports.set_up(space);
  return supports;
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
    : supports_(no_supports(space)),
      material_(material, space.cells()),
      operator_(space, supports_, material_, kernels),
      in_(in_single(x)),
      out_(in_.size()) {
  operator_.update(in_single(u).data(), {1, 0, 0});
}

}  // namespace gearshift::bench
