#include "lattice.hpp"

#include "springs.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

namespace bench {
namespace {

double spacing(const LatticeShape& shape) { return 1.0 / static_cast<double>(shape.nx - 1); }
double thickness(const LatticeShape& shape) { return static_cast<double>(shape.ny - 1) * spacing(shape); }

/// Returns the gravity for which the static deflection of the Euler beam's tip is a quarter of the length.
double gravity(const LatticeShape& shape) { return 0.25 * thickness(shape) * thickness(shape) / 1.5; }

double node_mass(const LatticeShape& shape) { return std::pow(spacing(shape), shape.nz > 1 ? 3 : 2); }

Handle<DM> grid(const LatticeShape& shape) {
  Handle<DM> dm;
  if (shape.nz > 1)
    check(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX,
                       shape.nx, shape.ny, shape.nz, PETSC_DECIDE, 1, 1, 3, 1, nullptr, nullptr, nullptr, dm.out()));
  else
    check(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX, shape.nx, shape.ny,
                       PETSC_DECIDE, 1, 2, 1, nullptr, nullptr, dm.out()));
  check(DMSetUp(dm.get()));
  return dm;
}

class Lattice : public Springs {
 public:
  explicit Lattice(const LatticeShape& shape)
      : Springs(grid(shape), node_mass(shape), gravity(shape), shape.damping), shape_(shape) {
    end = std::numbers::pi / (3.516 * thickness(shape) / std::sqrt(12.0));
    scale_q = 0.25;
    scale_v = 0.25 * std::numbers::pi / end;
    const int depth = shape.nz > 1 ? 1 : 0;
    for (int k = -depth; k <= depth; ++k)
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          if (i != 0 || j != 0 || k != 0) add_kind(i, j, k);
    join();
  }

 private:
  struct Step {
    PetscInt i, j, k;
  };

  void add_kind(int i, int j, int k) {
    const double h = spacing(shape_);
    const int axes = std::abs(i) + std::abs(j) + std::abs(k);
    steps_.push_back({i, j, k});
    kinds_.push_back({{i * h, j * h, k * h},
                      std::pow(h, static_cast<int>(dimension_) - 2) / (1 << (axes - 1)),
                      h * std::sqrt(static_cast<double>(axes))});
  }

  void join() {
    PetscInt x = 0, y = 0, z = 0, wx = 0, wy = 0, wz = 0, gx = 0, gy = 0, gz = 0, gwx = 0, gwy = 0;
    check(DMDAGetCorners(dm(), &x, &y, &z, &wx, &wy, &wz));
    check(DMDAGetGhostCorners(dm(), &gx, &gy, &gz, &gwx, &gwy, nullptr));
    const auto ghosted = [&](PetscInt i, PetscInt j, PetscInt k) { return ((k - gz) * gwy + j - gy) * gwx + i - gx; };
    for (PetscInt k = z; k < z + wz; ++k)
      for (PetscInt j = y; j < y + wy; ++j)
        for (PetscInt i = x; i < x + wx; ++i)
          for (std::size_t kind = 0; i > 0 && kind < steps_.size(); ++kind) {
            const PetscInt I = i + steps_[kind].i, J = j + steps_[kind].j, K = k + steps_[kind].k;
            if (I < 0 || J < 0 || K < 0 || I >= shape_.nx || J >= shape_.ny || K >= shape_.nz) continue;
            joints_.push_back({((k - z) * wy + j - y) * wx + i - x, ghosted(i, j, k), I == 0 ? held : ghosted(I, J, K),
                               static_cast<int>(kind)});
          }
  }

  LatticeShape shape_;
  std::vector<Step> steps_;
};

}  // namespace

std::unique_ptr<Problem> make_lattice(const LatticeShape& shape) { return std::make_unique<Lattice>(shape); }

}  // namespace bench
