#include "bench/point_value.hpp"

namespace gearshift::bench {

PointValue::PointValue(const solid::Space& space, const solid::Vec3& X)
    : space_(space),
      point_(space, "the tip of the beam (-aspect and -height of the mesh)", X),
      local_(3 * static_cast<std::size_t>(space.local_nodes())) {}

solid::Vec3 PointValue::of(Vec field) {
  space_.node_exchange().global_to_local_begin(field, local_.data());
  space_.node_exchange().global_to_local_end(field, local_.data());
  solid::Vec3 value{};
  if (point_.mine()) {
    const auto nodes = space_.cell_nodes(point_.cell());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        value[c] += point_.shape()[i] * local_[3 * static_cast<std::size_t>(nodes[i]) + c];
  }
  MPI_Allreduce(MPI_IN_PLACE, value.data(), 3, MPIU_REAL, MPI_SUM, space_.comm());
  return value;
}

}  // namespace gearshift::bench
