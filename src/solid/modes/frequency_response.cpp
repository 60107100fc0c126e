#include <gearshift/solid/frequency_response.hpp>

#include "solid/modes/pencil.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace gearshift::solid {

using petsc::check;

namespace {

PetscReal inner(Vec a, Vec b) {
  PetscScalar value = 0;
  check(VecDot(a, b, &value));
  return value;
}

void require(const Body& body, const Modes& modes, const ModalDamping& damping) {
  for (const PetscReal d : {damping.ratio, damping.mass, damping.stiffness})
    if (!(d >= 0) || !std::isfinite(d))
      throw OptionError("frequency response: " + std::to_string(d) + " does not damp; give numbers of 0 or more");
  if (body.internal_layout() && !body.internal_follows_path())
    throw OptionError(
        "frequency response: the damping of viscoelastic materials (-prony_g) depends on the frequency and is not "
        "accounted for; leave them elastic and give a damping ratio (-transfer_damping)");
  PetscReal highest = 0;
  for (const Mode& mode : modes.modes()) highest = std::max(highest, mode.frequency);
  for (const Mode& mode : modes.modes())
    if (mode.frequency < -1e-3 * highest)  // less may be a motion that nothing resists
      throw Error("frequency response: the state is unstable (a mode has the frequency " +
                  std::to_string(mode.frequency) + "), vibrations about it grow; take the loads before it buckles");
}

}  // namespace

FrequencyResponse::FrequencyResponse(Body& body, const State& at, const Modes& modes, Vec forces, ModalDamping damping)
    : modes_(modes) {
  require(body, modes, damping);
  Pencil pencil(body, at);
  const auto load = pencil.vector(), product = pencil.vector();
  check(VecCopy(forces, load.get()));
  pencil.mask(load.get());
  residual_ = pencil.vector();
  pencil.solve(load.get(), residual_.get());
  const PetscReal whole = inner(residual_.get(), load.get());
  for (std::size_t k = 0; k < modes.modes().size(); ++k) {
    const PetscReal omega = 2 * std::numbers::pi * modes.modes()[k].frequency;
    squares_.push_back(omega * std::abs(omega));
    loads_.push_back(inner(modes.shape(k), load.get()));
    check(VecAXPY(residual_.get(), -loads_[k] / (squares_[k] + pencil.shift()), modes.shape(k)));
  }
  // Its share of the work of the loads; what is no more than the error of the solves has no frequency.
  if (inner(residual_.get(), load.get()) > 1e-7 * whole) {
    check(VecScale(residual_.get(), 1 / std::sqrt(pencil.form(pencil.mass(), residual_.get(), residual_.get()))));
    squares_.push_back(pencil.form(pencil.stiffness(), residual_.get(), residual_.get()));
    loads_.push_back(inner(residual_.get(), load.get()));
  }
  const auto tangent = body.make_linearization();
  tangent->update(at);
  damping_.assign(size() * size(), 0);
  for (std::size_t k = 0; k < size(); ++k) {
    tangent->apply({0, 1, 0}, shape(k), product.get());
    for (std::size_t l = 0; l < size(); ++l) damping_[size() * l + k] = inner(shape(l), product.get());
    damping_[size() * k + k] +=
        2 * damping.ratio * std::sqrt(std::abs(squares_[k])) + damping.mass + damping.stiffness * squares_[k];
  }
}

std::vector<std::complex<PetscReal>> FrequencyResponse::amplitudes(PetscReal f) const {
  using Complex = std::complex<PetscReal>;
  const PetscReal omega = 2 * std::numbers::pi * f;
  const auto count = static_cast<Eigen::Index>(squares_.size());
  using Rows = Eigen::Matrix<PetscReal, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> C(damping_.data(), count, count);
  const Eigen::Map<const Eigen::VectorXd> squares(squares_.data(), count), loads(loads_.data(), count);
  Eigen::MatrixXcd A = Complex(0, omega) * C.cast<Complex>();
  A.diagonal() += (squares.array() - omega * omega).matrix().cast<Complex>();
  const Eigen::VectorXcd y = A.partialPivLu().solve(loads.cast<Complex>());
  return {y.begin(), y.end()};
}

}  // namespace gearshift::solid
