#include <gearshift/solid/stress_recovery.hpp>

#include "solid/material/registered_laws.hpp"
#include "solid/numerics/sort_unique.hpp"
#include "solid/recovery/cell_samples.hpp"
#include "solid/recovery/patches.hpp"
#include "solid/space/combine_over_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gearshift::solid {
namespace {

constexpr std::array<std::array<std::size_t, 2>, 6> entries{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

/// Returns F.
std::array<double, 9> deformation(const PointState& point) {
  std::array<double, 9> F = point.gradient;
  for (std::size_t i = 0; i < 3; ++i) F[4 * i] += 1;
  return F;
}

Symmetric cauchy(const PointState& point, bool small_strains) {
  Symmetric result{};
  const auto& P = point.stress;
  if (small_strains) {
    for (std::size_t e = 0; e < 6; ++e) result[e] = P[3 * entries[e][0] + entries[e][1]];
    return result;
  }
  const auto F = deformation(point);
  const double J =
      F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
  for (std::size_t e = 0; e < 6; ++e) {
    const double *p = P.data() + 3 * entries[e][0], *f = F.data() + 3 * entries[e][1];
    result[e] = (p[0] * f[0] + p[1] * f[1] + p[2] * f[2]) / J;
  }
  return result;
}

Symmetric green(const PointState& point, bool small_strains) {
  Symmetric result{};
  const auto& H = point.gradient;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [i, j] = entries[e];
    result[e] = 0.5 * (H[3 * i + j] + H[3 * j + i]);
    if (small_strains) continue;
    for (std::size_t k = 0; k < 3; ++k) result[e] += 0.5 * H[3 * k + i] * H[3 * k + j];
  }
  return result;
}

std::size_t count(StressRecovery::Wanted wanted) {
  return (wanted.stress ? 6U : 0U) + (wanted.strain ? 6U : 0U) + (wanted.energy_density ? 1U : 0U) +
         (wanted.plastic_strain ? 1U : 0U);
}

}  // namespace

class StressRecovery::Impl {
 public:
  Impl(const Body& on, Wanted what)
      : body(on),
        space(on.space()),
        vertices(on.mesh(), on.space(), 1),
        wanted(what),
        components(count(what)),
        places(on.space(), on.material_count(), [&](PetscInt cell) { return on.material_number(cell); }) {
    for (const CellBlock& block : space.blocks()) {
      Block& own = blocks.emplace_back(block.element, positions.size());
      for (PetscInt cell = block.first; cell < block.last; ++cell)
        for (const Vec3& xi : own.samples.points()) positions.push_back(space.mesh_cells().position(cell, xi));
      const Element& linear = vertices.blocks()[blocks.size() - 1].element;
      const auto linear_at = [&](const std::vector<Vec3>& points) {
        std::vector<double> values(points.size() * linear.nodes().size());
        for (std::size_t i = 0; i < points.size(); ++i)
          linear.values(points[i], std::span(values).subspan(i * linear.nodes().size(), linear.nodes().size()));
        return values;
      };
      own.shapes = linear_at(block.element.nodes());
      own.sample_shapes = linear_at(own.samples.points());
    }
    sampled.resize(positions.size() * components);
    std::vector<std::vector<PetscInt>> cells(static_cast<std::size_t>(body.material_count()));
    for (PetscInt cell = 0; cell < space.cells(); ++cell)
      cells[static_cast<std::size_t>(body.material_number(cell))].push_back(cell);
    std::vector<signed char> used;  // by some rank
    for (const auto& own : cells) used.push_back(!own.empty());
    MPI_Allreduce(MPI_IN_PLACE, used.data(), static_cast<int>(used.size()), MPI_SIGNED_CHAR, MPI_MAX, space.comm());
    for (std::size_t material = 0; material < cells.size(); ++material)
      if (used[material])
        in_use.push_back({material, Patches(vertices, space.degree(), std::move(cells[material]),
                                            [this](PetscInt cell) { return samples_of(cell); })});
  }

  void update(const State& x) {
    sample(x);
    von_mises_values.clear();
    for (const AtPoint& most : greatest) von_mises_values.push_back(most.value);
    if (wanted.stress) recovered.stress.resize(places.size());
    if (wanted.strain) recovered.strain.resize(places.size());
    if (wanted.energy_density) recovered.energy_density.resize(places.size());
    if (wanted.plastic_strain) recovered.plastic_strain.resize(places.size());
    for (OfMaterial& own : in_use) recover(own);
  }

  const Body& body;
  const Space& space;
  Space vertices;
  Wanted wanted;
  std::size_t components;
  NodePlaces places;
  /// [place]
  struct Recovered {
    std::vector<Symmetric> stress, strain;
    std::vector<double> energy_density, plastic_strain;
  } recovered;
  struct AtPoint {
    double value = 0;
    std::size_t point = 0;
  };
  std::vector<AtPoint> greatest;  // von Mises stress of each cell
  std::vector<double> von_mises_values;
  double least() const {
    return least_energy.empty() ? 0 : *std::min_element(least_energy.begin(), least_energy.end());
  }

 private:
  /// The samples of a block of the space's cells.
  struct Block {
    Block(const Element& element, std::size_t first) : samples(element), begin(first) {}
    std::size_t per_cell() const { return samples.points().size(); }

    CellSamples samples;
    std::size_t begin;                          // the number of the first sample
    std::vector<double> shapes, sample_shapes;  // the vertices' linear functions at the nodes and at the samples
  };

  /// The cells of a material.
  struct OfMaterial {
    std::size_t material;
    Patches patches;
  };

  const Block& block_of(PetscInt cell) const { return blocks[space.block_of(cell)]; }
  std::size_t first_sample(PetscInt cell) const {
    const Block& block = block_of(cell);
    return block.begin + static_cast<std::size_t>(cell - space.blocks()[space.block_of(cell)].first) * block.per_cell();
  }

  void sample(const State& x) {
    std::vector<double> values;
    if (wanted.stress) greatest.assign(static_cast<std::size_t>(space.cells()), {});
    least_energy.assign(static_cast<std::size_t>(body.material_count()), 0.0);
    body.visit_points(x, [&](PetscInt cell, std::span<const PointState> points) {
      const bool small = has_small_strains(body.material(cell).law);
      values.clear();
      double& least = least_energy[static_cast<std::size_t>(body.material_number(cell))];
      for (std::size_t q = 0; q < points.size(); ++q) {
        const PointState& point = points[q];
        least = std::min(least, point.energy);
        const auto append = [&](const Symmetric& tensor) { values.insert(values.end(), tensor.begin(), tensor.end()); };
        if (wanted.stress) {
          const Symmetric stress = cauchy(point, small);
          compare(cell, q, von_mises(stress));
          append(stress);
        }
        if (wanted.strain) append(green(point, small));
        if (wanted.energy_density) values.push_back(point.energy);
        if (wanted.plastic_strain) values.push_back(point.plastic_strain);
      }
      const Block& block = block_of(cell);
      block.samples.take(values, components,
                         std::span(sampled).subspan(first_sample(cell) * components, block.per_cell() * components));
    });
  }

  void compare(PetscInt cell, std::size_t point, double value) {
    AtPoint& most = greatest[static_cast<std::size_t>(cell)];
    if (point == 0 || value > most.value || std::isnan(value)) most = {value, point};
  }

  Patches::Samples samples_of(PetscInt cell) const {
    const Block& block = block_of(cell);
    const std::size_t first = first_sample(cell), count = block.per_cell();
    return {std::span(positions).subspan(first, count), block.sample_shapes,
            std::span(sampled).subspan(first * components, count * components)};
  }

  void recover(OfMaterial& cells) {
    double& least = least_energy[cells.material];
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, space.comm());
    cells.patches.fit(components, [this](PetscInt cell) { return samples_of(cell); });
    // Cells that blend the same patches have equal values at a node; others are averaged.
    const std::size_t width = components + 1;
    std::vector<double> nodal(width * static_cast<std::size_t>(space.local_nodes()), 0.0), own;
    std::vector<Vec3> at;
    for (const PetscInt cell : cells.patches.cells()) {
      const Block& block = block_of(cell);
      const auto nodes = space.cell_nodes(cell);
      at.clear();
      for (const PetscInt node : nodes) at.push_back(space.coordinates()[static_cast<std::size_t>(node)]);
      const std::vector<double> shares = cells.patches.evaluate(cell, at, block.shapes, own);
      block.samples.correct(samples_of(cell).values, components, shares, own);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        double* sum = nodal.data() + width * static_cast<std::size_t>(nodes[i]);
        for (std::size_t c = 0; c < components; ++c) sum[c] += own[i * components + c];
        sum[components] += 1;
      }
    }
    combine_over_ranks(space, width, MPI_SUM, nodal.data());
    for (const PetscInt cell : cells.patches.cells())
      for (const PetscInt place : places.cell_places(cell)) {
        const PetscInt node = places.nodes()[static_cast<std::size_t>(place)];
        keep(static_cast<std::size_t>(place), nodal.data() + width * static_cast<std::size_t>(node), least);
      }
  }

  /// @param sums sums of the components over cells, followed by the number of these cells
  void keep(std::size_t place, const double* sums, double least_energy_of_points) {
    const double each = 1 / sums[components];
    const auto tensor = [&] {
      Symmetric value;
      for (double& x : value) x = each * *sums++;
      return value;
    };
    if (wanted.stress) recovered.stress[place] = tensor();
    if (wanted.strain) recovered.strain[place] = tensor();
    // The polynomials overshoot below 0 next to unloaded parts, and around the edge of the plastic zone.
    if (wanted.energy_density) recovered.energy_density[place] = std::max(each * *sums++, least_energy_of_points);
    if (wanted.plastic_strain) recovered.plastic_strain[place] = std::max(0.0, each * *sums);
  }

  std::vector<OfMaterial> in_use;
  std::vector<Block> blocks;
  std::vector<Vec3> positions;       // of all samples
  std::vector<double> sampled;       // [sample][component]
  std::vector<double> least_energy;  // minimum at the points of each material, or 0
};

double StressRecovery::memory_estimate(const Body& body, Wanted wanted) {
  const Space& space = body.space();
  const Space vertices(body.mesh(), space, 1);
  const auto components = static_cast<double>(count(wanted));
  double samples = 0;
  for (const CellBlock& block : space.blocks())
    samples +=
        static_cast<double>(block.last - block.first) * static_cast<double>(CellSamples(block.element).points().size());
  const double at_samples = samples * (3 + components);
  const double at_nodes = static_cast<double>(space.local_nodes()) * (2 * components + 1);
  // Each region may have its own material, and a vertex between two of them a patch for each.
  std::vector<std::array<PetscInt, 2>> patches;
  for (PetscInt cell = 0; cell < space.cells(); ++cell)
    for (const PetscInt vertex : vertices.cell_nodes(cell))
      patches.push_back({vertex, space.mesh_cells().region(cell)});
  sort_unique(patches);
  const double at_vertices =
      static_cast<double>(patches.size()) * static_cast<double>(Patches::numbers(space.degree(), count(wanted)));
  return sizeof(double) * (at_samples + at_nodes + at_vertices);
}

StressRecovery::StressRecovery(const Body& body, Wanted wanted) : impl_(std::make_unique<Impl>(body, wanted)) {}
StressRecovery::~StressRecovery() = default;
StressRecovery::StressRecovery(StressRecovery&&) noexcept = default;

void StressRecovery::update(const State& x) { impl_->update(x); }
const NodePlaces& StressRecovery::places() const { return impl_->places; }
std::span<const Symmetric> StressRecovery::stress() const { return impl_->recovered.stress; }
std::span<const Symmetric> StressRecovery::strain() const { return impl_->recovered.strain; }
std::span<const double> StressRecovery::energy_density() const { return impl_->recovered.energy_density; }
std::span<const double> StressRecovery::plastic_strain() const { return impl_->recovered.plastic_strain; }
std::span<const double> StressRecovery::von_mises_at_points() const { return impl_->von_mises_values; }
double StressRecovery::least_energy_density() const { return impl_->least(); }
Vec3 StressRecovery::position_of_von_mises(PetscInt cell) const {
  const Space& space = impl_->space;
  return space.mesh_cells().position(
      cell, space.element(cell).points()[impl_->greatest[static_cast<std::size_t>(cell)].point]);
}

}  // namespace gearshift::solid
