#include "solid/single_multigrid.hpp"

#include <gearshift/petsc/log.hpp>
#include <gearshift/petsc/views.hpp>

#include <cmath>

namespace gearshift::solid {

using petsc::check;

namespace {

/// From PETSc's callback to a function of ours.
template <class Body>
PetscErrorCode with_context(PC shell, Body&& body) {
  SingleMultigrid* context = nullptr;
  PetscCall(PCShellGetContext(shell, &context));
  PetscCallCXX(body(*context));
  return 0;
}

void round_to(const std::vector<float>& from, Vec to) {
  petsc::WriteView values(to);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = from[i];
}

}  // namespace

struct SingleMultigrid::Level {
  std::unique_ptr<Space> own_space;
  std::unique_ptr<Supports> own_supports;
  const Space* space = nullptr;
  const Supports* supports = nullptr;
  std::unique_ptr<SingleOperator> op;
  std::unique_ptr<SingleSmoother> smoother;
  std::vector<float> b, x;  // as long as the transfer from above wants them
};

SingleMultigrid::SingleMultigrid(const Mesh& mesh, const Operator& fine, const Supports& supports,
                                 const std::vector<Material>& material, const KernelOptions& kernels)
    : comm_(mesh.comm()) {
  const auto degrees = level_degrees(fine.space().degree());
  for (const int degree : degrees) {
    if (degree == 1) break;
    auto level = std::make_unique<Level>();
    if (levels_.empty()) {
      level->space = &fine.space();
      level->supports = &supports;
    } else {
      level->own_space = std::make_unique<Space>(mesh, degree);
      level->own_supports = std::make_unique<Supports>(supports.on(*level->own_space));
      level->space = level->own_space.get();
      level->supports = level->own_supports.get();
    }
    level->op = std::make_unique<SingleOperator>(*level->space, *level->supports, material, kernels);
    level->smoother = std::make_unique<SingleSmoother>(*level->op);
    levels_.push_back(std::move(level));
  }
  corners_ = std::make_unique<Space>(mesh, 1);
  corner_supports_ = std::make_unique<Supports>(supports.on(*corners_));
  corner_matrix_ = create_corner_matrix(*corners_);
  for (auto* vec : {&corner_residual_, &corner_correction_, &corner_displacement_})
    check(VecDuplicate(corners_->layout(), vec->out()));
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const bool last = i + 1 == levels_.size();
    transfers_.push_back(std::make_unique<SingleTransfer>(*levels_[i]->op, last ? *corners_ : *levels_[i + 1]->space,
                                                          last ? *corner_supports_ : *levels_[i + 1]->supports));
    const std::size_t size = i == 0 ? levels_[0]->op->size() : transfers_[i - 1]->coarse_size();
    levels_[i]->b.resize(size);
    levels_[i]->x.resize(size);
  }
  corner_values_.resize(transfers_.back()->coarse_size());
}

SingleMultigrid::~SingleMultigrid() = default;

void SingleMultigrid::configure(PC pc) {
  const char* prefix = nullptr;
  check(PCGetOptionsPrefix(pc, &prefix));
  smoothing_ = read_smoother_options(comm_, prefix ? prefix : "", {});
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetName(pc, "multigrid over degrees, levels in single precision"));
  check(PCShellSetContext(pc, this));
  check(PCShellSetApply(pc, [](PC shell, Vec in, Vec out) -> PetscErrorCode {
    return with_context(shell, [&](SingleMultigrid& self) { self.apply(in, out); });
  }));
  check(PCShellSetView(pc, [](PC shell, PetscViewer viewer) -> PetscErrorCode {
    return with_context(shell, [&](SingleMultigrid& self) { self.view(viewer); });
  }));
  check(KSPCreate(comm_, coarse_.out()));
  check(KSPSetOptionsPrefix(coarse_.get(), prefix));
  check(KSPAppendOptionsPrefix(coarse_.get(), "mg_coarse_"));
  prefer_coarse_solver(coarse_.get());
  check(KSPSetFromOptions(coarse_.get()));
}

bool SingleMultigrid::drives(PC pc) const {
  PetscBool shell = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCSHELL, &shell));
  void* context = nullptr;
  if (shell) check(PCShellGetContext(pc, &context));
  return context == this;
}

void SingleMultigrid::update(Tangent& tangent, Shifts s, PC) {
  const petsc::ScopedEvent event(petsc::Event::precondition);
  {
    const petsc::ReadView u(tangent.displacement());
    std::vector<float>& x = levels_.front()->x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(u[i]);
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    Level& level = *levels_[i];
    level.op->update(level.x.data(), s);
    level.smoother->set_up(smoothing_);
    transfers_[i]->evaluate(level.x.data(), i + 1 < levels_.size() ? levels_[i + 1]->x.data() : corner_values_.data());
  }
  round_to(corner_values_, corner_displacement_.get());
  tangent.assemble_corners(s, *corners_, *corner_supports_, corner_matrix_.get());
  set_rigid_modes(*corners_, *corner_supports_, corner_displacement_.get(), corner_matrix_.get());
  renew_gamg(coarse_.get());
  check(KSPSetOperators(coarse_.get(), corner_matrix_.get(), corner_matrix_.get()));
  check(KSPSetUp(coarse_.get()));
}

void SingleMultigrid::apply(Vec residual, Vec correction) {
  Level& finest = *levels_.front();
  PetscReal size = 0;
  check(VecNorm(residual, NORM_INFINITY, &size));
  int exponent = 0;
  if (!(size > 0) || !std::isfinite(size)) {  // nothing to do, or nothing that can be done: the Krylov method will see
    check(VecCopy(residual, correction));
    return;
  }
  (void)std::frexp(size, &exponent);
  const double down = std::ldexp(1.0, -exponent), up = std::ldexp(1.0, exponent);
  {
    const petsc::ReadView r(residual);
    for (std::size_t i = 0; i < r.size(); ++i) finest.b[i] = static_cast<float>(down * r[i]);
  }
  cycle(0);
  const petsc::ReadView r(residual);
  petsc::WriteView z(correction);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = up * static_cast<double>(finest.x[i]);
  for (const PetscInt entry : finest.supports->entries()) {
    const auto i = static_cast<std::size_t>(entry);
    z[i] = r[i];
  }
}

void SingleMultigrid::cycle(std::size_t i) {
  Level& level = *levels_[i];
  SingleTransfer& transfer = *transfers_[i];
  level.smoother->smooth(level.b.data(), level.x.data(), true);
  float* product = level.smoother->product();
  level.op->apply(level.x.data(), product);
  if (i + 1 < levels_.size()) {
    Level& next = *levels_[i + 1];
    transfer.restrict_residual(level.b.data(), product, next.b.data());
    cycle(i + 1);
    transfer.prolong(next.x.data(), level.x.data());
  } else {
    transfer.restrict_residual(level.b.data(), product, corner_values_.data());
    solve_coarse();
    transfer.prolong(corner_values_.data(), level.x.data());
  }
  level.smoother->smooth(level.b.data(), level.x.data(), false);
}

void SingleMultigrid::solve_coarse() {
  round_to(corner_values_, corner_residual_.get());
  check(KSPSolve(coarse_.get(), corner_residual_.get(), corner_correction_.get()));
  const petsc::ReadView values(corner_correction_.get());
  for (std::size_t i = 0; i < values.size(); ++i) corner_values_[i] = static_cast<float>(values[i]);
}

void SingleMultigrid::view(PetscViewer viewer) const {
  check(PetscViewerASCIIPushTab(viewer));
  for (const auto& level : levels_)
    check(PetscViewerASCIIPrintf(viewer, "degree %d: %d Chebyshev/Jacobi steps between %g and %g\n",
                                 level->space->degree(), static_cast<int>(smoothing_.steps),
                                 level->smoother->smallest(), level->smoother->largest()));
  check(PetscViewerASCIIPrintf(viewer, "degree 1, assembled:\n"));
  check(KSPView(coarse_.get(), viewer));
  check(PetscViewerASCIIPopTab(viewer));
}

}  // namespace gearshift::solid
