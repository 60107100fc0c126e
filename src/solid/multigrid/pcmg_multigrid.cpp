#include "solid/multigrid/pcmg_multigrid.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/log.hpp"
#include "solid/multigrid/coarse/gamg.hpp"
#include "solid/multigrid/prolongation.hpp"
#include "solid/multigrid/shell_matrix.hpp"
#include "solid/operator/node_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift::solid {

using petsc::check;

namespace {

PetscInt rows_of(const LevelSpace& level) { return 3 * level.space().owned_nodes(); }

/// Informs PETSc that the matrix has changed.
void touch(Mat matrix) {
  check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

/// Removes constrained entries from the noise with which PETSc estimates a smoother's interval. In some units their
/// diagonal of 1 is far from the tangent's diagonal and would dominate the estimate.
PetscErrorCode drop_held(KSP, Vec noise, Vec, void* constraints) {
  PetscScalar* values = nullptr;
  PetscCall(VecGetArray(noise, &values));
  static_cast<const Constraints*>(constraints)->clear(values);
  PetscCall(VecRestoreArray(noise, &values));
  return petsc::success;
}

}  // namespace

/// The tangent of the solver, with identity in constrained entries.
struct PcmgMultigrid::Finest {
  explicit Finest(const LevelSpace& own)
      : constraints(own.constraints()),
        matrix(own.space().comm(), rows_of(own), rows_of(own),
               {.multiply = [this](Vec in, Vec out) { tangent->apply_free(shifts, in, out); },
                .diagonal = [this](Vec out) { diagonal(out); }}) {}

  void diagonal(Vec out) {
    tangent->diagonal(shifts, out);
    petsc::WriteView values(out);
    for (const PetscInt entry : constraints.entries()) values[static_cast<std::size_t>(entry)] = 1;
  }

  const Constraints& constraints;
  Tangent* tangent = nullptr;
  Shifts shifts;
  ShellMatrix matrix;
};

/// The tangent of a middle level, with identity in constrained entries.
struct PcmgMultigrid::MiddleLevel : Level<double> {
  MiddleLevel(LevelSpace on, const FinestLevel& body)
      : Level(std::move(on), body),
        matrix(own.space().comm(), rows_of(own), rows_of(own),
               {.multiply = [this](Vec in, Vec out) { multiply(in, out); },
                .diagonal = [this](Vec out) { diagonal(out); }}) {}

  void multiply(Vec in, Vec out) {
    const petsc::ReadView from(in);
    const petsc::WriteView to(out);
    op.apply(from.span().data(), to.span().data());
    own.constraints().copy(from.span().data(), to.span().data());
  }
  void diagonal(Vec out) {
    petsc::WriteView values(out);
    op.diagonal(values.span().data());
    for (const PetscInt entry : own.constraints().entries()) values[static_cast<std::size_t>(entry)] = 1;
  }

  ShellMatrix matrix;
};

/// Degree 1, assembled and divided by a power of two so that its diagonal is near 1: GAMG compares some numbers with 1,
/// for example in the rows of zeros that small aggregates leave on its coarser levels.
struct PcmgMultigrid::Corners {
  Corners(LevelSpace on, const FinestLevel& body)
      : own(std::move(on)), terms(body.terms, own.space()), sum(own.space()), matrix(create_node_matrix(own.space())) {
    check(VecDuplicate(own.space().layout(), displacement.out()));
  }

  void update(const Tangent& tangent, Shifts s, const std::vector<double>& u) {
    tangent.assemble_corners(s, sum, terms.blocks(s, own.constraints()), own.constraints(), matrix.get());
    int exponent = 0;
    std::frexp(level_held(), &exponent);
    unit = std::ldexp(1.0, exponent);
    check(MatScale(matrix.get(), 1 / unit));
    {
      petsc::WriteView values(displacement.get());
      std::copy_n(u.begin(), values.size(), values.begin());
    }
    set_rigid_motions(own.space(), own.constraints(), displacement.get(), matrix.get());
  }

  /// Sets constrained entries of the diagonal to the mean of the other entries, and returns that mean; the residual is
  /// 0 there. In some units a diagonal of 1 is far from the other entries, and GAMG's smoothers would treat it as a
  /// part of the spectrum.
  double level_held() {
    const auto& held = own.constraints().entries();
    double mean = 1;
    check(MatGetDiagonal(matrix.get(), displacement.get()));
    {
      const petsc::WriteView diagonal(displacement.get());
      for (const PetscInt entry : held) diagonal[static_cast<std::size_t>(entry)] = 0;
      std::array<double, 2> sums{0, static_cast<double>(diagonal.size() - held.size())};
      for (const PetscScalar value : diagonal) sums[0] += std::abs(value);
      MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, own.space().comm());
      if (!(sums[0] > 0)) return 1;
      mean = sums[0] / sums[1];
      for (const PetscInt entry : held) diagonal[static_cast<std::size_t>(entry)] = mean;
    }
    check(MatDiagonalSet(matrix.get(), displacement.get(), INSERT_VALUES));
    return mean;
  }

  LevelSpace own;
  TermSumLevel terms;
  NodeMatrixSum sum;
  double unit = 1;
  petsc::Handle<Mat> matrix;
  petsc::Handle<Vec> displacement;  // also used as work space
};

/// Prolongation and restriction between two levels, and an array of the lower degree.
struct PcmgMultigrid::Step {
  Step(CellLoop<double>& cells, const LevelSpace& fine, const LevelSpace& coarse)
      : transfer(cells, fine, coarse),
        work(transfer.coarse_size()),
        matrix(fine.space().comm(), rows_of(fine), rows_of(coarse),
               {.multiply = [this](Vec in, Vec out) { prolong(in, out); },
                .multiply_transposed = [this](Vec in, Vec out) { restrict_fine(in, out); }}) {}

  void prolong(Vec coarse, Vec fine) {
    const petsc::ReadView from(coarse);
    petsc::WriteView to(fine);
    std::transform(from.begin(), from.end(), work.begin(), [this](double value) { return value / unit; });
    std::fill(to.begin(), to.end(), 0.0);
    transfer.prolong(work.data(), to.span().data());
  }
  void restrict_fine(Vec fine, Vec coarse) {
    const petsc::ReadView from(fine);
    petsc::WriteView to(coarse);
    transfer.restrict_fine(from.span().data(), work.data());
    std::copy_n(work.begin(), to.size(), to.begin());
  }

  Prolongation<double> transfer;
  double unit = 1;  // of the lower level's matrix; its correction is too large by this factor
  std::vector<double> work;
  ShellMatrix matrix;
};

PcmgMultigrid::PcmgMultigrid(const FinestLevel& finest) : Multigrid(finest) {
  std::vector<LevelSpace> spaces = make_level_spaces(finest.mesh, finest.op.space(), finest.supports);
  finest_ = std::make_unique<Finest>(spaces.front());
  for (std::size_t i = 1; i + 1 < spaces.size(); ++i)
    middle_.push_back(std::make_unique<MiddleLevel>(std::move(spaces[i]), finest));
  corners_ = std::make_unique<Corners>(std::move(spaces.back()), finest);
  const LevelSpace* fine = &spaces.front();
  CellLoop<double>* cells = &finest.op.loop();
  for (const auto& level : middle_) {
    steps_.push_back(std::make_unique<Step>(*cells, *fine, level->own));
    fine = &level->own;
    cells = &level->op.loop();
  }
  steps_.push_back(std::make_unique<Step>(*cells, *fine, corners_->own));
}

PcmgMultigrid::~PcmgMultigrid() = default;

void PcmgMultigrid::configure(PC pc) {
  const auto count = static_cast<PetscInt>(steps_.size()) + 1;
  check(PCSetType(pc, PCMG));
  check(PCMGSetLevels(pc, count, nullptr));
  check(PCMGSetType(pc, PC_MG_MULTIPLICATIVE));
  check(PCMGSetGalerkin(pc, PC_MG_GALERKIN_NONE));
  for (PetscInt l = 1; l < count; ++l) {
    KSP smoother = nullptr;
    check(PCMGSetInterpolation(pc, l, steps_[static_cast<std::size_t>(count - 1 - l)]->matrix.get()));
    check(PCMGGetSmoother(pc, l, &smoother));
    // Measured on a slab whose cells are four times as thick as long: with a higher lower end the number of iterations
    // grows with the mesh, since modes across the thickness, which degree 1 cannot represent, are that low. More steps,
    // which the levels in single precision use for cells of 1:10 and near incompressibility, save iterations here, but
    // no time.
    prefer_chebyshev(smoother, 5, 0.03, PCJACOBI);
    KSP estimator = nullptr;
    const Constraints& held =
        l + 1 == count ? finest_->constraints : middle_[static_cast<std::size_t>(count - 2 - l)]->own.constraints();
    check(KSPChebyshevEstEigGetKSP(smoother, &estimator));
    check(KSPSetPreSolve(estimator, drop_held, const_cast<Constraints*>(&held)));
  }
  KSP coarse = nullptr;
  check(PCMGGetCoarseSolve(pc, &coarse));
  prefer_coarse_solver(coarse);
  check(KSPSetFromOptions(coarse));  // PCMG does so only at its own set-up
}

bool PcmgMultigrid::drives(PC pc) const {
  PetscBool own = PETSC_FALSE;
  PetscInt levels = 0;
  Mat interpolation = nullptr;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCMG, &own));
  if (!own) return false;
  check(PCMGGetLevels(pc, &levels));
  if (levels != static_cast<PetscInt>(steps_.size()) + 1) return false;
  check(PCMGGetInterpolation(pc, 1, &interpolation));
  return interpolation == steps_.back()->matrix.get();
}

void PcmgMultigrid::update(Tangent& tangent, Shifts s, PC pc) {
  const petsc::ScopedEvent event(petsc::Event::precondition);
  finest_->tangent = &tangent;
  finest_->shifts = s;
  {
    const petsc::ReadView u(tangent.displacement());
    const double* above = u.span().data();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      double* below = steps_[i]->work.data();
      steps_[i]->transfer.evaluate(above, below);
      if (i < middle_.size()) middle_[i]->update(below, s, tangent.history());
      above = below;
    }
  }
  corners_->update(tangent, s, steps_.back()->work);
  steps_.back()->unit = corners_->unit;
  KSP ksp = nullptr;
  PC coarse_pc = nullptr;
  check(PCMGGetCoarseSolve(pc, &ksp));
  check(KSPGetPC(ksp, &coarse_pc));
  check(KSPSetOperators(ksp, corners_->matrix.get(), corners_->matrix.get()));
  rebuild_gamg(coarse_pc, coarse_smoothing);
  for (std::size_t i = 0; i <= middle_.size(); ++i) {
    Mat matrix = i == 0 ? finest_->matrix.get() : middle_[i - 1]->matrix.get();
    touch(matrix);
    check(PCMGGetSmoother(pc, static_cast<PetscInt>(steps_.size() - i), &ksp));
    check(KSPSetOperators(ksp, matrix, matrix));
  }
  // The PC must be set up again even if its own operator looks unchanged.
  Mat operator_matrix = nullptr, preconditioner_matrix = nullptr;
  PetscBool set = PETSC_FALSE, reuse = PETSC_FALSE;
  check(PCGetOperatorsSet(pc, &set, nullptr));
  if (!set) return;
  check(PCGetOperators(pc, &operator_matrix, &preconditioner_matrix));
  touch(preconditioner_matrix);
  check(PCGetReusePreconditioner(pc, &reuse));
  check(PCSetReusePreconditioner(pc, PETSC_FALSE));
  check(PCSetUp(pc));
  check(PCSetReusePreconditioner(pc, reuse));
}

}  // namespace gearshift::solid
