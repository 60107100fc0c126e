#include <gearshift/solid/frequency_response.hpp>

#include "petsc/lapack.hpp"
#include "petsc/queries.hpp"
#include "solid/modes/pencil.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gearshift::solid {

using petsc::check;

namespace {

void require(const Body& body, const Modes& modes, const ModalDamping& damping) {
  for (const PetscReal d : {damping.ratio, damping.mass, damping.stiffness})
    if (!(d >= 0) || !std::isfinite(d))
      throw OptionError("frequency response: " + std::to_string(d) +
                        " is not a valid damping; give numbers of 0 or more");
  if (body.internal_layout() && !body.internal_follows_path())
    throw OptionError(
        "frequency response: the damping of viscoelastic materials (-prony_g) depends on the frequency and is not "
        "accounted for; leave them elastic and give a damping ratio (-frequency_response_damping)");
  PetscReal highest = 0;
  for (const Mode& mode : modes.modes()) highest = std::max(highest, mode.frequency);
  for (const Mode& mode : modes.modes())
    if (mode.frequency < -1e-3 * highest)  // a smaller frequency may belong to a motion that nothing resists
      throw Error("frequency response: the state is unstable (a mode has the frequency " +
                  std::to_string(mode.frequency) + "), vibrations about it grow; use loads below the buckling load");
}

}  // namespace

void FrequencyResponse::add_residual(Pencil& pencil, Vec load) {
  auto rest = pencil.vector();
  pencil.solve(load, rest.get());
  const PetscReal whole = petsc::dot(rest.get(), load);
  for (std::size_t k = 0; k < modes_.modes().size(); ++k)
    check(VecAXPY(rest.get(), -petsc::dot(modes_.shape(k), load) / (squares_[k] + pencil.shift()), modes_.shape(k)));
  for (const auto& other : residuals_)
    check(VecAXPY(rest.get(), -pencil.form(pencil.mass(), other.get(), rest.get()), other.get()));
  // Its share of the work of the loads; a share no larger than the error of the solves has no meaningful frequency.
  const PetscReal stiffness = pencil.form(pencil.stiffness(), rest.get(), rest.get());
  const PetscReal mass = pencil.form(pencil.mass(), rest.get(), rest.get());
  if (!(stiffness + pencil.shift() * mass > 1e-7 * whole)) return;
  check(VecScale(rest.get(), 1 / std::sqrt(mass)));
  squares_.push_back(stiffness / mass);
  residuals_.push_back(std::move(rest));
}

void FrequencyResponse::separate_residuals(const Pencil& pencil) {
  if (residuals_.size() < 2) return;
  const Vec a = residuals_[0].get(), b = residuals_[1].get();
  const std::size_t first = modes_.modes().size();
  std::array<double, 4> Q{squares_[first], pencil.form(pencil.stiffness(), a, b), 0, squares_[first + 1]};
  const std::vector<double> own = petsc::symmetric_eigen(Q, true);  // of the lower triangle
  const auto turned = pencil.vector();
  check(VecAXPBYPCZ(turned.get(), Q[0], Q[1], 0, a, b));
  check(VecAXPBY(b, Q[2], Q[3], a));
  check(VecCopy(turned.get(), a));
  for (const std::size_t i : {0U, 1U}) squares_[first + i] = own[i];
}

FrequencyResponse::FrequencyResponse(Body& body, const State& at, const Modes& modes, Vec forces, ModalDamping damping,
                                     Vec motion)
    : modes_(modes) {
  require(body, modes, damping);
  Pencil pencil(body, at);
  for (const Mode& mode : modes.modes()) {
    const PetscReal omega = 2 * std::numbers::pi * mode.frequency;
    squares_.push_back(omega * std::abs(omega));
  }
  const auto tangent = body.make_linearization();
  tangent->update(at);
  const auto load = pencil.vector(), inertia = pencil.vector(), friction = pencil.vector(), product = pencil.vector();
  const auto masked_product = [&](Shifts s, Vec in, Vec out) {
    tangent->apply(s, in, out);
    pencil.mask(out);
  };
  const auto is_zero = [](Vec x) { return petsc::norm(x, NORM_INFINITY) == 0; };
  check(VecCopy(forces, load.get()));
  pencil.mask(load.get());
  if (motion && !is_zero(motion)) {
    // (K + shift M)^-1 K G is the motion that the supports induce; if the shift is not 0, K S remains as a load.
    motion_ = pencil.vector();
    masked_product({1, 0, 0}, motion, product.get());
    pencil.solve(product.get(), motion_.get());
    check(VecAYPX(motion_.get(), -1, motion));
    if (pencil.shift() != 0) {
      masked_product({1, 0, 0}, motion_.get(), product.get());
      check(VecAXPY(load.get(), -1, product.get()));
    }
    masked_product({0, 0, 1}, motion_.get(), inertia.get());
    masked_product({damping.stiffness, 1, damping.mass}, motion_.get(), friction.get());
  }
  for (const auto* given : {&load, &inertia})
    if (!is_zero(given->get())) add_residual(pencil, given->get());
  separate_residuals(pencil);
  const std::size_t count = squares_.size();
  damping_.assign(count * count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    loads_.push_back(petsc::dot(shape(k), load.get()));
    inertia_.push_back(petsc::dot(shape(k), inertia.get()));
    friction_.push_back(petsc::dot(shape(k), friction.get()));
    masked_product({0, 1, 0}, shape(k), product.get());
    for (std::size_t l = 0; l < count; ++l) damping_[count * l + k] = petsc::dot(shape(l), product.get());
    damping_[count * k + k] +=
        2 * damping.ratio * std::sqrt(std::abs(squares_[k])) + damping.mass + damping.stiffness * squares_[k];
  }
  for (const auto& residual : residuals_) pencil.complete(residual.get());
  if (motion_) pencil.complete(motion_.get());
}

std::vector<std::complex<PetscReal>> FrequencyResponse::amplitudes(PetscReal f) const {
  using Complex = std::complex<PetscReal>;
  const PetscReal omega = 2 * std::numbers::pi * f;
  const auto count = static_cast<Eigen::Index>(squares_.size());
  using Rows = Eigen::Matrix<PetscReal, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> C(damping_.data(), count, count);
  const auto vector = [count](const std::vector<PetscReal>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), count);
  };
  Eigen::MatrixXcd A = Complex(0, omega) * C.cast<Complex>();
  A.diagonal() += (vector(squares_).array() - omega * omega).matrix().cast<Complex>();
  const Eigen::VectorXd in_phase = vector(loads_) + omega * omega * vector(inertia_);
  const Eigen::VectorXcd y =
      A.partialPivLu().solve(in_phase.cast<Complex>() - Complex(0, omega) * vector(friction_).cast<Complex>());
  std::vector<Complex> all(y.begin(), y.end());
  if (motion_) all.emplace_back(1);
  return all;
}

}  // namespace gearshift::solid
