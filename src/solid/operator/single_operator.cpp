#include "solid/operator/single_operator.hpp"

#include "solid/operator/choose_kernels.hpp"

namespace gearshift::solid {

SingleOperator::SingleOperator(const Space& space, const Supports& supports, const MaterialTable& material,
                               const KernelOptions& options)
    : space_(space),
      supports_(supports),
      kernels_(choose_kernels(options.simd)),
      arrays_(space, material, kernels_),
      exchange_(space),
      points_(arrays_.point_data_size()),
      copy_in_(arrays_.edges().size()),
      copy_out_(arrays_.edges().size()) {}

void SingleOperator::update(const float* u, Shifts s, PetscReal rate) {
  shifts_ = s;
  Inversion found;
  run<Access::reads>(u, nullptr, true, [&](const Batches<float>& b, Range range, const float* in, float*) {
    Batches<float> at = b;
    at.branches.rate = rate;
    kernels_.single_tangent.linearize(at, range, in, points_.data(), &found);
  });
}

void SingleOperator::apply(const float* in, float* out) {
  run<Access::both>(in, out, true, [&](const Batches<float>& b, Range range, const float* from, float* to) {
    kernels_.single_tangent.apply(b, range, points_.data(), shifts_.q, shifts_.a, from, to);
  });
  blocks_.add_product(in, out);
}

void SingleOperator::diagonal(float* out) {
  run<Access::writes>(nullptr, out, true, [&](const Batches<float>& b, Range range, const float*, float* to) {
    kernels_.single_tangent.diagonal(b, range, points_.data(), shifts_.q, shifts_.a, to);
  });
  blocks_.add_diagonal(out);
}

}  // namespace gearshift::solid
