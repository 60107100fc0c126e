#include "sequences/random_system.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sequences {

namespace {

constexpr double rounding = 1e-12;  // the step to a declared time ends just before it

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}

void scatter(const Values& all, Vec x) {
  PetscInt first = 0;
  check(VecGetOwnershipRange(x, &first, nullptr));
  const gearshift::petsc::WriteView view(x);
  for (std::size_t i = 0; i < view.size(); ++i) view[i] = all[static_cast<std::size_t>(first) + i];
}

Handle<IS> owned(const std::vector<int>& entries, Vec layout) {
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(layout, &first, &last));
  std::vector<PetscInt> mine;
  for (const int i : entries)
    if (first <= i && i < last) mine.push_back(i);
  Handle<IS> set;
  check(
      ISCreateGeneral(PETSC_COMM_WORLD, static_cast<PetscInt>(mine.size()), mine.data(), PETSC_COPY_VALUES, set.out()));
  return set;
}

/// The tangent at a cached state.
class Cached : public gearshift::Linearization {
 public:
  explicit Cached(RandomSystem& system) : system_(system) {}
  void update(const State& x) override {
    q_ = gather(x.q);
    const Values unit_k = system_.matrix(q_, x.internal, {1, 0, 0});
    stiffness_ = unit_k;
  }
  void apply(Shifts s, Vec in, Vec out) override {
    const Values w = gather(in), m = whole(s);
    Values y(w.size(), 0.0);
    for (std::size_t i = 0; i < w.size(); ++i)
      for (std::size_t j = 0; j < w.size(); ++j) y[i] += m[i * w.size() + j] * w[j];
    system_.throw_at(RandomSystem::Site::product);
    scatter(y, out);
  }
  bool diagonal(Shifts s, Vec d) override {
    const Values m = whole(s);
    Values y(q_.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = m[i * y.size() + i];
    scatter(y, d);
    return true;
  }
  bool assemble(Shifts s, Mat P) override {
    const Values m = whole(s);
    PetscInt first = 0, last = 0;
    check(MatGetOwnershipRange(P, &first, &last));
    const auto n = static_cast<PetscInt>(q_.size());
    for (PetscInt i = first; i < last; ++i)
      for (PetscInt j = 0; j < n; ++j)
        check(MatSetValue(P, i, j, m[static_cast<std::size_t>(i * n + j)], INSERT_VALUES));
    check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
    return true;
  }

 private:
  Values whole(Shifts s) const {
    Values m = system_.matrix(q_, {}, {0, s.v, s.a});
    for (std::size_t i = 0; i < m.size(); ++i) m[i] += s.q * stiffness_[i];
    return m;
  }
  RandomSystem& system_;
  Values q_, stiffness_;
};

}  // namespace

Handle<Vec> vector(const Values& values, int block) {
  PetscInt blocks = PETSC_DECIDE, all = static_cast<PetscInt>(values.size()) / block;
  check(PetscSplitOwnership(PETSC_COMM_WORLD, &blocks, &all));
  Handle<Vec> x;
  check(VecCreateMPI(PETSC_COMM_WORLD, block * blocks, static_cast<PetscInt>(values.size()), x.out()));
  scatter(values, x.get());
  return x;
}

Values gather(Vec x) {
  PetscInt first = 0, size = 0;
  check(VecGetOwnershipRange(x, &first, nullptr));
  check(VecGetSize(x, &size));
  Values all(static_cast<std::size_t>(size), 0.0);
  {
    const gearshift::petsc::ReadView view(x);
    for (std::size_t i = 0; i < view.size(); ++i) all[static_cast<std::size_t>(first) + i] = view[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(size), MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return all;
}

RandomSystem::RandomSystem(const Recipe& recipe) : recipe_(recipe), rank_(rank_of_world()) {
  const Handle<Vec> layout = vector(Values(recipe.mass.size(), 0.0), recipe.block);
  if (recipe.internal != Internal::none) internal_ = vector(Values(recipe.mass.size(), 0.0), recipe.block);
  if (recipe.fixed.empty()) return;
  fixed_ = owned(recipe.fixed, layout.get());
  std::vector<int> rest = recipe.fixed;
  rest.pop_back();
  fixed_after_ = owned(rest, layout.get());
}

void RandomSystem::throw_at(Site site) const {
  if (site == poisoned && (poisoned_ranks >> rank_ & 1) != 0) throw std::runtime_error("thrown on request");
}

void RandomSystem::refuse_longer(double longest, double t) const {
  if (std::isfinite(last_) && t - last_ > longest && (recipe_.ranks >> rank_ & 1) != 0)
    throw gearshift::InvalidState("the step is too long");
}

void RandomSystem::begin(double t) {
  last_ = t;
  released_ = t >= recipe_.release_at * (1 - rounding);
}

/// Maxwell: z' = (share k q - z) / tau. Plastic: z follows q so that |k (q - z)| does not exceed the yield force.
Values RandomSystem::internal_values(const Values& q, const gearshift::InternalState& at) const {
  Values z(q.size(), 0.0);
  if (recipe_.internal == Internal::none) return z;
  if (at.base) z = gather(at.base);
  for (double& value : z) value *= at.factor;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double k = recipe_.share * recipe_.spring[i];
    if (recipe_.internal == Internal::maxwell) {
      const double part = 1 / (1 + at.rate * recipe_.tau);
      z[i] = (1 - part) * z[i] + part * k * q[i];
    } else if (std::isfinite(at.rate)) {
      z[i] = std::clamp(z[i], q[i] - recipe_.yield / k, q[i] + recipe_.yield / k);
    }
  }
  return z;
}

void RandomSystem::residual(const State& x, Vec r) {
  ++residuals;
  const Values q = gather(x.q), v = gather(x.v), a = gather(x.a), z = internal_values(q, x.internal);
  const std::size_t n = q.size();
  Values f(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double k = recipe_.spring[i];
    f[i] = recipe_.mass[i] * a[i] + recipe_.damper[i] * v[i] + k * q[i] + recipe_.cubic[i] * q[i] * q[i] * q[i];
    if (recipe_.internal == Internal::maxwell) f[i] -= z[i];
    if (recipe_.internal == Internal::plastic) f[i] += recipe_.share * k * (q[i] - z[i]);
  }
  for (std::size_t i = 1; i < n; ++i) {
    const double s = recipe_.coupling * (q[i] - q[i - 1]);
    f[i] += s - recipe_.skew * q[i - 1];
    f[i - 1] += -s + recipe_.skew * q[i];
  }
  const bool turned = recipe_.jump_period > 0 && std::fmod(std::floor(x.t / recipe_.jump_period), 2) != 0;
  f[n - 1] -= (turned ? -1 : 1) * recipe_.load * std::sin(recipe_.load_frequency * x.t + 0.3);
  const bool in_window = recipe_.window[0] < x.t && x.t < recipe_.window[1];
  if (std::isfinite(last_) && x.t - last_ > (in_window ? std::min(refused, recipe_.longest) : refused)) {
    too_long = x.t - last_;
    if ((recipe_.ranks >> rank_ & 1) != 0) throw gearshift::InvalidState("the step is too long");
  }
  throw_at(Site::residual);
  scatter(f, r);
}

Values RandomSystem::matrix(const Values& q, const gearshift::InternalState& at, Shifts s) const {
  const std::size_t n = q.size();
  Values m(n * n, 0.0);
  const Values z = s.q != 0 ? internal_values(q, at) : Values();
  for (std::size_t i = 0; i < n; ++i) {
    m[i * n + i] += s.a * recipe_.mass[i] + s.v * recipe_.damper[i];
    if (s.q == 0) continue;
    const double k = recipe_.spring[i], part = recipe_.share * k;
    double stiffness = k + 3 * recipe_.cubic[i] * q[i] * q[i];
    if (recipe_.internal == Internal::maxwell) stiffness -= part / (1 + at.rate * recipe_.tau);
    const bool elastic = std::abs(part * (q[i] - z[i])) < recipe_.yield * (1 - 1e-12) || !std::isfinite(at.rate);
    if (recipe_.internal == Internal::plastic && elastic) stiffness += part;
    m[i * n + i] += s.q * stiffness;
  }
  for (std::size_t i = 1; i < n && s.q != 0; ++i) {
    m[i * n + i] += s.q * recipe_.coupling;
    m[(i - 1) * n + i - 1] += s.q * recipe_.coupling;
    m[i * n + i - 1] -= s.q * (recipe_.coupling + recipe_.skew);
    m[(i - 1) * n + i] -= s.q * (recipe_.coupling - recipe_.skew);
  }
  return m;
}

void RandomSystem::tangent(const State& x, Shifts s, Vec in, Vec out) {
  if (recipe_.tangent == Tangent::differences) return System::tangent(x, s, in, out);
  const Values w = gather(in), m = matrix(gather(x.q), x.internal, s);
  Values y(w.size(), 0.0);
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < w.size(); ++j) y[i] += m[i * w.size() + j] * w[j];
  throw_at(Site::product);
  scatter(y, out);
}

std::unique_ptr<gearshift::Linearization> RandomSystem::make_linearization() {
  if (recipe_.tangent < Tangent::linearization) return System::make_linearization();
  return std::make_unique<Cached>(*this);
}

Mat RandomSystem::create_preconditioner_matrix() {
  if (recipe_.tangent != Tangent::matrix) return System::create_preconditioner_matrix();
  const Handle<Vec> layout = vector(Values(recipe_.mass.size(), 0.0), recipe_.block);
  PetscInt local = 0;
  check(VecGetLocalSize(layout.get(), &local));
  Mat P = nullptr;
  check(MatCreateAIJ(PETSC_COMM_WORLD, local, local, recipe_.n, recipe_.n, recipe_.n, nullptr, recipe_.n, nullptr, &P));
  return P;
}

IS RandomSystem::constrained() const { return released_ ? fixed_after_.get() : fixed_.get(); }

void RandomSystem::prescribe(PetscReal t, Vec q, Vec v, Vec a) {
  const double w = recipe_.load_frequency;
  const std::array<double, 3> motion{recipe_.shake * std::sin(w * t), recipe_.shake * w * std::cos(w * t),
                                     -recipe_.shake * w * w * std::sin(w * t)};
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(q, &first, &last));
  const std::array<Vec, 3> to{q, v, a};
  const std::size_t count = recipe_.fixed.size() - (released_ && !recipe_.fixed.empty() ? 1 : 0);
  for (std::size_t level = 0; level < 3; ++level) {
    if (!to[level]) continue;
    const gearshift::petsc::WriteView view(to[level]);
    for (std::size_t k = 0; k < count; ++k) {
      const int i = recipe_.fixed[k];
      if (first <= i && i < last)
        view[static_cast<std::size_t>(i - first)] =
            motion[level] + (level == 0 ? recipe_.q0[static_cast<std::size_t>(i)] : 0);
    }
  }
  throw_at(Site::prescribe);
}

std::optional<gearshift::Break> RandomSystem::next_break(PetscReal t, PetscReal until) {
  if (recipe_.jump_period == 0) return asks_base() ? System::next_break(t, until) : std::nullopt;
  const double next = (std::floor(t / recipe_.jump_period) + 1) * recipe_.jump_period;
  if (!(next <= until)) return std::nullopt;
  return gearshift::Break{next, true};
}

PetscReal RandomSystem::resolved_step(PetscReal t, PetscReal dt) {
  return asks_base() ? System::resolved_step(t, dt) : dt;
}

gearshift::MotionEstimate RandomSystem::expected_motion(const State& x, PetscReal until) {
  return asks_base() ? System::expected_motion(x, until) : gearshift::MotionEstimate{};
}

bool RandomSystem::take_out_rigid_motion(Vec q, Vec v) {
  if (!recipe_.rigid) return System::take_out_rigid_motion(q, v);
  for (Vec x : {q, v}) {
    PetscScalar sum = 0;
    check(VecSum(x, &sum));
    check(VecShift(x, -sum / recipe_.n));
  }
  return true;
}

std::optional<gearshift::Energy> RandomSystem::energy(const State& x) {
  if (recipe_.energies == Energies::none) return System::energy(x);
  const Values q = gather(x.q), v = gather(x.v);
  gearshift::Energy e;
  for (std::size_t i = 0; i < q.size(); ++i) {
    e.kinetic += recipe_.mass[i] * v[i] * v[i] / 2;
    e.stored += recipe_.spring[i] * q[i] * q[i] / 2 + recipe_.cubic[i] * std::pow(q[i], 4) / 4;
    if (i > 0) e.stored += recipe_.coupling * std::pow(q[i] - q[i - 1], 2) / 2;
    e.power_dissipated += recipe_.damper[i] * v[i] * v[i];
  }
  const bool turned = recipe_.jump_period > 0 && std::fmod(std::floor(x.t / recipe_.jump_period), 2) != 0;
  if (recipe_.energies == Energies::right)
    e.power_loads = (turned ? -1 : 1) * recipe_.load * std::sin(recipe_.load_frequency * x.t + 0.3) * v.back();
  return e;
}

void RandomSystem::internal_variables(const State& x, Vec z) { scatter(internal_values(gather(x.q), x.internal), z); }

void RandomSystem::accept(const State& x) {
  last_ = x.t;
  released_ = released_ || x.t >= recipe_.release_at * (1 - rounding);
  throw_at(Site::accept);
}

void RandomSystem::archive(gearshift::Archive& state) {
  state("last", last_);
  state("released", released_);
}

}  // namespace sequences
