#include "solid/operator/soft_bulk.hpp"

#include "petsc/queries.hpp"

#include <algorithm>

namespace gearshift::solid {

bool any_above(double most, const MaterialTable& material) {
  return std::any_of(material.all().begin(), material.all().end(), [most](const Material& m) {
    const Lame moduli = relaxed_lame(m);
    return moduli.lambda > most * moduli.mu;
  });
}

SoftBulk::SoftBulk(const Operator& op, const MaterialTable& material, double most)
    : op_(op), material_(material), max_(most) {
  // With a separate pressure the laws contain no volumetric part.
  const bool stiff = any_above(most, material) || op.bulk();
  const bool relinearize = petsc::any(op.space().comm(), stiff && op.keeps_moduli());
  if (stiff || relinearize) parameters_ = op.parameters_with_soft_bulk(material, most, rate_ = 0);
  if (relinearize) moduli_.emplace(op.make_lean_point_data());
}

void SoftBulk::update(Vec u, const PointHistory& history) {
  if (!moduli_) return;
  if (history.rate != rate_) parameters_ = op_.parameters_with_soft_bulk(material_, max_, rate_ = history.rate);
  op_.linearize(u, history, parameters_, *moduli_);
}

}  // namespace gearshift::solid
