#include "solid/terms/dead_loads.hpp"

#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gearshift::solid {

using petsc::check;

Vec3 DeadLoad::value(const std::string& name, PetscReal t, const Vec3& X, std::string& failure) const {
  const Vec3 f = petsc::value_or_failure([&] { return course_.value(t, X); }, failure);
  if (failure.empty() && !(std::isfinite(f[0]) && std::isfinite(f[1]) && std::isfinite(f[2]))) {
    std::ostringstream text;
    text << name << " is not finite: (" << f[0] << ", " << f[1] << ", " << f[2] << ") at t = " << t << ", X = (" << X[0]
         << ", " << X[1] << ", " << X[2] << "); check its expression there";
    failure = text.str();
  }
  return f;
}

DeadLoads::DeadLoads(const Space& space) : space_(space) {
  for (auto* forces : {&steady_, &total_}) check(VecDuplicate(space.layout(), forces->out()));
}

Vec DeadLoads::at(PetscReal t) {
  const bool first = std::isnan(time_);
  if (first) {
    integrate(t, total_.get(), [](const DeadLoad& load) { return load.course().steady; });
    check(VecCopy(total_.get(), steady_.get()));
  }
  const bool varies =
      std::any_of(loads_.begin(), loads_.end(), [](const auto& load) { return !load->course().steady; });
  if (varies && (first || t != time_)) {
    time_ = std::numeric_limits<PetscReal>::quiet_NaN();
    integrate(t, total_.get(), [](const DeadLoad& load) { return !load.course().steady; });
    check(VecAXPY(total_.get(), 1.0, steady_.get()));
  }
  time_ = t;
  return total_.get();
}

void DeadLoads::integrate(PetscReal t, Vec forces, const std::function<bool(const DeadLoad&)>& counts) {
  check(VecZeroEntries(forces));
  std::string failure;
  NodalSum sum(space_, forces, ghosts_);
  for (const auto& load : loads_)
    if (counts(*load) && failure.empty()) failure = load->add_forces(t, sum);
  sum.finish();
  petsc::throw_if_any<Error>(space_.comm(), failure);
}

void DeadLoads::add_residual(TermPoint& x, SharedSum& r) { r.add(-x.load_factor(), at(x.t())); }

void DeadLoads::add_energy(TermPoint& x, Energy& energy) {
  Vec v = x.state().v;
  if (!v) return;
  energy.power_loads += x.load_factor() * petsc::dot(at(x.t()), v);
}

std::vector<std::string> DeadLoads::faces() const {
  std::vector<std::string> all;
  for (const auto& load : loads_)
    if (const std::string& face = load->place(); !face.empty()) all.push_back(face);
  return all;
}

void DeadLoads::add_residual_on(const std::string& face, TermPoint& x, SharedSum& r) {
  if (!of_face_) check(VecDuplicate(space_.layout(), of_face_.out()));
  integrate(x.t(), of_face_.get(), [&](const DeadLoad& load) { return load.place() == face; });
  r.add(-x.load_factor(), of_face_.get());
}

bool DeadLoads::steady() const {
  return std::any_of(loads_.begin(), loads_.end(), [](const auto& load) { return load->course().steady; });
}

std::vector<TimeHistory> DeadLoads::time_histories() const {
  std::vector<TimeHistory> all;
  for (const auto& load : loads_) all.push_back(load->course());
  return all;
}

double DeadLoads::bytes() const {
  return 3.0 * sizeof(PetscScalar) * static_cast<double>(2 * space_.owned_nodes() + space_.ghost_nodes());
}

}  // namespace gearshift::solid
