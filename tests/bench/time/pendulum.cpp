#include "pendulum.hpp"

#include "springs.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace bench {
namespace {

Handle<DM> line(PetscInt masses) {
  Handle<DM> dm;
  check(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, masses, 2, 1, nullptr, dm.out()));
  check(DMSetUp(dm.get()));
  return dm;
}

class Pendulum : public Springs {
 public:
  explicit Pendulum(const PendulumShape& shape)
      : Springs(line(shape.masses), 1.0 / static_cast<double>(shape.masses), shape.gravity, 0.0) {
    end = 1;
    const double link = 1.0 / static_cast<double>(shape.masses), along = link / std::numbers::sqrt2;
    scale_q = 1;
    scale_v = std::sqrt(shape.gravity);
    kinds_ = {{{-along, along, 0}, shape.stiffness, link}, {{along, -along, 0}, shape.stiffness, link}};
    PetscInt first = 0, owned = 0, ghost = 0;
    check(DMDAGetCorners(dm(), &first, nullptr, nullptr, &owned, nullptr, nullptr));
    check(DMDAGetGhostCorners(dm(), &ghost, nullptr, nullptr, nullptr, nullptr, nullptr));
    for (PetscInt i = first; i < first + owned; ++i) {
      joints_.push_back({i - first, i - ghost, i == 0 ? held : i - 1 - ghost, 0});
      if (i + 1 < shape.masses) joints_.push_back({i - first, i - ghost, i + 1 - ghost, 1});
    }
  }
};

}  // namespace

std::unique_ptr<Problem> make_pendulum(const PendulumShape& shape) { return std::make_unique<Pendulum>(shape); }

}  // namespace bench
