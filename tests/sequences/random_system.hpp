#pragma once

#include <gearshift/gearshift.hpp>

#include "dynamics/equations/all_parts.hpp"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

/// Small systems whose terms are drawn from a seed.
namespace sequences {

using gearshift::Shifts;
using gearshift::State;
using gearshift::petsc::check;
using gearshift::petsc::Handle;
using Values = std::vector<double>;

enum class Internal { none, maxwell, plastic };
enum class Tangent { differences, product, linearization, matrix };
enum class Energies { none, right, without_loads };

/// The terms of a system of n masses in a row, each on its own spring.
struct Recipe {
  int n = 1, block = 1;
  Values mass, damper, spring, cubic, q0, v0;
  double coupling = 0, skew = 0;  ///< springs between neighbours; a circulatory force, which feeds an oscillation
  double load = 0, load_frequency = 1, jump_period = 0;  ///< the load changes its sign with this period; 0: never
  Tangent tangent = Tangent::product;
  Internal internal = Internal::none;
  double share = 0.5, tau = 0.1, yield = 0.1;                              ///< of the internal variables
  std::vector<int> fixed;                                                  ///< entries with prescribed motion
  double shake = 0, release_at = std::numeric_limits<double>::infinity();  ///< release time of the last fixed entry
  Energies energies = Energies::none;
  bool rigid = false;  ///< the mean displacement is a rigid motion
  /// Steps longer than this that end in the window are invalid, on the ranks of the mask.
  double longest = std::numeric_limits<double>::infinity();
  std::array<double, 2> window{};
  unsigned ranks = 1;  ///< mask of the ranks that throw
  unsigned bases = 0;  ///< mask of the ranks whose overrides call their bases; 0: the parts are returned as objects
};

Handle<Vec> vector(const Values& values, int block);
Values gather(Vec x);

/// The system of a recipe. Its own state consists of the time of the last accepted step and a
/// flag for a released entry.
class RandomSystem : public gearshift::System {
 public:
  /// The callback in which an exception is thrown on request.
  enum class Site { none, residual, product, accept, prescribe, event };

  explicit RandomSystem(const Recipe& recipe);
  void residual(const State& x, Vec r) override;
  void tangent(const State& x, Shifts s, Vec in, Vec out) override;
  std::unique_ptr<gearshift::Linearization> make_linearization() override;
  Mat create_preconditioner_matrix() override;
  bool symmetric() const override { return recipe_.skew == 0; }
  IS constrained() const override;
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override;
  std::optional<gearshift::Break> next_break(PetscReal t, PetscReal until) override;
  PetscReal resolved_step(PetscReal t, PetscReal dt) override;
  gearshift::MotionEstimate expected_motion(const State& x, PetscReal until) override;
  bool take_out_rigid_motion(Vec q, Vec v) override;
  PetscInt vector_size() const override { return recipe_.block; }
  std::optional<gearshift::Energy> energy(const State& x) override;
  Vec internal_layout() const override { return internal_.get(); }
  bool internal_follows_path() const override { return recipe_.internal == Internal::plastic; }
  void internal_variables(const State& x, Vec z) override;
  void accept(const State& x) override;
  void archive(gearshift::Archive& state) override;

  /// Forgets the previous steps: a new motion starts at time t.
  void begin(double t);
  /// Throws std::runtime_error at the given site if this rank is one of `ranks`.
  void throw_at(Site site) const;
  /// Throws InvalidState if a step to t is longer than `longest` and this rank is one of the recipe's.
  void refuse_longer(double longest, double t) const;
  /// Returns s.q K + s.v C + s.a M at a state with the internal variables of the step.
  Values matrix(const Values& q, const gearshift::InternalState& z, Shifts s) const;
  const Recipe& recipe() const { return recipe_; }

  Site poisoned = Site::none;
  unsigned poisoned_ranks = 1;
  long residuals = 0;                                        ///< number of evaluations so far
  double too_long = 0;                                       ///< the last invalid step
  double refused = std::numeric_limits<double>::infinity();  ///< longer steps are invalid

 private:
  Values internal_values(const Values& q, const gearshift::InternalState& z) const;
  bool asks_base() const { return (recipe_.bases >> rank_ & 1) != 0; }

  Recipe recipe_;
  int rank_ = 0;
  double last_ = -std::numeric_limits<double>::infinity();
  bool released_ = false;
  Handle<Vec> internal_;
  Handle<IS> fixed_, fixed_after_;
};

/// RandomSystem, but it returns its parts as objects instead of overriding functions of System.
class HandingSystem : public gearshift::System {
 public:
  explicit HandingSystem(RandomSystem& base) : base_(base), parts_(base) {}
  void residual(const State& x, Vec r) override { base_.residual(x, r); }
  void tangent(const State& x, Shifts s, Vec in, Vec out) override { base_.tangent(x, s, in, out); }
  std::unique_ptr<gearshift::Linearization> make_linearization() override { return base_.make_linearization(); }
  bool symmetric() const override { return base_.symmetric(); }
  PetscInt vector_size() const override { return base_.vector_size(); }
  gearshift::SystemParts parts() override { return *parts_; }

 private:
  RandomSystem& base_;
  gearshift::AllParts parts_;
};

}  // namespace sequences
