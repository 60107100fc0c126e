#include "solid/operator/bulk_pressure.hpp"

#include "petsc/ranks/agree.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/numerics/tensor.hpp"
#include "solid/operator/cell_geometry.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <string>

namespace gearshift::solid {
namespace {

/// Returns the degree of the pressure. It is less than p - 1 if pressures of degree p - 1 would lock or have spurious
/// modes.
int pressure_degree(CellKind kind, int degree) {
  if (kind == CellKind::hexahedron) return degree - 1;
  return std::max(degree - 2, 0);
}

/// The stiffness against which pressures act, as a fraction of 2 mu + lambda; it is below 1, since the body also
/// shears. This value needs the fewest iterations.
constexpr double share = 0.6;

/// Returns (k h)^2 of the shortest waves.
double waves(int degree) { return 10.0 * degree * degree; }

/// Returns x^i y^j z^k, i + j + k <= degree, about the centre, at the points of an element.
std::vector<double> monomials(const Element& element, int degree) {
  std::vector<double> result;
  const Vec3 centre = element.centre();
  for (const Vec3& xi : element.points())
    for (int total = 0; total <= degree; ++total)
      for (int i = total; i >= 0; --i)
        for (int j = total - i; j >= 0; --j)
          result.push_back(std::pow(xi[0] - centre[0], i) * std::pow(xi[1] - centre[1], j) *
                           std::pow(xi[2] - centre[2], total - i - j));
  return result;
}

}  // namespace

int BulkPressure::functions(CellKind kind, int degree) {
  const int m = pressure_degree(kind, degree);
  return (m + 1) * (m + 2) * (m + 3) / 6;
}

void BulkPressure::require(const Space& space, const MaterialTable& material) {
  std::string failure;
  for (const auto& block : space.blocks())
    if (block.element.kind() == CellKind::tetrahedron && space.degree() == 1)
      failure =
          "option -formulation mixed: tetrahedra of degree 1 lock in this formulation, too; give -degree 2, whose "
          "pressure is "
          "constant in each cell";
  for (const Material& own : material.all())
    if (!bulk_stands_apart(own))
      failure = "option -formulation mixed: the material " + std::string(name_of(own.law)) +
                " has no separate term k/2 (ln J)^2; choose another law, give -volumetric log2 with a law that has an "
                "isochoric-volumetric split, or leave the option out";
    else if (bulk_stiffness(own) < 0)
      failure = "option -formulation mixed: not needed for nu < 0; leave the option out";
  petsc::throw_if_any<OptionError>(space.comm(), failure);
}

BulkPressure::BulkPressure(const Space& space, const MaterialTable& material, const BatchArrays<double>& arrays,
                           const Kernels& kernels)
    : kernels_(kernels.bulk), lanes_(arrays.lanes()) {
  for (const auto& block : space.blocks()) {
    const Element& element = block.element;
    Kind& own = kinds_.emplace_back();
    own.kind = element.kind();
    own.shapes = monomials(element, pressure_degree(element.kind(), element.degree()));
    own.whole.functions = static_cast<int>(own.shapes.size() / element.points().size());
  }
  const auto width = static_cast<std::size_t>(lanes_);
  for (int b = 0; b < arrays.count(); ++b) {
    const PetscInt first = arrays.cell(b, 0);
    const BulkCells& cells = this->cells(space.element(first).kind());
    functions_.push_back(cells.functions);
    pressures_at_.push_back(static_cast<long>(size_));
    points_at_.push_back(static_cast<long>(point_data_size_));
    logarithmic_.push_back(!has_small_strains(material[first].law));
    size_ += static_cast<std::size_t>(cells.functions) * width;
    point_data_size_ += space.element(first).points().size() * bulk_point_size * width;
    for (int l = 0; l < lanes_; ++l) {
      const Material& own = material[arrays.cell(b, l)];
      const double mu = lame(own).mu, stiffness = l < arrays.used(b) ? bulk_stiffness(own) : 0;
      whole_.push_back(stiffness);
      soft_.push_back(std::min(stiffness, most_in_soft_part * mu));
      responses_.push_back({0, share * (2 * mu + soft_.back()), own.rho});
    }
  }
  factor_masses(space, arrays);
  for (Response& own : responses_) own.inertia = own.inertia * std::pow(own.size_of_force, 4) / waves(space.degree());
  for (Kind& kind : kinds_) {
    kind.whole.shapes = kind.shapes.data();
    kind.whole.factors = factors_.data();
    kind.whole.factors_at = factors_at_.data();
    kind.whole.logarithmic = logarithmic_.data();
    kind.whole.pressures_at = pressures_at_.data();
    kind.whole.points_at = points_at_.data();
    kind.whole.stiffness = whole_.data();
    kind.soft = kind.whole;
    kind.soft.soft = soft_.data();
  }
}

void BulkPressure::factor_masses(const Space& space, const BatchArrays<double>& arrays) {
  const auto width = static_cast<std::size_t>(lanes_);
  for (int b = 0; b < arrays.count(); ++b) {
    const int n = functions_[static_cast<std::size_t>(b)];
    const std::size_t at = factors_.size();
    factors_at_.push_back(static_cast<long>(at));
    factors_.resize(at + static_cast<std::size_t>(n) * static_cast<std::size_t>(n + 1) / 2 * width);
    for (std::size_t l = 0; l < width; ++l) {
      const PetscInt cell = arrays.cell(b, static_cast<int>(l));
      const Element& element = space.element(cell);
      const Kind& kind =
          *std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& own) { return own.kind == element.kind(); });
      Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
      for (std::size_t q = 0; q < element.points().size(); ++q) {
        const Eigen::Map<const Eigen::VectorXd> f(kind.shapes.data() + q * static_cast<std::size_t>(n), n);
        mass +=
            element.weigh(inverse(space.mesh_cells().jacobian(cell, element.points()[q]))[9], q) * f * f.transpose();
      }
      const Eigen::MatrixXd factor = mass.llt().matrixL().solve(Eigen::MatrixXd::Identity(n, n));
      double* to = factors_.data() + at + l;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j, to += width) *to = factor(i, j);
      responses_[b * width + l].size_of_force = std::pow(mass(0, 0), 1.0 / 6);  // the first function is the constant 1
    }
  }
}

const BulkCells& BulkPressure::cells(CellKind kind, Part part) const {
  const auto own = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& k) { return k.kind == kind; });
  return part == Part::whole ? own->whole : own->soft;
}

template <class Use>
void BulkPressure::each(Use&& use) const {
  const auto width = static_cast<std::size_t>(lanes_);
  std::size_t i = 0;
  for (std::size_t b = 0; b < functions_.size(); ++b)
    for (int f = 0; f < functions_[b]; ++f)
      for (std::size_t l = 0; l < width; ++l, ++i) use(i, b * width + l);
}

void BulkPressure::finish_rows(PetscReal sq, const double* pressures, double* rows) const {
  each([&](std::size_t i, std::size_t slot) {
    rows[i] = sq * responses_[slot].size_of_force * (rows[i] - pressures[i]);
  });
}

void BulkPressure::precondition_rows(PetscReal sq, PetscReal sa, const double* rows, double* pressures) const {
  each([&](std::size_t i, std::size_t slot) {
    const auto& [size_of_force, stiffness, inertia] = responses_[slot];
    const double answer = (whole_[slot] - soft_[slot]) / (stiffness + sa / sq * inertia);
    pressures[i] = -rows[i] / (sq * size_of_force * (1 + answer));
  });
}

void BulkPressure::add_to_points(const double* values, std::size_t width, const Material& material,
                                 std::span<PointState> points) {
  for (PointState& point : points) {
    const double p = values[0];
    point.energy += values[width];
    values += 2 * width;
    Tensor<double> H;
    std::copy(point.gradient.begin(), point.gradient.end(), H.e);
    const Tensor<double> slope =
        has_small_strains(material.law) ? Tensor<double>{{1, 0, 0, 0, 1, 0, 0, 0, 1}} : cofactors(plus_identity(H));
    for (std::size_t e = 0; e < 9; ++e) point.stress[e] += p * slope.e[e];
  }
}

}  // namespace gearshift::solid
