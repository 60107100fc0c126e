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

namespace {

/// Returns true if the tangent stores moduli of points in some cell of this rank.
bool keeps_moduli(const BatchArrays<double>& arrays) {
  for (int b = 0; b < arrays.count(); ++b)
    if (arrays.keeps_modulus(b)) return true;
  return false;
}

}  // namespace

SoftBulk::SoftBulk(const Operator& op, const MaterialTable& material, double most)
    : op_(op), material_(material), max_(most) {
  // With a separate pressure the laws contain no volumetric part.
  const bool stiff = any_above(most, material) || op.bulk();
  const bool relinearize = petsc::any(op.space().comm(), stiff && keeps_moduli(op.loop().arrays()));
  if (stiff || relinearize) find_parameters(0);
  if (relinearize) moduli_.emplace(op.loop().kernels(), op.loop().arrays().point_data_size(), true);
}

void SoftBulk::find_parameters(PetscReal rate) {
  rate_ = rate;
  parameters_ = op_.loop().arrays().parameters_with_soft_bulk(op_.space(), material_, max_, rate);
}

void SoftBulk::update(Vec u, const PointHistory& history) {
  if (!moduli_) return;
  if (history.rate != rate_) find_parameters(history.rate);
  op_.linearize(u, history, parameters_, *moduli_);
}

}  // namespace gearshift::solid
