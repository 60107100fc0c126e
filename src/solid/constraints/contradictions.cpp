// Supports that prescribe different motions of the same entries.

#include "petsc/queries.hpp"
#include "solid/constraints/supports.hpp"
#include "solid/element/vectors.hpp"
#include "solid/space/extent_of.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

using petsc::check;

void Supports::find_rivals() {
  may_contradict_ = false;
  if (list_.at_rest() || list_.count() < 2) return;
  const auto ignored = last_support([this](std::size_t entry, int support) {
    const int obeyed = support_[entry];
    return support < obeyed && (list_[support].motion || list_[obeyed].motion);
  });
  for (const PetscInt index : constraints_.entries()) {
    const auto entry = static_cast<std::size_t>(index);
    if (ignored[entry] >= 0) rivals_.push_back({entry, support_[entry], ignored[entry]});
  }
  const bool some = petsc::any(space_->comm(), !rivals_.empty() || !directions_.empty());
  may_contradict_ = some;
  if (!some) return;
  const Extent box = extent_of(*space_);
  size_ = box.edge(box.longest());
}

PetscReal Supports::displacement(int support, PetscReal t, std::size_t entry) const {
  const Support& given = list_[support];
  return given.motion ? given.motion(t, space_->coordinates()[entry / 3]).g[entry % 3] : 0;
}

/// Prints a warning for each pair of supports that prescribe different displacements of the same entries. Motions may
/// begin to differ at any time, so they are compared at every call until a difference has been found.
void Supports::warn_of_contradictions(PetscReal t) {
  constexpr PetscReal rounding = 1e-12;  // of formulas that vanish where the supports meet
  // The number of nodes at which each pair of supports differs.
  const auto count = static_cast<std::size_t>(list_.count());
  std::vector<PetscInt> nodes(count * count, 0), last(count * count, -1);
  for (const auto& [entry, obeyed, ignored] : rivals_) {
    const PetscReal wanted = displacement(ignored, t, entry), done = displacement(obeyed, t, entry);
    const auto pair = static_cast<std::size_t>(obeyed) * count + static_cast<std::size_t>(ignored);
    const auto node = static_cast<PetscInt>(entry / 3);
    if (std::abs(wanted - done) <= rounding * std::max({size_, std::abs(wanted), std::abs(done)}) || last[pair] == node)
      continue;
    last[pair] = node;
    ++nodes[pair];
  }
  // Rollers hold only components that the other supports of a node leave free. If the other supports prescribe all of
  // its components, the node may leave the plane of the rollers.
  for (const auto& [node, held] : directions_) {
    const auto first = 3 * static_cast<std::size_t>(node);
    if (node >= space_->owned_nodes() || on_rollers(first) || on_rollers(first + 1) || on_rollers(first + 2)) continue;
    Vec3 u{};
    for (std::size_t c = 0; c < 3; ++c)
      if (constraints_.held(first + c)) u[c] = displacement(support_[first + c], t, first + c);
    for (std::size_t i = 0; i < held.directions.size(); ++i) {
      const Vec3& n = held.directions[i];
      const double largest = std::max({std::abs(u[0]), std::abs(u[1]), std::abs(u[2])});
      if (std::abs(dot(n, u)) <= rounding * std::max(size_, largest)) continue;
      std::size_t along = 0;
      for (std::size_t c = 1; c < 3; ++c)
        if (std::abs(n[c]) > std::abs(n[along])) along = c;
      if (constraints_.held(first + along))
        ++nodes[support_of(first + along) * count + static_cast<std::size_t>(rollers_[held.supports[i]])];
    }
  }
  check(MPI_Allreduce(MPI_IN_PLACE, nodes.data(), static_cast<PetscMPIInt>(nodes.size()), MPIU_INT, MPI_SUM,
                      space_->comm()));
  for (std::size_t pair = 0; pair < nodes.size(); ++pair) {
    if (nodes[pair] == 0) continue;
    may_contradict_ = false;
    const Support &obeyed = list_[static_cast<int>(pair / count)], &ignored = list_[static_cast<int>(pair % count)];
    const bool both = obeyed.motion && ignored.motion;
    const auto state = [&](const Support& given) {
      return both ? std::string() : given.motion ? " (moving)" : " (held)";
    };
    check(
        PetscFPrintf(space_->comm(), PETSC_STDERR,
                     "warning: '%s'%s and '%s'%s%s contradict each other at %" PetscInt_FMT
                     " nodes that they share (seen at t = %.6g): there '%s' applies. Let the motion vanish where they "
                     "meet, or leave a gap between the faces\n",
                     ignored.face.c_str(), state(ignored).c_str(), obeyed.face.c_str(), state(obeyed).c_str(),
                     both ? " (both moving)" : "", nodes[pair], static_cast<double>(t), obeyed.face.c_str()));
  }
}

}  // namespace gearshift::solid
