#include "solid/operator/batch_arrays.hpp"

#include "solid/numerics/sort_unique.hpp"
#include "solid/operator/cell_geometry.hpp"
#include "solid/operator/choose_kernels.hpp"
#include "solid/operator/quadrature_store.hpp"

#include <map>
#include <tuple>

namespace gearshift::solid {
/// Cells of one kind, in the space's order.
template <class T>
struct BatchArrays<T>::Group {
  std::size_t block = 0;
  int law = 0, branches = 0;
  CellShape shape = CellShape::general;
  std::vector<PetscInt> cells;
};

template <class T>
BatchArrays<T>::BatchArrays(const Space& space, const MaterialTable& material, const Kernels& kernels)
    : lanes_(in_precision<T>(kernels).lanes), registered_(registered_work(kernels.name)) {
  const auto width = static_cast<std::size_t>(lanes_);
  auto groups = group_cells(space, material);
  const std::size_t half = groups.size() / 2;  // first the inner groups, then the edge groups
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
  sort_unique(touched);
  edges_ = std::make_unique<Edges>(space, std::move(touched));
  number_nodes(space);
  fill_geometry(space, material);
  fill_branches(space, material);
  fill_views(space);
}

template <class T>
void BatchArrays<T>::fill_views(const Space& space) {
  const Basis& basis = space.basis();
  kinds_.resize(space.blocks().size());
  for (std::size_t block = 0; block < kinds_.size(); ++block) {
    const Element& element = space.blocks()[block].element;
    const bool tensor = element.kind() == CellKind::hexahedron;
    Kind& own = kinds_[block];
    Batches<T>& view = own.view;
    fill_shapes(element, own);
    view.kind = element.kind();
    view.n = basis.n;
    view.cell_nodes = static_cast<int>(element.nodes().size());
    view.cell_points = static_cast<int>(own.point_weights.size());
    view.mass_points = static_cast<int>(own.mass_weights.size());
    view.nodes = nodes_.entries.data();
    view.nodes_at = nodes_.at.data();
    view.used = used_.data();
    view.law = laws_.data();
    view.registered = registered_.data();
    view.shape = shapes_.data();
    view.parameters = parameters_.numbers.data();
    view.parameter_rows = static_cast<int>(parameters_.rows);
    view.geometry = geometry_.numbers.data();
    view.geometry_at = geometry_.at.data();
    view.metric = geometry_.metric.data();
    view.metric_at = geometry_.metric_at.data();
    view.points_at = points_.at.data();
    view.zero_until = nodes_.zero_until.data();
    view.point_weights = own.point_weights.data();
    view.mass_weights = own.mass_weights.data();
    view.interpolate = tensor ? basis.interpolate.data() : own.shape_values.data();
    view.derive = tensor ? basis.derive.data() : own.shape_slopes.data();
    view.collocate = basis.collocate.data();
    view.weights = basis.weights.data();
    view.modes = basis.modes.data();
    view.corner_slopes = own.corner_slopes.data();
    view.corner_values = own.corner_values.data();
    if (branches_.at.empty()) continue;
    view.branches.count = branches_.counts.data();
    view.branches.at = branches_.at.data();
    view.branches.numbers = branches_.numbers.data();
    view.branches.begin = branches_.internal_at.data();
  }
}

template <class T>
std::vector<typename BatchArrays<T>::Group> BatchArrays<T>::group_cells(const Space& space,
                                                                        const MaterialTable& material) {
  std::map<std::tuple<std::size_t, int, int, CellShape>, std::array<Group, 2>> kinds;
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto nodes = space.cell_nodes(cell);
    const bool edge =
        std::any_of(nodes.begin(), nodes.end(), [&](PetscInt node) { return node >= space.owned_nodes(); });
    const int law = static_cast<int>(material[cell].law), branches = static_cast<int>(internal_tensors(material[cell]));
    const CellShape shape = shape_of(space, cell);
    const std::size_t block = space.block_of(cell);
    auto& kind = kinds[{block, law, branches, shape}];
    for (auto& group : kind) {
      group.block = block;
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
  if (first < last && (runs_.empty() || runs_.back().first != group.block))
    runs_.push_back({group.block, {count(), count()}});
  for (std::size_t i = first; i < last; i += width) {
    const std::size_t used = std::min(width, last - i);
    for (std::size_t l = 0; l < width; ++l) cells_.push_back(group.cells[i + std::min(l, used - 1)]);
    used_.push_back(static_cast<int>(used));
    laws_.push_back(group.law);
    branches_.counts.push_back(group.branches);
    shapes_.push_back(static_cast<char>(group.shape));
    runs_.back().second.end = count();
  }
}

template <class T>
void BatchArrays<T>::number_nodes(const Space& space) {
  const auto width = static_cast<std::size_t>(lanes_);
  std::size_t size = 0;
  for (std::size_t b = 0; b < used_.size(); ++b) {
    nodes_.at.push_back(static_cast<long>(size));
    size += space.cell_nodes(cells_[b * width]).size() * width;
  }
  nodes_.entries.resize(size);
  nodes_.zero_until.assign(static_cast<std::size_t>(inner_) + 1, 0);
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const bool inner = b < static_cast<std::size_t>(inner_);
    for (std::size_t l = 0; l < width; ++l) {
      const auto own = space.cell_nodes(cells_[b * width + l]);
      for (std::size_t i = 0; i < own.size(); ++i) {
        int& entry = nodes_.entries[static_cast<std::size_t>(nodes_.at[b]) + i * width + l];
        if (inner) {
          entry = 3 * static_cast<int>(own[i]);
          nodes_.zero_until[b + 1] = std::max(nodes_.zero_until[b + 1], entry + 3);
        } else {
          entry = l < static_cast<std::size_t>(used_[b]) ? edges_->entry(own[i]) : edges_->nobody();
        }
      }
    }
    if (inner) nodes_.zero_until[b + 1] = std::max(nodes_.zero_until[b], nodes_.zero_until[b + 1]);
  }
  // The last inner batch also clears the nodes that only edge cells touch.
  if (inner_ > 0) nodes_.zero_until.back() = 3 * static_cast<int>(space.owned_nodes());
}

template <class T>
template <class Parameters>
LargeArray<T> BatchArrays<T>::parameters(const Space& space, const MaterialTable& material, Parameters&& of) const {
  const auto width = static_cast<std::size_t>(lanes_);
  LargeArray<T> result(cells_.size() * parameters_.rows, T(0));
  for (std::size_t slot = 0; slot < cells_.size(); ++slot) {
    const Material& own = material[cells_[slot]];
    const std::vector<double> p = of(own, has_fields(own.law) ? cell_centre(space, cells_[slot]) : Vec3{});
    T* row = result.data() + slot / width * parameters_.rows * width + slot % width;
    *row = static_cast<T>(own.rho);
    for (std::size_t e = 0; e < p.size(); ++e) row[(e + 1) * width] = static_cast<T>(p[e]);
  }
  return result;
}

template <class T>
LargeArray<T> BatchArrays<T>::parameters_with_soft_bulk(const Space& space, const MaterialTable& material, double most,
                                                        double rate) const {
  return parameters(space, material,
                    [=](const Material& m, const Vec3& X) { return law_parameters_with_soft_bulk(m, most, rate, X); });
}

template <class T>
void BatchArrays<T>::fill_geometry(const Space& space, const MaterialTable& material) {
  const auto width = static_cast<std::size_t>(lanes_);
  const auto element_of = [&](std::size_t b) -> const Element& { return space.element(cells_[b * width]); };
  const auto has_mass_points = [](const Element& element) {
    return element.mass_points().size() != element.points().size();
  };
  const auto has_metric = [&](std::size_t b) {
    return laws_[b] == static_cast<int>(Law::neo_hookean) && branches_.counts[b] == 0;
  };
  std::size_t geometry = 0, metrics = 0;
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const Element& element = element_of(b);
    const std::size_t points = element.points().size();
    const bool general = shapes_[b] == static_cast<char>(CellShape::general);
    const std::size_t kept = general ? points : 1;
    geometry_.at.push_back(static_cast<long>(geometry));
    geometry_.metric_at.push_back(static_cast<long>(metrics));
    points_.at.push_back(static_cast<long>(points_.size));
    geometry += kept * geometry_size * width;
    if (has_mass_points(element) && general) geometry += element.mass_points().size() * width;
    if (has_metric(b)) metrics += kept * metric_size * width;
    points_.size += points * point_size(static_cast<Law>(laws_[b]), branches_.counts[b] > 0) * width;
  }
  for (const Material& own : material.all())
    parameters_.rows = std::max(parameters_.rows, 1 + law_parameters(own).size());
  geometry_.numbers.resize(geometry);
  geometry_.metric.resize(metrics);
  parameters_.numbers = parameters(space, material, law_parameters);
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const Element& element = element_of(b);
    const std::vector<Vec3>& at = element.points();
    const std::size_t points = at.size();
    for (std::size_t l = 0; l < width; ++l) {
      const PetscInt cell = cells_[b * width + l];
      const bool general = shapes_[b] == static_cast<char>(CellShape::general);
      const auto constant = general ? std::nullopt : space.mesh_cells().constant_jacobian(cell);
      for (std::size_t q = 0; q < (general ? points : 1); ++q) {
        const auto g = inverse(general ? space.mesh_cells().jacobian(cell, at[q]) : *constant);
        T* to = geometry_.numbers.data() + geometry_.at[b] + q * geometry_size * width + l;
        for (std::size_t i = 0; i < geometry_size; ++i) to[i * width] = static_cast<T>(g[i]);
        if (!has_metric(b)) continue;
        const auto m = metric(g, lame(material[cell]).mu);
        to = geometry_.metric.data() + geometry_.metric_at[b] + q * metric_size * width + l;
        for (std::size_t i = 0; i < metric_size; ++i) to[i * width] = static_cast<T>(m[i]);
      }
      if (!has_mass_points(element) || !general) continue;
      T* to = geometry_.numbers.data() + geometry_.at[b] + points * geometry_size * width + l;
      for (const Vec3& xi : element.mass_points()) {
        *to = static_cast<T>(inverse(space.mesh_cells().jacobian(cell, xi))[9]);
        to += width;
      }
    }
  }
}

template <class T>
void BatchArrays<T>::fill_branches(const Space& space, const MaterialTable& material) {
  if (std::all_of(branches_.counts.begin(), branches_.counts.end(), [](int count) { return count == 0; })) return;
  const QuadratureStore store(space, material);
  const auto width = static_cast<std::size_t>(lanes_);
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const auto count = static_cast<std::size_t>(branches_.counts[b]);
    branches_.at.push_back(static_cast<long>(branches_.numbers.size()));
    const auto append = [&](auto&& of) {
      for (std::size_t l = 0; l < width; ++l) branches_.numbers.push_back(of(material[cells_[b * width + l]]));
    };
    append([](const Material& m) { return lame(m).mu; });
    for (std::size_t i = 0; i < count && !is_plastic(material[cells_[b * width]]); ++i) {
      append([i](const Material& m) { return m.prony_g[i]; });
      append([i](const Material& m) { return m.prony_tau[i]; });
    }
    for (std::size_t l = 0; l < width; ++l)
      branches_.internal_at.push_back(static_cast<long>(store.begin(cells_[b * width + l])));
  }
}

template <class T>
void BatchArrays<T>::fill_shapes(const Element& element, Kind& kind) {
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
  for (std::size_t q = 0; q < element.points().size(); ++q) kind.point_weights.push_back(element.weigh(1, q));
  for (std::size_t q = 0; q < element.mass_points().size(); ++q) kind.mass_weights.push_back(element.weigh_mass(1, q));
  append(Element(element.kind(), 1), kind.corner_values, kind.corner_slopes);
  if (element.kind() != CellKind::hexahedron) append(element, kind.shape_values, kind.shape_slopes);
}

template class BatchArrays<double>;
template class BatchArrays<float>;

}  // namespace gearshift::solid
