#pragma once

/// @file
/// Forces as a plain sum over points and nodes, and the meshes and instruction sets on which kernels are compared with
/// it.

#include "solid/boxes.hpp"
#include "solid/numerics/tensor.hpp"

namespace gearshift::solid::test {

enum class Cells {
  cartesian,
  affine,
  general,
  tetrahedra,
  curved_tetrahedra,
  wedges,
  hexahedra_and_wedges,
  curved_mixed
};

inline Mesh mesh_of(Cells cells) {
  if (cells == Cells::curved_tetrahedra) return file("cylinder_t2_v41.msh");
  if (cells == Cells::tetrahedra) {
    Mesh mesh = tetrahedra("3,2,2", "1.5,0.8,1.1");
    distort(mesh, 0.02);
    return mesh;
  }
  if (cells == Cells::curved_mixed)
    return file_of(Filling::wedges_and_tetrahedra, "2,2,2", 2, [](const Vec3& X) {
      return Vec3{1.5 * X[0], 0.8 * X[1] + 0.05 * X[0] * X[0], 1.1 * X[2] + 0.1 * X[0] * X[1]};
    });
  if (cells == Cells::wedges || cells == Cells::hexahedra_and_wedges) {
    Mesh mesh =
        box_of(cells == Cells::wedges ? Filling::wedges : Filling::hexahedra_and_wedges, "3,2,2", {1.5, 0.8, 1.1});
    distort(mesh, 0.02);
    return mesh;
  }
  Mesh mesh = box("3,2,2", "1.5,0.8,1.1");
  if (cells == Cells::general) distort(mesh, 0.02);
  if (cells == Cells::affine) {
    Vec coordinates = nullptr;
    check(DMGetCoordinatesLocal(mesh.dm(), &coordinates));
    {
      petsc::WriteView x(coordinates);
      for (std::size_t i = 0; i + 2 < x.size(); i += 3) {
        x[i] += 0.3 * x[i + 1] - 0.1 * x[i + 2];
        x[i + 2] += 0.2 * x[i];
      }
    }
    check(DMSetCoordinatesLocal(mesh.dm(), coordinates));
  }
  return mesh;
}

/// All instruction sets of the machine; on several ranks only the widest, since only the communication differs there.
inline std::vector<std::string> widths() {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 1) return {"auto"};
  std::vector<std::string> found;
  for (const char* name : {"sse2", "neon", "avx2", "avx512"}) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", name}});
    Body body(box("1,1,1"), 1);
    body.set_material(material(Law::linear_elastic));
    try {
      body.set_up();
      found.emplace_back(name);
    } catch (const OptionError&) {
      // not available on this machine
    }
  }
  return found;
}

/// Values and gradients d/dX of a cell's shape functions at a reference point, and weight * det.
struct PointShapes {
  std::vector<double> value;
  std::vector<Vec3> slope;
  double weight = 0;
  PointShapes(const Space& space, PetscInt cell, std::size_t q, bool of_mass) {
    const Element& element = space.element(cell);
    const Vec3& xi = of_mass ? element.mass_points()[q] : element.points()[q];
    const auto J = space.mesh_cells().jacobian(cell, xi);
    double K[3][3], det = 0;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c)
        K[c][r] = J[(r + 1) % 3][(c + 1) % 3] * J[(r + 2) % 3][(c + 2) % 3] -
                  J[(r + 1) % 3][(c + 2) % 3] * J[(r + 2) % 3][(c + 1) % 3];
    for (std::size_t c = 0; c < 3; ++c) det += J[0][c] * K[c][0];
    weight = of_mass ? element.weigh_mass(det, q) : element.weigh(det, q);
    value.resize(element.nodes().size());
    std::vector<Vec3> own(value.size());
    element.values(xi, value);
    element.slopes(xi, own);
    for (const Vec3& d : own) {
      auto& g = slope.emplace_back();
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t a = 0; a < 3; ++a) g[j] += d[a] * K[a][j] / det;
    }
  }
};

/// Computes out = sum over cells and points of w (P : grad phi + rho a . phi); stress(H_u, H_x, P, cell, point) sets P.
template <class Stress>
void reference(const Body& body, Vec u, Vec x, Vec inertia, double rho, Vec out, Stress&& stress) {
  const Space& space = body.space();
  const auto size = 3 * static_cast<std::size_t>(space.local_nodes());
  std::vector<PetscReal> local[3], result(size);
  const Vec vectors[3] = {u, x, inertia};
  for (std::size_t v = 0; v < 3; ++v) {
    local[v].resize(size);
    if (!vectors[v]) continue;
    space.node_exchange().global_to_local_begin(vectors[v], local[v].data());
    space.node_exchange().global_to_local_end(vectors[v], local[v].data());
  }
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto nodes = space.cell_nodes(cell);
    for (std::size_t q = 0; q < space.element(cell).points().size(); ++q) {
      const PointShapes shapes(space, cell, q, false);
      Tensor<double> H[2]{}, P;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t v = 0; v < 2; ++v)
              H[v].e[3 * c + j] += shapes.slope[i][j] * local[v][3 * static_cast<std::size_t>(nodes[i]) + c];
      stress(H[0], H[1], P, cell, q);
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t j = 0; j < 3; ++j)
            result[3 * static_cast<std::size_t>(nodes[i]) + c] += shapes.weight * P.e[3 * c + j] * shapes.slope[i][j];
    }
    for (std::size_t q = 0; q < space.element(cell).mass_points().size(); ++q) {
      const PointShapes shapes(space, cell, q, true);
      Vec3 a{};
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
          a[c] += shapes.value[i] * local[2][3 * static_cast<std::size_t>(nodes[i]) + c];
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
          result[3 * static_cast<std::size_t>(nodes[i]) + c] += shapes.weight * rho * a[c] * shapes.value[i];
    }
  }
  space.node_exchange().local_to_global_begin(result.data(), out);
  space.node_exchange().local_to_global_end(result.data(), out);
}

inline PetscReal relative_gap(Vec a, Vec b) {
  const PetscReal size = biggest(b);
  check(VecAXPY(a, -1, b));
  return biggest(a) / size;
}

}  // namespace gearshift::solid::test
