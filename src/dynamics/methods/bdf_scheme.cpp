#include <gearshift/bdf/weights.hpp>
#include <gearshift/dynamics/bdf_scheme.hpp>

#include "petsc/combine.hpp"
#include "petsc/queries.hpp"
#include "petsc/text_of.hpp"

#include <algorithm>
#include <stdexcept>

namespace gearshift {

using petsc::check;
using petsc::combine;

namespace {

void check_order(int order) {
  if (order < 1 || order > BdfScheme::max_order)
    throw OptionError("BDF order " + std::to_string(order) + " is not in 1..12; orders 1..6 are zero-stable");
}

}  // namespace

BdfScheme::BdfScheme(Vec layout, int levels, int order) : levels_(levels), order_(order) {
  check_order(order);
  if (levels < 1) throw OptionError("an ODE has order 1 or more, not " + std::to_string(levels));
  check(VecDuplicate(layout, layout_.out()));
  inertia_.resize(levels);
  for (auto& vec : inertia_) check(VecDuplicate(layout, vec.out()));
  reserve(order);
}

void BdfScheme::reserve(int order) {
  // The state being solved, order + 1 states for the predictor, and one state that a rollback restores.
  const std::size_t slots = order + 3;
  kept_ = std::max(kept_, order + 2);
  if (ring_.size() >= slots) return;
  const std::size_t old = ring_.size();
  std::vector<std::vector<petsc::Handle<Vec>>> ring;
  std::vector<PetscReal> steps(slots), times(slots);
  // Oldest first, so that slot size_-1 is the newest.
  for (int age = size_; age >= 1; --age) {
    const std::size_t from = (newest_ + old + 1 - age) % old;
    steps[ring.size()] = steps_[from];
    times[ring.size()] = times_[from];
    ring.push_back(std::move(ring_[from]));
  }
  for (auto& slot : ring_)
    if (!slot.empty()) ring.push_back(std::move(slot));
  while (ring.size() < slots) {
    ring.emplace_back(levels_);
    for (auto& vec : ring.back()) vec = petsc::duplicate(layout_.get());
  }
  newest_ = size_ > 0 ? size_ - 1 : 0;
  ring_ = std::move(ring);
  steps_ = std::move(steps);
  times_ = std::move(times);
}

void BdfScheme::set_order(int order) {
  check_order(order);
  reserve(order);
  order_ = order;
}

Vec BdfScheme::slot(int age, int level) const {
  const int slots = static_cast<int>(ring_.size());
  return ring_[(newest_ + 1 - age + slots) % slots][level].get();
}

void BdfScheme::past_times(int count, PetscReal since_newest, double* times) const {
  const int slots = static_cast<int>(ring_.size());
  PetscReal back = since_newest;
  for (int age = 1; age <= count; ++age) {
    times[count - age] = -back;
    back += steps_[(newest_ + 1 - age + slots) % slots];
  }
}

int BdfScheme::size(PetscReal dt) const {
  constexpr PetscReal apart = 1 + 1e-12;
  const int slots = static_cast<int>(ring_.size());
  PetscReal back = dt;
  for (int age = 1; age < size_; ++age) {
    const PetscReal next = back + steps_[(newest_ + 1 - age + slots) % slots];
    if (next <= apart * back) return age;
    back = next;
  }
  return size_;
}

void BdfScheme::set_initial_conditions(PetscReal t, std::span<const Vec> x) {
  if (static_cast<int>(x.size()) != levels_)
    throw OptionError("an ODE of order " + std::to_string(levels_) + " starts from " + std::to_string(levels_) +
                      " vectors, not " + std::to_string(x.size()));
  newest_ = 0;
  size_ = 1;
  step_order_ = 0;
  time_ = t;
  steps_[0] = 0;
  times_[0] = t;
  for (int level = 0; level < levels_; ++level)
    if (x[level] != slot(1, level)) check(VecCopy(x[level], slot(1, level)));
}

void BdfScheme::times(int count, PetscReal dt, std::span<double> out) const {
  past_times(count, dt, out.data());
  out[count] = 0;  // relative to the new time, so that no digits are lost if t is large
}

void BdfScheme::begin_step(PetscReal dt) {
  if (!(dt > 0) || PetscIsInfOrNanReal(dt))
    throw OptionError("time step dt = " + petsc::text_of(dt) + " must be positive and finite");
  if (size_ == 0) throw Error("begin_step: no initial conditions yet; call set_initial_conditions first");
  const int s = std::min(order_, size(dt));
  std::array<double, max_points> t{};
  times(s, dt, t);
  begin_step(dt, bdf::bdf_formula(std::span<const double>(t.data(), s + 1)), {});
}

void BdfScheme::begin_step(PetscReal dt, const bdf::Formula& formula, std::span<const Vec> derivatives) {
  begin_step(dt, formula, derivatives, {.level = -1});
}

void BdfScheme::begin_step(PetscReal dt, const bdf::Formula& formula, std::span<const Vec> derivatives,
                           const Prediction& prediction) {
  dt_ = dt;
  formula_ = formula;
  step_order_ = formula.points;
  const int s = step_order_;
  beta_tilde_ = 1 / formula.alpha();
  std::array<PetscScalar, max_points> w{}, w_predicted{};
  std::array<Vec, max_points + 1> x{};
  for (int level = 0; level < levels_; ++level) {
    const int predicting = level == prediction.level ? std::min(prediction.points, size(dt)) : 0;
    const int states = std::max(s, predicting);
    int terms = s;
    for (int k = 0; k < states; ++k) x[k] = slot(states - k, level);
    for (int k = 0; k < s; ++k) w[k] = formula.c[k] * beta_tilde_;
    if (formula.d != 0) {
      w[terms++] = formula.d * beta_tilde_;
      x[states] = derivatives[level];
    }
    const auto count = static_cast<std::size_t>(terms), all = static_cast<std::size_t>(states + terms - s);
    const petsc::Sum inertia{{inertia_[level].get(), nullptr}, {w.data(), count}, all - count};
    if (predicting == 0) {
      combine({&inertia, 1}, {x.data(), all});
      continue;
    }
    const auto points = static_cast<std::size_t>(predicting);
    prediction_weights({w_predicted.data(), points});
    const std::array<petsc::Sum, 2> sums{
        inertia, {prediction.out, {w_predicted.data(), points}, static_cast<std::size_t>(states - predicting)}};
    combine(sums, {x.data(), all});
  }
}

PetscReal BdfScheme::alpha(int k) const {
  if (k < 0 || k >= step_order_)
    throw std::out_of_range("BdfScheme::alpha(" + std::to_string(k) + "): the step has " + std::to_string(step_order_) +
                            " past states");
  return formula_.c[k] * beta_tilde_;
}

Vec BdfScheme::inertia(int level) const {
  if (level < 0 || level >= levels_) throw std::out_of_range("BdfScheme::inertia: no level " + std::to_string(level));
  return inertia_[level].get();
}

Vec BdfScheme::state(int k, int level) const {
  const int count = step_order_ > 0 ? step_order_ : std::min(order_, size_);
  if (k < 0 || k >= count || level < 0 || level >= levels_)
    throw std::out_of_range("BdfScheme::state(" + std::to_string(k) + ", " + std::to_string(level) + "): there are " +
                            std::to_string(count) + " states of " + std::to_string(levels_) + " levels");
  return slot(count - k, level);
}

Vec BdfScheme::current(int level) const {
  if (level < 0 || level >= levels_) throw std::out_of_range("BdfScheme::current: no level " + std::to_string(level));
  return slot(0, level);
}

void BdfScheme::predict(int level, Vec out) const { predict(level, order_ + 1, out); }

void BdfScheme::predict(int level, int points, Vec out) const {
  const int n = std::min(points, size(dt_));
  std::array<double, max_points> w{};
  std::array<Vec, max_points> x{};
  for (int age = 1; age <= n; ++age) x[n - age] = slot(age, level);
  const auto count = static_cast<std::size_t>(n);
  prediction_weights({w.data(), count});
  combine(out, {w.data(), count}, {x.data(), count});
}

/// Computes the weights for w.size() of the newest states, oldest first.
void BdfScheme::prediction_weights(std::span<double> w) const {
  std::array<double, max_points> times{};
  past_times(static_cast<int>(w.size()), dt_, times.data());
  bdf::interpolation_weights(std::span<const double>(times.data(), w.size()), 0.0, w);
}

/// Computes out = factor times the divided difference over current() and the `points` newest states.
bool BdfScheme::scaled_difference(int level, int points, double factor, Vec out) const {
  if (size(dt_) < points) return false;
  std::array<double, max_points + 1> t{}, w{};
  std::array<Vec, max_points + 1> x{};
  times(points, dt_, t);
  for (int age = 0; age <= points; ++age) x[points - age] = slot(age, level);
  const auto count = static_cast<std::size_t>(points + 1);
  bdf::divided_difference_weights(std::span<const double>(t.data(), count), std::span<double>(w.data(), count));
  for (double& weight : w) weight *= factor;
  combine(out, {w.data(), count}, {x.data(), count});
  return true;
}

bool BdfScheme::local_error(int level, Vec error) const {
  if (step_order_ == 0) return false;
  return scaled_difference(level, formula_.order + 1, formula_.defect * beta_tilde_, error);
}

bool BdfScheme::local_error(int level, int order, Vec error) const {
  if (size(dt_) < order + 1) return false;
  std::array<double, max_points> t{};
  times(order, dt_, t);
  const bdf::Formula formula = bdf::bdf_formula(std::span<const double>(t.data(), order + 1));
  return scaled_difference(level, order + 1, formula.defect / formula.alpha(), error);
}

void BdfScheme::finish_step(std::span<const Vec> x) {
  if (static_cast<int>(x.size()) != levels_)
    throw OptionError("finish_step: " + std::to_string(levels_) + " vectors are needed, not " +
                      std::to_string(x.size()));
  for (int level = 0; level < levels_; ++level)
    if (x[level] != slot(0, level)) check(VecCopy(x[level], slot(0, level)));
  advance_time();
}

void BdfScheme::advance_time() { advance_time_to(time_ + dt_); }

void BdfScheme::advance_time_to(PetscReal t) {
  if (step_order_ == 0) throw Error("the step was not begun; call begin_step(dt) first");
  const int slots = static_cast<int>(ring_.size());
  newest_ = (newest_ + 1) % slots;
  steps_[newest_] = dt_;
  times_[newest_] = t;
  time_ = t;
  size_ = std::min(size_ + 1, kept_);
  step_order_ = 0;
}

void BdfScheme::rollback() {
  if (size_ < 2) throw Error("rollback: no completed step to take back");
  const int slots = static_cast<int>(ring_.size());
  newest_ = (newest_ - 1 + slots) % slots;
  --size_;
  time_ = times_[newest_];
  step_order_ = 0;
}

int BdfScheme::divide_last_step(int parts, const std::function<void(PetscReal t, int level, Vec out)>& state) {
  const int slots = static_cast<int>(ring_.size());
  if (size_ < 2) throw Error("divide_last_step: needs a completed step");
  parts = std::clamp(parts, 1, kept_ - 1);  // both ends are kept
  const int older = std::min(size_ - 1, kept_ - parts), unused = slots - 1 - older;
  const PetscReal part = last_step() / parts;
  std::vector<std::vector<petsc::Handle<Vec>>> ring;
  std::vector<PetscReal> steps, times;
  const auto at = [&](int age) { return static_cast<std::size_t>((newest_ + 1 - age + slots) % slots); };
  const auto take = [&](int age, PetscReal step, PetscReal t) {
    ring.push_back(std::move(ring_[at(age)]));
    steps.push_back(step);
    times.push_back(t);
  };
  for (int i = 1; i < parts; ++i)
    for (int level = 0; level < levels_; ++level) state(time_ - (parts - i) * part, level, slot(1 + older + i, level));
  for (int age = older + 1; age >= 2; --age) take(age, steps_[at(age)], times_[at(age)]);
  for (int i = 1; i < parts; ++i) take(1 + older + i, part, time_ - (parts - i) * part);
  take(1, part, time_);
  for (int spare = parts; spare <= unused; ++spare) take(1 + older + spare, 0, 0);
  newest_ = older + parts - 1;
  size_ = older + parts;
  ring_ = std::move(ring);
  steps_ = std::move(steps);
  times_ = std::move(times);
  step_order_ = 0;
  return parts;
}

Vec BdfScheme::past(int age, int level) const {
  if (age < 1 || age > size_ || level < 0 || level >= levels_)
    throw std::out_of_range("BdfScheme::past: there are " + std::to_string(size_) + " states of " +
                            std::to_string(levels_) + " levels");
  return slot(age, level);
}

}  // namespace gearshift
