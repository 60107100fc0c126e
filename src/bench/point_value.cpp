#include "bench/point_value.hpp"

namespace gearshift::bench {

PointValue::PointValue(const solid::Space& space, const solid::Vec3& X)
    : space_(space), local_(3 * static_cast<std::size_t>(space.local_nodes())) {
  const auto location = space.locate(X);
  int rank = 0, size = 1;
  MPI_Comm_rank(space.comm(), &rank);
  MPI_Comm_size(space.comm(), &size);
  int owner = location ? rank : size;
  MPI_Allreduce(MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MIN, space.comm());
  if (owner == size)
    throw OptionError("no cell of the mesh contains the tip of the beam; give the -aspect and -height of this mesh");
  mine_ = owner == rank;
  if (!mine_) return;
  cell_ = location->cell;
  shape_.resize(space.cell_nodes(cell_).size());
  space.shape_values(cell_, location->xi, shape_);
}

solid::Vec3 PointValue::of(Vec field) {
  space_.global_to_local_begin(field, local_.data());
  space_.global_to_local_end(field, local_.data());
  solid::Vec3 value{};
  if (mine_) {
    const auto nodes = space_.cell_nodes(cell_);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) value[c] += shape_[i] * local_[3 * static_cast<std::size_t>(nodes[i]) + c];
  }
  MPI_Allreduce(MPI_IN_PLACE, value.data(), 3, MPIU_REAL, MPI_SUM, space_.comm());
  return value;
}

}  // namespace gearshift::bench
