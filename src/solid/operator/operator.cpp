#include "solid/operator/operator.hpp"

#include <gearshift/petsc/options.hpp>
#include <gearshift/petsc/views.hpp>

#include "solid/material/registered_laws.hpp"
#include "solid/operator/choose_kernels.hpp"
#include "solid/operator/run_operator.hpp"

#include <optional>
#include <sstream>

namespace gearshift::solid {

KernelOptions read_kernel_options(MPI_Comm comm) {
  KernelOptions result;
  petsc::read_options(comm, "", "Kernels of the solid", [&](petsc::Options& options) {
    static constexpr const char* precisions[] = {"double", "float"};
    int points = result.lean_points ? 1 : 0, levels = result.single_levels ? 1 : 0;
    options.string("-solid_simd",
                   "instruction set of the kernels: auto (the widest of this machine), sse2, avx2, avx512",
                   result.simd);
    options.choice("-solid_points", "precision in which the tangent keeps its quadrature points", precisions, points);
    options.choice("-solid_levels", "precision of the multigrid's matrix-free levels", precisions, levels);
    result.lean_points = points == 1;
    result.single_levels = levels == 1;
  });
  (void)choose_kernels(result.simd);
  return result;
}

namespace {

/// Returns the materials as the laws use them: without the bulk stiffness in the mixed formulation.
MaterialTable of_laws(const MaterialTable& material, Formulation formulation) {
  if (formulation == Formulation::displacement) return material;
  return material.transformed([](const Material& m) { return with_bulk_stiffness(m, 0); });
}

/// Writes the points' plastic strain, from internal variables z in the form stored at accepted states.
void note_plastic_strain(const QuadratureStore& store, PetscInt cell, double factor, const double* z,
                         std::span<PointState> points) {
  const double* alpha = z + store.begin(cell) + QuadratureStore::entries - 1;
  for (PointState& point : points) {
    point.plastic_strain = store.follows_path(cell) ? factor * *alpha : 0;
    alpha += QuadratureStore::entries;
  }
}

}  // namespace

Operator::Operator(const Space& space, const MaterialTable& material, const KernelOptions& options,
                   Formulation formulation)
    : space_(space),
      kernels_(choose_kernels(options.simd)),
      lean_(options.lean_points),
      store_(space, material),
      loop_(space, of_laws(material, formulation), kernels_, 3),
      material_(material) {
  if (formulation == Formulation::mixed)
    bulk_ = std::make_unique<BulkPressure>(space, material, loop_.arrays(), kernels_);
  const auto materials = material.all();
  int flags[] = {store_.follows_path() ? 1 : 0, 0};
  for (const Material& m : materials)
    if (!has_second_derivative(m.law)) flags[1] = 1;
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, flags, 2, MPI_INT, MPI_MAX, space.comm()));
  follows_path_ = flags[0] != 0;
  has_derivative_ = flags[1] == 0;
}

std::string Operator::describe(const Inversion& found) const {
  if (found.batch < 0) return {};
  const PetscInt cell = loop_.arrays().cell(found.batch, found.lane);
  const Vec3 X =
      space_.mesh_cells().position(cell, space_.element(cell).points()[static_cast<std::size_t>(found.point)]);
  std::ostringstream text;
  text << "element " << space_.mesh_cells().point(cell) << " inverted: det F = " << 1 + found.volume_change << " at ("
       << X[0] << ", " << X[1] << ", " << X[2] << ")";
  return text.str();
}

/// Sets the internal variables of a state in batches.
class Operator::AtState {
 public:
  AtState(const Operator& op, const InternalState& x) : factor_(x.factor), rate_(x.rate) {
    if (!x.base) return;
    base_.emplace(x.base);
    if (base_->size() != static_cast<std::size_t>(op.store_.size()))
      throw Error("State::internal: base does not have the layout SystemInternalVariables::internal_layout()");
  }
  Batches<double> operator()(Batches<double> b) const {
    b.branches.base = base_ ? base_->span().data() : nullptr;
    b.branches.factor = factor_;
    b.branches.rate = rate_;
    return b;
  }

 private:
  std::optional<petsc::ReadView> base_;
  double factor_, rate_;
};

std::string Operator::residual(Vec u, Vec a, const InternalState& internal, Vec out) const {
  Inversion found;
  const AtState at(*this, internal);
  run_cells<2>(*this, {u, a}, out, [&](const Batches<double>& b, Range range, const auto& in, double* to) {
    if (bulk())
      kernels_.bulk.residual(at(b), range, bulk()->cells(b.kind), in[0], in[1], to, &found);
    else
      kernels_.residual(at(b), range, in[0], in[1], to, &found);
  });
  return describe(found);
}

std::string Operator::linearize(Vec u, const InternalState& internal, PointData<double>& points,
                                const double* pressures) const {
  Inversion found;
  const AtState at(*this, internal);
  run_cells<1>(*this, {u}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    points.linearize(at(b), range, in[0], &found);
    if (bulk())
      kernels_.bulk.linearize(b, range, bulk()->cells(b.kind), in[0], pressures, points.bulk(),
                              points.pressures().data());
  });
  return describe(found);
}

void Operator::linearize(Vec u, const PointHistory& history, const LargeArray<double>& parameters,
                         PointData<double>& points) const {
  Inversion ignored;
  run_cells<1>(*this, {u}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    Batches<double> with = b;
    with.branches.base = history.base;
    with.branches.rate = history.rate;
    with.parameters = parameters.data();
    points.linearize(with, range, in[0], &ignored);
  });
}

std::string Operator::internal_variables(Vec u, const InternalState& internal, Vec z) const {
  Inversion found;
  const AtState at(*this, internal);
  const petsc::WriteView values(z);
  run_cells<1>(*this, {u}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    kernels_.internal(at(b), range, in[0], values.span().data(), &found);
  });
  return describe(found);
}

std::string Operator::visit_points(Vec u, const InternalState& internal, const PointVisitor& use) const {
  Inversion found;
  const AtState at(*this, internal);
  const BatchArrays<double>& arrays = loop_.arrays();
  const auto lanes = static_cast<std::size_t>(arrays.lanes());
  std::vector<double> batch, pressures;
  std::vector<PointState> cell;
  run_cells<1>(*this, {u}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    cell.resize(static_cast<std::size_t>(b.cell_points));
    batch.resize(cell.size() * point_values * lanes);
    for (int i = range.begin; i < range.end; ++i) {
      kernels_.values_at_points(at(b), {i, i + 1}, in[0], batch.data(), &found);
      if (bulk()) {
        pressures.resize(2 * cell.size() * lanes);
        kernels_.bulk.at_points(b, {i, i + 1}, bulk()->cells(b.kind), in[0], pressures.data());
      }
      for (int l = 0; l < arrays.used(i); ++l) {
        const double* from = batch.data() + l;
        for (PointState& point : cell) {
          for (double& x : point.gradient) x = *from, from += lanes;
          for (double& x : point.stress) x = *from, from += lanes;
          point.energy = *from, from += lanes;
        }
        const PetscInt number = arrays.cell(i, l);
        if (bulk()) BulkPressure::add_to_points(pressures.data() + l, lanes, material_[number], cell);
        if (const double* z = at(b).branches.base) note_plastic_strain(store_, number, internal.factor, z, cell);
        use(number, cell);
      }
    }
  });
  return describe(found);
}

void Operator::apply(const PointData<double>& points, PetscReal sq, PetscReal sa, Vec in, Vec out) const {
  run_cells<1>(*this, {in}, out, [&](const Batches<double>& b, Range range, const auto& from, double* to) {
    if (bulk() && sq != 0)
      points.apply(b, range, bulk()->cells(b.kind), sq, sa, from[0], nullptr, to, nullptr);
    else
      points.apply(b, range, sq, sa, from[0], to);
  });
}

void Operator::apply_mass(Vec in, Vec out) const {
  run_cells<1>(*this, {in}, out, [&](const Batches<double>& b, Range range, const auto& from, double* to) {
    kernels_.in_double.tangent.apply(b, range, nullptr, 0, 1, from[0], to);
  });
}

void Operator::derivative(Vec u, PetscReal rate, Vec direction, Vec in, Vec out) const {
  const AtState at(*this, {nullptr, 1, rate});  // the contribution of the base to the forces is linear in u
  run_cells<3>(*this, {u, direction, in}, out,
               [&](const Batches<double>& b, Range range, const auto& from, double* to) {
                 kernels_.derivative(at(b), range, from[0], from[1], from[2], to);
               });
}

void Operator::diagonal(const PointData<double>& points, PetscReal sq, PetscReal sa, Vec out) const {
  run_cells<1>(*this, {nullptr}, out, [&](const Batches<double>& b, Range range, const auto&, double* to) {
    points.diagonal(b, range, sq, sa, to);
  });
}

std::array<PetscReal, 2> Operator::energy(Vec u, Vec v, const InternalState& internal) const {
  std::array<PetscReal, 2> result{};
  const AtState at(*this, internal);
  run_cells<2>(*this, {u, v}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    kernels_.energy(at(b), range, in[0], in[1], result.data());
    if (bulk() && u) kernels_.bulk.energy(b, range, bulk()->cells(b.kind), in[0], result.data());
  });
  return result;
}

PetscReal Operator::dissipated(Vec u, const InternalState& internal) const {
  PetscReal result = 0;
  const AtState at(*this, internal);
  run_cells<1>(*this, {u}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    kernels_.dissipated(at(b), range, in[0], &result);
  });
  return result;
}

PetscReal Operator::dissipation(Vec u, Vec v, const InternalState& internal) const {
  PetscReal result = 0;
  const AtState at(*this, internal);
  run_cells<2>(*this, {u, v}, nullptr, [&](const Batches<double>& b, Range range, const auto& in, double*) {
    kernels_.dissipation(at(b), range, in[0], in[1], &result);
  });
  return result;
}

}  // namespace gearshift::solid
