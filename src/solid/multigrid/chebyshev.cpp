#include "solid/multigrid/chebyshev.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace gearshift::solid {

template <class T>
double dot(MPI_Comm comm, const std::vector<T>& a, const std::vector<T>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}

template <class T>
Spectrum estimate_spectrum(MPI_Comm comm, PetscInt steps, std::vector<T> r,
                           const std::type_identity_t<ArrayProduct<T>>& A,
                           const std::type_identity_t<ArrayProduct<T>>& B, double enough) {
  std::vector<T> z(r.size()), product(r.size());
  std::vector<double> diagonal, beside;
  B(r, z);
  std::vector<T> direction = z;
  double rz = dot(comm, r, z), last_alpha = 0, last_beta = 0;
  const double least = enough * enough * rz;
  for (PetscInt step = 0; step < steps && rz > least; ++step) {
    A(direction, product);
    const double curvature = dot(comm, direction, product);
    if (!(curvature > 0)) break;
    const double alpha = rz / curvature;
    diagonal.push_back(1 / alpha + (step > 0 ? last_beta / last_alpha : 0));
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= static_cast<T>(alpha) * product[i];
    B(r, z);
    const double next = dot(comm, r, z),
                 beta = next > 0 ? next / rz : 0;  // negative only if B is not positive definite
    beside.push_back(std::sqrt(beta) / alpha);
    for (std::size_t i = 0; i < r.size(); ++i) direction[i] = z[i] + static_cast<T>(beta) * direction[i];
    rz = next;
    last_alpha = alpha;
    last_beta = beta;
  }
  if (diagonal.empty()) return {};
  const double last = beside.back();
  beside.pop_back();
  const Eigen::Map<const Eigen::VectorXd> main(diagonal.data(), static_cast<Eigen::Index>(diagonal.size()));
  const Eigen::Map<const Eigen::VectorXd> side(beside.data(), static_cast<Eigen::Index>(beside.size()));
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(main, side);
  const auto end = main.size() - 1;  // eigenvalues ascend
  return {solver.eigenvalues()[0], solver.eigenvalues()[end], std::abs(last * solver.eigenvectors()(end, end))};
}

template double dot(MPI_Comm, const std::vector<float>&, const std::vector<float>&);
template double dot(MPI_Comm, const std::vector<double>&, const std::vector<double>&);
template Spectrum estimate_spectrum(MPI_Comm, PetscInt, std::vector<float>, const ArrayProduct<float>&,
                                    const ArrayProduct<float>&, double);
template Spectrum estimate_spectrum(MPI_Comm, PetscInt, std::vector<double>, const ArrayProduct<double>&,
                                    const ArrayProduct<double>&, double);

}  // namespace gearshift::solid
