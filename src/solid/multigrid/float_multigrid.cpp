#include "solid/multigrid/float_multigrid.hpp"

#include "petsc/log.hpp"
#include "petsc/queries.hpp"
#include "solid/multigrid/chebyshev.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/multigrid/inertia.hpp"
#include "solid/multigrid/shell_context.hpp"
#include "solid/space/mean_of_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns true if lambda > 20 mu (nu > 0.476) in a cell of any rank. Collective.
bool any_stiff_in_bulk(MPI_Comm comm, const MaterialTable& material) {
  return petsc::any(comm, any_above(20, material));
}

}  // namespace

template <class T>
struct ShellMultigrid<T>::SmoothedLevel : Level<T> {
  using Level<T>::Level;

  Smoother<T> smoother{this->op};
  Inertia inertia{this->own.space(), this->material};
  std::vector<T> b, x;  // the prolongation from this level to the one above may need longer arrays
};

template <class T>
ShellMultigrid<T>::ShellMultigrid(const FinestLevel& finest)
    : Multigrid(finest), finest_(finest), stiff_in_bulk_(any_stiff_in_bulk(finest.mesh.comm(), finest.material)) {
  for (LevelSpace& on :
       make_level_spaces(finest.mesh, finest.op.space(), finest.supports, lowest_degree(finest.op.space())))
    levels_.push_back(std::make_unique<SmoothedLevel>(std::move(on), finest));
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    std::size_t size = levels_[i]->op.size();
    if (i > 0) {
      SmoothedLevel& upper = *levels_[i - 1];
      transfers_.push_back(std::make_unique<Prolongation<T>>(upper.op.loop(), upper.own, levels_[i]->own));
      size = transfers_.back()->coarse_size();
    }
    levels_[i]->b.resize(size);
    levels_[i]->x.resize(size);
  }
  const LevelSpace& corners = levels_.back()->own;
  last_ = levels_.size();
  corner_cycles_.sum.resize(levels_.back()->op.size());
  corner_cycles_.direction.resize(corner_cycles_.sum.size());
  aggregates_ = std::make_unique<Aggregates>(
      corners.space(), corners.constraints(), finest.material, aggregate_near_nodes(levels_.size(), corners.space()),
      SoftBulk(finest.op, finest.material, multigrid::most_in_bulk), levels_.back()->op.loop().kernels());
  aggregate_cycle_ = std::make_unique<AggregateCycle>(*aggregates_);
  check(MatCreateVecs(aggregates_->matrix().get(), coarse_[0].out(), coarse_[1].out()));
}

template <class T>
ShellMultigrid<T>::~ShellMultigrid() = default;

template <class T>
void ShellMultigrid<T>::configure(PC pc) {
  const char* prefix = nullptr;
  check(PCGetOptionsPrefix(pc, &prefix));
  read_options(prefix);
  become_shell(pc, name());
  check(PCShellSetPreSolve(pc, [](PC shell, KSP, Vec, Vec) -> PetscErrorCode {
    return with_context<Multigrid>(shell, [](Multigrid& self) {
      auto& own = static_cast<ShellMultigrid&>(self);
      own.last_size_ = 0;
      if (own.in_double_) own.in_double_->last_size_ = 0;
    });
  }));
}

template <class T>
std::string ShellMultigrid<T>::name() const {
  const std::string precision = std::is_same_v<T, float> ? "single precision" : "double precision";
  if (last_ == 0) return "smoothing without coarser levels, in " + precision;
  return "multigrid over degrees, levels in " + precision;
}

template <class T>
void ShellMultigrid<T>::read_options(const char* prefix) {
  prefix_ = prefix ? prefix : "";
  smoothing_ =
      read_cycle_options(finest_.mesh.comm(), prefix_,
                         default_cycle(levels_.size(), levels_.back()->own.space(),
                                       {stiff_in_bulk_, aggregates_->contrast(), aggregates_->couplings().hinged()}));
  aggregate_cycle_->configure(prefix, levels_.size() > 1);
}

template <class T>
void ShellMultigrid<T>::keep(Tangent& tangent, Shifts s) {
  at_ = {&tangent, s};
}

template <class T>
void ShellMultigrid<T>::update(Tangent& tangent, Shifts s, PC pc) {
  if (in_double_) return in_double_->update(tangent, s, pc);
  const petsc::ScopedEvent event(petsc::Event::precondition);
  last_size_ = 0;
  keep(tangent, s);
  {
    // The mean is subtracted: float must resolve the deformation of a body, not the distance that it has travelled.
    const petsc::ReadView u(tangent.displacement());
    const Vec3 mean = mean_of_nodes(levels_.front()->own.space(), [&u](std::size_t i) { return u[i]; });
    std::vector<T>& x = levels_.front()->x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(u[i] - mean[i % 3]);
  }
  const auto goes_on = [&](const auto& level) {
    return !level->inertia.dominates(s, smoothing_.inertia[last_ ? 1 : 0]);
  };
  for (last_ = 0; last_ < levels_.size() && goes_on(levels_[last_]);) ++last_;
  for (std::size_t i = 0; i < levels_.size() && i <= last_; ++i) {
    SmoothedLevel& level = *levels_[i];
    level.update(level.x.data(), s, tangent.history());
    i == last_ ? level.smoother.set_up_alone(smoothing_) : level.smoother.set_up(smoothing_);
    if (i < last_ && i + 1 < levels_.size()) transfers_[i]->evaluate(level.x.data(), levels_[i + 1]->x.data());
  }
  if (pc) check(PCShellSetName(pc, name().c_str()));
  if (!has_aggregates()) return;
  const auto& corners = levels_.back()->op;
  if (aggregates_->update(tangent, s, corners.blocks(), corners.couplings(), std::span<const T>(levels_.back()->x))) {
    aggregate_cycle_ = std::make_unique<AggregateCycle>(*aggregates_);
    aggregate_cycle_->configure(prefix_.c_str(), levels_.size() > 1);
  }
  aggregate_cycle_->update();
  if (std::is_same_v<T, float> && aggregates_->roundable()) aggregates_->round();
  bound_corner_cycles();
}

template <class T>
void ShellMultigrid<T>::apply(Vec residual, Vec correction) {
  if (in_double_)
    in_double_->apply(residual, correction);
  else if (!correct(residual, correction))
    if constexpr (std::is_same_v<T, float>) repair(residual, correction);
}

template <class T>
bool ShellMultigrid<T>::correct(Vec residual, Vec correction) {
  const auto has_direction = [](PetscReal size) { return size > 0 && std::isfinite(size); };
  const auto exponent_of = [](PetscReal size) { return std::ilogb(size) + 1; };
  if (!has_direction(last_size_)) last_size_ = petsc::norm(residual, NORM_INFINITY);
  Answer found{.size = last_size_};
  while (has_direction(last_size_)) {
    const int scale = exponent_of(last_size_);
    found = cycle_scaled(scale, residual, correction);
    last_size_ = found.size;
    if (!has_direction(found.size) || std::abs(exponent_of(found.size) - scale) <= multigrid::most_misscaled) break;
  }
  if (has_direction(found.size)) return found.usable;
  check(VecCopy(residual, correction));  // no residual, or one that is not finite: the Krylov method detects it
  return true;
}

template <class T>
typename ShellMultigrid<T>::Answer ShellMultigrid<T>::cycle_scaled(int exponent, Vec residual, Vec correction) {
  SmoothedLevel& finest = *levels_.front();
  const double down = std::ldexp(1.0, -exponent), up = std::ldexp(1.0, exponent);
  const petsc::ReadView r(residual);
  // NaN would spoil the solvers of the aggregates for later cycles; judge() tells all ranks of it.
  const bool finite = std::all_of(r.begin(), r.end(), [](PetscScalar entry) { return std::isfinite(entry); });
  for (std::size_t i = 0; i < r.size(); ++i) finest.b[i] = finite ? static_cast<T>(down * r[i]) : T{0};
  levels_.size() == 1 ? correct_by_corners() : cycle(0);
  petsc::WriteView z(correction);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = up * static_cast<double>(finest.x[i]);
  finest.own.constraints().copy(r.span().data(), z.span().data());
  return judge(r.span(), z.span());
}

template <class T>
void ShellMultigrid<T>::cycle(std::size_t i) {
  SmoothedLevel& level = *levels_[i];
  level.smoother.smooth(level.b.data(), level.x.data(), true);
  if (i == last_) return;
  level.op.apply(level.x.data(), level.smoother.product());
  if (i + 1 < levels_.size()) {
    SmoothedLevel& next = *levels_[i + 1];
    transfers_[i]->restrict_residual(level.b.data(), level.smoother.product(), next.b.data());
    i + 2 == levels_.size() ? correct_by_corners() : cycle(i + 1);
    transfers_[i]->prolong(next.x.data(), level.x.data());
  } else {
    correct_by_aggregates(level);
  }
  level.smoother.smooth(level.b.data(), level.x.data(), false);
}

template <class T>
void ShellMultigrid<T>::bound_corner_cycles() {
  SmoothedLevel& corners = *levels_.back();
  const auto [low, high, error] = estimate_spectrum(
      finest_.mesh.comm(), stiff_in_bulk_ ? 2 * multigrid::cycle_estimate_steps : multigrid::cycle_estimate_steps,
      corners.smoother.noise(),
      [&](std::vector<T>& from, std::vector<T>& to) { corners.smoother.multiply(from.data(), to.data()); },
      [&](std::vector<T>& from, std::vector<T>& to) {
        std::copy(from.begin(), from.end(), corners.b.begin());
        cycle(levels_.size() - 1);
        std::copy_n(corners.x.begin(), to.size(), to.begin());
      });
  corner_cycles_.largest = high > 0 ? 1.2 * (high + error) : 1;
  corner_cycles_.smallest = std::max(low, 0.15 * corner_cycles_.largest);
}

template <class T>
void ShellMultigrid<T>::correct_by_corners() {
  if (!has_aggregates()) return cycle(levels_.size() - 1);
  auto& [smallest, largest, sum, direction] = corner_cycles_;
  SmoothedLevel& corners = *levels_.back();
  Chebyshev polynomial(smallest, largest);
  std::fill(sum.begin(), sum.end(), T{0});
  std::fill(direction.begin(), direction.end(), T{0});  // NaN from a failed solve would persist
  for (PetscInt count = 1;; ++count) {
    cycle(levels_.size() - 1);
    const auto coefficients = polynomial.next();
    const T keep = static_cast<T>(coefficients.keep), scale = static_cast<T>(coefficients.scale);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += direction[i] = keep * direction[i] + scale * corners.x[i];
    if (count == smoothing_.corner_cycles) break;
    corners.op.apply(direction.data(), corners.smoother.product());
    for (std::size_t i = 0; i < sum.size(); ++i) corners.b[i] -= corners.smoother.product()[i];
  }
  std::copy(sum.begin(), sum.end(), corners.x.begin());
}

template <class T>
void ShellMultigrid<T>::correct_by_aggregates(SmoothedLevel& level) {
  aggregates_->bases().restrict_residual(level.b.data(), level.smoother.product(), coarse_[0].get());
  aggregate_cycle_->solve(coarse_[0].get(), coarse_[1].get());
  const double factor = aggregates_->apart() ? multigrid::overcorrection_of_lines : multigrid::overcorrection;
  aggregates_->bases().prolong(coarse_[1].get(), aggregates_->scale() * factor, level.x.data());
}

template <class T>
bool ShellMultigrid<T>::is_definite() const {
  if (in_double_) return in_double_->is_definite();
  bool smooth = true;
  for (std::size_t i = 0; i < levels_.size() && i <= last_; ++i) smooth = smooth && levels_[i]->smoother.definite();
  return petsc::all(finest_.mesh.comm(), smooth) && (!has_aggregates() || aggregate_cycle_->is_definite());
}

template <class T>
void ShellMultigrid<T>::view(PetscViewer viewer) const {
  if (in_double_) {
    check(PetscViewerASCIIPrintf(viewer, "  levels in double precision: those in single precision have failed\n"));
    return in_double_->view(viewer);
  }
  check(PetscViewerASCIIPushTab(viewer));
  for (std::size_t i = 0; i < levels_.size() && i <= last_; ++i) {
    const SmoothedLevel& level = *levels_[i];
    check(PetscViewerASCIIPrintf(viewer, "degree %d: %d Chebyshev/Jacobi steps between %.6g and %.6g\n",
                                 level.own.space().degree(), static_cast<int>(level.smoother.steps()),
                                 level.smoother.smallest(), level.smoother.largest()));
  }
  if (has_aggregates()) {
    check(PetscViewerASCIIPrintf(viewer, "degree %d: %d cycles, Chebyshev between %.6g and %.6g\n",
                                 levels_.back()->own.space().degree(), static_cast<int>(smoothing_.corner_cycles),
                                 corner_cycles_.smallest, corner_cycles_.largest));
    check(PetscViewerASCIIPrintf(viewer, "%" PetscInt_FMT " rigid aggregates of nodes:\n", aggregates_->aggregates()));
    aggregate_cycle_->view(viewer);
  } else {
    check(PetscViewerASCIIPrintf(viewer, "no coarser level: inertia outweighs stiffness\n"));
  }
  check(PetscViewerASCIIPopTab(viewer));
}

template class ShellMultigrid<float>;
template class ShellMultigrid<double>;

}  // namespace gearshift::solid
