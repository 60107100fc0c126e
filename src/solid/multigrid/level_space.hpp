#pragma once

/// @file
/// The spaces of the multigrid levels.

#include "solid/constraints/supports.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// The space and the supports of one degree. They are borrowed on the finest level and created here on all other
/// levels.
class LevelSpace {
 public:
  LevelSpace(const Space& space, const Supports& supports) : space_(&space), supports_(&supports) {}
  /// Creates the space of another degree with the same supports. Collective.
  LevelSpace(const Mesh& mesh, const LevelSpace& other, int degree)
      : own_space_(std::make_unique<Space>(mesh, other.space(), degree)),
        own_supports_(std::make_unique<Supports>(other.supports().on(*own_space_))),
        space_(own_space_.get()),
        supports_(own_supports_.get()) {}

  const Space& space() const { return *space_; }
  const Supports& supports() const { return *supports_; }
  const Constraints& constraints() const { return supports_->constraints(); }

 private:
  std::unique_ptr<Space> own_space_;
  std::unique_ptr<Supports> own_supports_;
  const Space* space_;
  const Supports* supports_;
};

/// Returns the degrees p, p/2 (rounded up), ..., finest first, none below `lowest`.
std::vector<int> level_degrees(int degree, int lowest = 1);
/// Creates the spaces of these degrees. Collective.
std::vector<LevelSpace> make_level_spaces(const Mesh& mesh, const Space& finest, const Supports& supports,
                                          int lowest = 1);

}  // namespace gearshift::solid
