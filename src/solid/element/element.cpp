#include <gearshift/solid/element.hpp>

#include "solid/element/reference_cell.hpp"

namespace gearshift::solid {
namespace {

std::shared_ptr<const ReferenceCell> make_cell(CellKind kind, int degree) {
  switch (kind) {
    case CellKind::hexahedron:
      return make_hexahedron(degree);
    case CellKind::tetrahedron:
      return make_tetrahedron(degree);
    case CellKind::wedge:
      return make_wedge(degree);
  }
  throw Error("an unknown kind of cell");
}

}  // namespace

void require_degree(int degree, int most, const std::string& cells, const std::string& advice) {
  if (degree >= 1 && degree <= most) return;
  throw OptionError("polynomial degree " + std::to_string(degree) + " is not available" +
                    (cells.empty() ? "" : " on " + cells) + "; give -degree 1 to " + std::to_string(most) + advice);
}

void add_triangle_points(int degree, const Vec3& start, ReferenceCell::Face& face) {
  std::vector<double> x, w;
  gauss_points(degree + 2, x, w);
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double t = (1 + x[j]) / 2, s = (1 + x[i]) / 2 * (1 - t);
      auto& point = face.points.emplace_back();
      for (std::size_t d = 0; d < 3; ++d) point.xi[d] = start[d] + s * face.tangents[0][d] + t * face.tangents[1][d];
      point.weights = {w[i] / 2 * (1 - t), w[j] / 2};
    }
}

Element::Element(CellKind kind, int degree) : kind_(kind), degree_(degree), cell_(make_cell(kind, degree)) {}

const Basis& Element::line() const { return cell_->line; }

const std::vector<Vec3>& Element::nodes() const { return cell_->nodes; }
const std::vector<Vec3>& Element::points() const { return cell_->points; }
const std::vector<Vec3>& Element::mass_points() const { return cell_->mass_points; }
double Element::weigh(double x, std::size_t point) const { return cell_->weigh(x, point); }
double Element::weigh_mass(double x, std::size_t point) const { return cell_->weigh_mass(x, point); }
void Element::values(const Vec3& xi, std::span<double> values) const { cell_->values(xi, values); }
void Element::slopes(const Vec3& xi, std::span<Vec3> slopes) const { cell_->slopes(xi, slopes); }
int Element::faces() const { return static_cast<int>(cell_->faces.size()); }
int Element::vertices() const { return cell_->vertices; }
const std::vector<int>& Element::face_nodes(int face) const {
  return cell_->faces[static_cast<std::size_t>(face)].nodes;
}
const std::vector<FacePoint>& Element::face_points(int face) const {
  return cell_->faces[static_cast<std::size_t>(face)].points;
}
std::array<Vec3, 2> Element::face_tangents(int face) const {
  return cell_->faces[static_cast<std::size_t>(face)].tangents;
}
Vec3 Element::centre() const { return cell_->centre; }
double Element::outside(const Vec3& xi) const { return cell_->outside(xi); }
Vec3 Element::clamped(Vec3 xi) const { return cell_->clamped(xi); }

}  // namespace gearshift::solid
