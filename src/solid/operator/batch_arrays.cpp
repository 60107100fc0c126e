#include "solid/operator/batch_arrays.hpp"

#include "solid/material/registered_laws.hpp"
#include "solid/operator/cell_geometry.hpp"
#include "solid/operator/choose_kernels.hpp"
#include "solid/operator/quadrature_store.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace gearshift::solid {
/// Cells of one kind in the space's order.
template <class T>
struct BatchArrays<T>::Group {
  int law = 0, branches = 0;
  CellShape shape = CellShape::general;
  std::vector<PetscInt> cells;
};

template <class T>
BatchArrays<T>::BatchArrays(const Space& space, const MaterialTable& material, const Kernels& kernels)
    : lanes_(in_precision<T>(kernels).lanes), registered_(registered_work(kernels.name)) {
  const auto width = static_cast<std::size_t>(lanes_);
  auto groups = group_cells(space, material);
  const std::size_t half = groups.size() / 2;  // the inner groups, then the edge's
  for (std::size_t g = 0; g < half; ++g) {
    auto &inner = groups[g].cells, &edge = groups[half + g].cells;
    const std::size_t full = inner.size() / width * width;
    add_batches(groups[g], 0, full);
    edge.insert(edge.end(), inner.begin() + static_cast<std::ptrdiff_t>(full), inner.end());
  }
  inner_ = static_cast<int>(used_.size());
  for (std::size_t g = half; g < groups.size(); ++g) add_batches(groups[g], 0, groups[g].cells.size());

  std::vector<PetscInt> touched;
  for (std::size_t slot = static_cast<std::size_t>(inner_) * width; slot < cells_.size(); ++slot)
    for (const PetscInt node : space.cell_nodes(cells_[slot]))
      if (node < space.owned_nodes()) touched.push_back(node);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  edges_ = std::make_unique<Edges>(space, std::move(touched));
  number_nodes(space);
  fill_geometry(space, material);
  fill_branches(space, material);
  fill_shapes(space.element());

  const Basis& basis = space.basis();
  const bool simplex = space.element().kind() == CellKind::tetrahedron;
  view_.n = basis.n;
  view_.simplex = simplex;
  view_.cell_nodes = space.nodes_per_cell();
  view_.cell_points = static_cast<int>(point_weights_.size());
  view_.count = static_cast<int>(used_.size());
  view_.nodes = nodes_.data();
  view_.used = used_.data();
  view_.law = laws_.data();
  view_.registered = registered_.data();
  view_.shape = shapes_.data();
  view_.parameters = parameters_.data();
  view_.parameter_rows = static_cast<int>(parameter_rows_);
  view_.geometry = geometry_.data();
  view_.geometry_at = geometry_at_.data();
  view_.metric = metric_.data();
  view_.metric_at = metric_at_.data();
  view_.points_at = points_at_.data();
  view_.fresh = fresh_.data();
  view_.mass_points = static_cast<int>(mass_weights_.size());
  view_.point_weights = point_weights_.data();
  view_.mass_weights = mass_weights_.data();
  view_.interpolate = simplex ? shape_values_.data() : basis.interpolate.data();
  view_.derive = simplex ? shape_slopes_.data() : basis.derive.data();
  view_.collocate = basis.collocate.data();
  view_.weights = basis.weights.data();
  view_.modes = basis.modes.data();
  view_.corner_slopes = corner_slopes_.data();
  view_.corner_values = corner_values_.data();
}

template <class T>
std::vector<typename BatchArrays<T>::Group> BatchArrays<T>::group_cells(const Space& space,
                                                                        const MaterialTable& material) {
  std::map<std::tuple<int, int, CellShape>, std::array<Group, 2>> kinds;
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto nodes = space.cell_nodes(cell);
    const bool edge =
        std::any_of(nodes.begin(), nodes.end(), [&](PetscInt node) { return node >= space.owned_nodes(); });
    const int law = static_cast<int>(material[cell].law), branches = static_cast<int>(material[cell].prony_g.size());
    const CellShape shape = shape_of(space, cell);
    auto& kind = kinds[{law, branches, shape}];
    for (auto& group : kind) {
      group.law = law;
      group.branches = branches;
      group.shape = shape;
    }
    kind[edge ? 1 : 0].cells.push_back(cell);
  }
  std::vector<Group> result;
  for (const std::size_t side : {0U, 1U})
    for (auto& [key, kind] : kinds) result.push_back(std::move(kind[side]));
  return result;
}

template <class T>
void BatchArrays<T>::add_batches(const Group& group, std::size_t first, std::size_t last) {
  const auto width = static_cast<std::size_t>(lanes_);
  for (std::size_t i = first; i < last; i += width) {
    const std::size_t used = std::min(width, last - i);
    for (std::size_t l = 0; l < width; ++l) cells_.push_back(group.cells[i + std::min(l, used - 1)]);
    used_.push_back(static_cast<int>(used));
    laws_.push_back(group.law);
    branch_counts_.push_back(group.branches);
    shapes_.push_back(static_cast<char>(group.shape));
  }
}

template <class T>
void BatchArrays<T>::number_nodes(const Space& space) {
  const auto points = static_cast<std::size_t>(space.nodes_per_cell()), width = static_cast<std::size_t>(lanes_);
  nodes_.resize(cells_.size() * points);
  fresh_.assign(static_cast<std::size_t>(inner_) + 1, 0);
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const bool inner = b < static_cast<std::size_t>(inner_);
    for (std::size_t l = 0; l < width; ++l) {
      const auto own = space.cell_nodes(cells_[b * width + l]);
      for (std::size_t i = 0; i < points; ++i) {
        int& entry = nodes_[(b * points + i) * width + l];
        if (inner) {
          entry = 3 * static_cast<int>(own[i]);
          fresh_[b + 1] = std::max(fresh_[b + 1], entry + 3);
        } else {
          entry = l < static_cast<std::size_t>(used_[b]) ? edges_->entry(own[i]) : edges_->nobody();
        }
      }
    }
    if (inner) fresh_[b + 1] = std::max(fresh_[b], fresh_[b + 1]);
  }
  // The last inner batch clears what only the edge touches.
  if (inner_ > 0) fresh_.back() = 3 * static_cast<int>(space.owned_nodes());
}

template <class T>
template <class Parameters>
LargeArray<T> BatchArrays<T>::parameters(const MaterialTable& material, Parameters&& of) const {
  const auto width = static_cast<std::size_t>(lanes_);
  LargeArray<T> result(cells_.size() * parameter_rows_, T(0));
  for (std::size_t slot = 0; slot < cells_.size(); ++slot) {
    const Material& own = material[cells_[slot]];
    const std::vector<double> p = of(own);
    T* row = result.data() + slot / width * parameter_rows_ * width + slot % width;
    *row = static_cast<T>(own.rho);
    for (std::size_t e = 0; e < p.size(); ++e) row[(e + 1) * width] = static_cast<T>(p[e]);
  }
  return result;
}

template <class T>
LargeArray<T> BatchArrays<T>::parameters_with_soft_bulk(const MaterialTable& material, double most) const {
  return parameters(material, [most](const Material& m) { return law_parameters_with_soft_bulk(m, most); });
}

template <class T>
void BatchArrays<T>::fill_geometry(const Space& space, const MaterialTable& material) {
  const Element& element = space.element();
  const std::vector<Vec3>& at = element.points();
  const bool simplex = element.kind() == CellKind::tetrahedron;
  const std::size_t points = at.size(), width = static_cast<std::size_t>(lanes_);
  const auto has_metric = [&](std::size_t b) {
    return laws_[b] == static_cast<int>(Law::neo_hookean) && branch_counts_[b] == 0;
  };
  std::size_t geometry = 0, metrics = 0;
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const bool general = shapes_[b] == static_cast<char>(CellShape::general);
    const std::size_t kept = general ? points : 1;
    geometry_at_.push_back(static_cast<long>(geometry));
    metric_at_.push_back(static_cast<long>(metrics));
    points_at_.push_back(static_cast<long>(point_data_size_));
    geometry += kept * geometry_size * width;
    if (simplex && general) geometry += element.mass_points().size() * width;
    if (has_metric(b)) metrics += kept * metric_size * width;
    point_data_size_ += points * point_size(static_cast<Law>(laws_[b]), branch_counts_[b] > 0) * width;
    parameter_rows_ =
        std::max(parameter_rows_, 1 + std::max<std::size_t>(3, parameter_names(static_cast<Law>(laws_[b])).size()));
  }
  geometry_.resize(geometry);
  metric_.resize(metrics);
  parameters_ = parameters(material, law_parameters);
  for (std::size_t b = 0; b < used_.size(); ++b)
    for (std::size_t l = 0; l < width; ++l) {
      const PetscInt cell = cells_[b * width + l];
      const bool general = shapes_[b] == static_cast<char>(CellShape::general);
      const auto constant = general ? std::nullopt : space.constant_jacobian(cell);
      for (std::size_t q = 0; q < (general ? points : 1); ++q) {
        const auto g = inverse(general ? space.jacobian(cell, at[q]) : *constant);
        T* to = geometry_.data() + geometry_at_[b] + q * geometry_size * width + l;
        for (std::size_t i = 0; i < geometry_size; ++i) to[i * width] = static_cast<T>(g[i]);
        if (!has_metric(b)) continue;
        const auto m = metric(g, lame(material[cell]).mu);
        to = metric_.data() + metric_at_[b] + q * metric_size * width + l;
        for (std::size_t i = 0; i < metric_size; ++i) to[i * width] = static_cast<T>(m[i]);
      }
      if (!simplex || !general) continue;
      T* to = geometry_.data() + geometry_at_[b] + points * geometry_size * width + l;
      for (const Vec3& xi : element.mass_points()) {
        *to = static_cast<T>(inverse(space.jacobian(cell, xi))[9]);
        to += width;
      }
    }
}

template <class T>
void BatchArrays<T>::fill_branches(const Space& space, const MaterialTable& material) {
  if (std::all_of(branch_counts_.begin(), branch_counts_.end(), [](int count) { return count == 0; })) return;
  const QuadratureStore store(space, material);
  const auto width = static_cast<std::size_t>(lanes_);
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const auto count = static_cast<std::size_t>(branch_counts_[b]);
    branches_at_.push_back(static_cast<long>(branch_numbers_.size()));
    const auto append = [&](auto&& of) {
      for (std::size_t l = 0; l < width; ++l) branch_numbers_.push_back(of(material[cells_[b * width + l]]));
    };
    append([](const Material& m) { return lame(m).mu; });
    for (std::size_t i = 0; i < count; ++i) {
      append([i](const Material& m) { return m.prony_g[i]; });
      append([i](const Material& m) { return m.prony_tau[i]; });
    }
    for (std::size_t l = 0; l < width; ++l)
      internal_at_.push_back(static_cast<long>(store.begin(cells_[b * width + l])));
  }
  view_.branches.count = branch_counts_.data();
  view_.branches.at = branches_at_.data();
  view_.branches.numbers = branch_numbers_.data();
  view_.branches.begin = internal_at_.data();
}

template <class T>
void BatchArrays<T>::fill_shapes(const Element& element) {
  const auto append = [&](const Element& of, std::vector<double>& values, std::vector<double>& slopes) {
    std::vector<double> value(of.nodes().size());
    std::vector<Vec3> slope(value.size());
    for (const Vec3& xi : element.mass_points()) {
      of.values(xi, value);
      values.insert(values.end(), value.begin(), value.end());
    }
    for (const Vec3& xi : element.points()) {
      of.slopes(xi, slope);
      for (const Vec3& own : slope) slopes.insert(slopes.end(), own.begin(), own.end());
    }
  };
  for (std::size_t q = 0; q < element.points().size(); ++q) point_weights_.push_back(element.weigh(1, q));
  for (std::size_t q = 0; q < element.mass_points().size(); ++q) mass_weights_.push_back(element.weigh_mass(1, q));
  append(Element(element.kind(), 1), corner_values_, corner_slopes_);
  if (element.kind() == CellKind::tetrahedron) append(element, shape_values_, shape_slopes_);
}

template class BatchArrays<double>;
template class BatchArrays<float>;

}  // namespace gearshift::solid
