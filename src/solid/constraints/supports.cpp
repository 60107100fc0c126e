#include "solid/constraints/supports.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/ranks/agree.hpp"
#include "solid/constraints/rigid_motion.hpp"
#include "solid/element/vectors.hpp"
#include "solid/numerics/pseudo_inverse.hpp"
#include "solid/space/combine_over_ranks.hpp"

#include <Eigen/Core>
#include <sstream>
#include <utility>

namespace gearshift::solid {

std::vector<int> Supports::last_at_nodes(const std::function<bool(std::size_t, int)>& counts) const {
  const Space& space = *space_;
  std::vector<int> last(static_cast<std::size_t>(space.local_nodes()), -1);
  for (int number = 0; number < list_.count(); ++number) {
    if (list_.over(list_[number])) continue;
    for (const PetscInt local : space.nodes_on(list_[number].face)) {
      const auto node = static_cast<std::size_t>(local);
      if (counts(node, number)) last[node] = std::max(last[node], number);
    }
  }
  combine_over_ranks(space, MPI_INT, MPI_MAX, last);
  return last;
}

std::vector<int> Supports::last_support(const std::function<bool(std::size_t, int)>& counts) const {
  std::vector<int> last(3 * static_cast<std::size_t>(space_->local_nodes()));
  for (std::size_t c = 0; c < 3; ++c) {
    const std::vector<int> component = last_at_nodes(
        [&](std::size_t node, int number) { return list_[number].mask & (1U << c) && counts(3 * node + c, number); });
    for (std::size_t node = 0; node < component.size(); ++node) last[3 * node + c] = component[node];
  }
  return last;
}

void Supports::set_up(const Space& space) {
  space_ = &space;
  find_entries();
}

void Supports::find_entries() {
  rivals_.clear();
  may_contradict_.reset();
  support_ = last_support([](std::size_t, int) { return true; });
  std::vector<DependentEntry> dependent = find_dependent();
  std::vector<char> constrained(support_.size());
  std::transform(support_.begin(), support_.end(), constrained.begin(), [](int support) { return support >= 0; });
  constraints_.set_up(*space_, std::move(constrained), std::move(dependent));
  holds_.reset();
}

std::vector<DependentEntry> Supports::find_dependent() {
  std::vector<DependentEntry> dependent;
  directions_.clear();
  rollers_.clear();
  std::vector<std::pair<std::string, AddDirections>> supports;
  for (int number = 0; number < list_.count(); ++number) {
    const Support& given = list_[number];
    if (!given.rollers() || list_.over(given)) continue;
    rollers_.push_back(number);
    supports.emplace_back(given.face, given.directions);
  }
  if (supports.empty()) return dependent;
  const std::vector<int> rollers = last_at_nodes([this](std::size_t, int number) { return list_[number].rollers(); });
  directions_ = node_directions(*space_, supports);
  for (const auto& [node, held] : directions_) {
    const auto n = static_cast<std::size_t>(node);
    unsigned known = 0;
    for (std::size_t c = 0; c < 3; ++c) known |= support_[3 * n + c] >= 0 ? 1U << c : 0U;
    for (const DependentEntry& entry : dependent_entries(n, known, held.directions)) {
      support_[entry.entry] = rollers[n];
      if (entry.slopes != Vec3{}) dependent.push_back(entry);
    }
  }
  return dependent;
}

bool Supports::stays(std::size_t node, Vec3 direction, double flat) const {
  const auto for_good = [this, node](std::size_t entry) {
    const Support& given = list_[support_[entry]];
    if (!given.rollers()) return !given.motion && !std::isfinite(given.until);
    const auto& places = directions_.at(static_cast<PetscInt>(node)).supports;
    return std::none_of(places.begin(), places.end(), [this](std::size_t p) { return std::isfinite(roller(p).until); });
  };
  for (std::size_t c = 0; c < 3; ++c) {
    const DependentEntry* dependent = constraints_.find(3 * node + c);
    if (!dependent || !for_good(3 * node + c)) continue;
    for (std::size_t d = 0; d < 3; ++d) direction[d] += direction[c] * dependent->slopes[d];
    direction[c] = 0;
  }
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t entry = 3 * node + c;
    if (std::abs(direction[c]) > flat && !(constraints_.held(entry) && !constraints_.find(entry) && for_good(entry)))
      return false;
  }
  return true;
}

bool Supports::hold_body() const {
  if (!holds_) holds_ = hold_rigidly(*space_, *this);
  return *holds_;
}

void Supports::apply_changes() {
  if (!list_.end_due()) return;
  ++changes_;
  find_entries();
}

void Supports::visit_reactions(const PetscScalar* reactions,
                               const std::function<void(std::size_t, std::size_t, const Vec3&)>& add) const {
  const auto known = list_.faces();
  const auto number = [&](const std::string& face) {
    return static_cast<std::size_t>(std::find(known.begin(), known.end(), face) - known.begin());
  };
  std::map<std::size_t, Vec3> of_rollers;
  for (const PetscInt index : constraints_.entries()) {
    const auto entry = static_cast<std::size_t>(index), node = entry / 3, c = entry % 3;
    const Support& given = list_[support_[entry]];
    const DependentEntry* dependent = constraints_.find(entry);
    Vec3 force{};
    for (std::size_t d = 0; dependent && d < 3; ++d) force[d] = -dependent->slopes[d] * reactions[entry];
    force[c] = reactions[entry];
    if (given.rollers())
      of_rollers[node] = of_rollers[node] + force;
    else
      add(number(given.face), node, force);
  }
  for (const auto& [node, force] : of_rollers) {
    const NodeDirections& held = directions_.at(static_cast<PetscInt>(node));
    Eigen::MatrixXd directions(3, std::ssize(held.directions));
    for (Eigen::Index i = 0; i < directions.cols(); ++i)
      directions.col(i) = Eigen::Map<const Eigen::Vector3d>(held.directions[static_cast<std::size_t>(i)].data());
    const Eigen::VectorXd parts = pseudo_inverse(directions) * Eigen::Map<const Eigen::Vector3d>(force.data());
    for (std::size_t i = 0; i < held.directions.size(); ++i)
      add(number(roller(held.supports[i]).face), node, parts[static_cast<Eigen::Index>(i)] * held.directions[i]);
  }
}

void Supports::prescribe(PetscReal t, PetscReal s, Vec q, Vec v, Vec a) {
  std::string failure;
  {
    petsc::WriteView q_values(q), v_values(v), a_values(a);
    MotionValue value;
    PetscInt evaluated_node = -1;
    int evaluated_support = -1;
    for (const PetscInt index : constraints_.entries()) {
      const auto entry = static_cast<std::size_t>(index), c = entry % 3;
      const Support& given = list_[support_[entry]];
      if (failure.empty() && t > given.until + time_resolution(t)) {
        std::ostringstream text;
        text << "the support of '" << given.face << "' is released at t = " << given.until
             << ", but no step has ended at that time before t = " << t
             << ": release it after the start of the motion, or leave the support out";
        failure = text.str();
      }
      if (!given.motion) {
        q_values[entry] = v_values[entry] = a_values[entry] = 0;
        continue;
      }
      if (index / 3 != evaluated_node || support_[entry] != evaluated_support) {
        evaluated_node = index / 3;
        evaluated_support = support_[entry];
        value = petsc::value_or_failure([&] { return given.motion(t, space_->coordinates()[entry / 3]); }, failure);
      }
      if (failure.empty() &&
          !(std::isfinite(value.g[c]) && std::isfinite(value.g_t[c]) && std::isfinite(value.g_tt[c]))) {
        const Vec3& X = space_->coordinates()[entry / 3];
        std::ostringstream text;
        text << "the prescribed motion of '" << given.face << "' (component " << c
             << ") is not finite: g, g', g'' = " << value.g[c] << ", " << value.g_t[c] << ", " << value.g_tt[c]
             << " at t = " << t << ", X = (" << X[0] << ", " << X[1] << ", " << X[2] << "); check its expression there";
        failure = text.str();
      }
      q_values[entry] = s * value.g[c];
      v_values[entry] = s * value.g_t[c];
      a_values[entry] = s * value.g_tt[c];
    }
  }
  petsc::throw_if_any<Error>(space_->comm(), failure);
  if (!may_contradict_) find_rivals();
  if (*may_contradict_ && s != 0) warn_of_contradictions(t);
}

}  // namespace gearshift::solid
