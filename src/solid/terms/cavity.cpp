#include "solid/terms/cavity.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {
namespace {

/// The tolerance relative to the size of the rim: coordinates in mesh files have six digits or more.
constexpr double flat = 1e-5;

/// A node of the rim, and the integral of its shape function along the rim, int N dx, which is a tangent.
struct RimNode {
  Vec3 X, along;
  PetscInt number;  // among the nodes of all ranks
};

/// By Stokes' theorem, int N dx around a facet equals int t_1 N,0 - t_0 N,1 over it; along an edge between two facets
/// it cancels.
std::vector<RimNode> rim_of(const Surface& surface) {
  const Space& space = surface.space();
  const auto along = petsc::duplicate(space.layout()), size = petsc::duplicate(space.layout());
  {
    GhostValues more_along, more_size;
    NodalSum sum(space, along.get(), more_along), sizes(space, size.get(), more_size);
    for (const Surface::Facet& facet : surface.facets())
      for (std::size_t i = 0; i < facet.nodes(); ++i) {
        Vec3 own{};
        double most = 0;
        for (std::size_t q = 0; q < facet.points(); ++q) {
          const Surface::Point& point = facet.point(q);
          const auto& slopes = facet.slopes(q, i);
          own = own + point.weight * (slopes[0] * point.along[1] - slopes[1] * point.along[0]);
          most += point.weight * (norm(point.along[0]) + norm(point.along[1]));
        }
        sum.add(facet.node(i), own);
        sizes.add(facet.node(i), {most, 0, 0});
      }
    sum.finish();
    sizes.finish();
  }
  std::vector<double> own;
  {
    const petsc::ReadView tangents(along.get()), scales(size.get());
    for (std::size_t n = 0; 3 * n < tangents.size(); ++n) {
      const Vec3 tangent{tangents[3 * n], tangents[3 * n + 1], tangents[3 * n + 2]};
      if (!(norm(tangent) > 1e-9 * scales[3 * n])) continue;
      const Vec3& X = space.coordinates()[n];
      const auto number = static_cast<double>(space.first_node() + static_cast<PetscInt>(n));
      own.insert(own.end(), {X[0], X[1], X[2], tangent[0], tangent[1], tangent[2], number});
    }
  }
  const std::vector<double> all = petsc::gathered(space.comm(), own);
  std::vector<RimNode> rim;
  for (std::size_t i = 0; i < all.size(); i += 7)
    rim.push_back(
        {{all[i], all[i + 1], all[i + 2]}, {all[i + 3], all[i + 4], all[i + 5]}, static_cast<PetscInt>(all[i + 6])});
  return rim;
}

bool contains(const Vec3& apex, const Vec3& normal, const RimNode& node, double size) {
  return std::abs(dot(normal, node.X - apex)) <= flat * size;
}

/// Returns the largest distance within the rim, accurate to a factor of two.
double size_of(const std::vector<RimNode>& rim) {
  double size = 0;
  for (const RimNode& node : rim)
    for (const RimNode& other : {rim.front(), rim[rim.size() / 2]}) size = std::max(size, norm(node.X - other.X));
  return size;
}

/// Returns the normals of the planes in which the cone over the rim lies. For each node, the plane of its tangent must
/// contain three or more nodes, or the node must lie on two such planes. Empty if the cone does not lie in planes.
std::vector<Vec3> closing_planes(const std::vector<RimNode>& rim, const Vec3& apex) {
  const double size = size_of(rim);
  const auto normal_of = [&](const RimNode& node) {
    const Vec3 n = cross(node.X - apex, node.along);
    const double length = norm(n);
    return length > flat * size * norm(node.along) ? (1 / length) * n : Vec3{};
  };
  std::vector<Vec3> planes;
  for (const RimNode& node : rim) {
    const Vec3 n = normal_of(node);
    const bool known =
        std::any_of(planes.begin(), planes.end(), [&](const Vec3& m) { return norm(cross(m, n)) < 100 * flat; });
    if (n == Vec3{} || known) continue;
    if (std::count_if(rim.begin(), rim.end(), [&](const auto& other) { return contains(apex, n, other, size); }) >= 3)
      planes.push_back(n);
    if (planes.size() > 16) return {};
  }
  const bool closed = std::all_of(rim.begin(), rim.end(), [&](const RimNode& node) {
    const auto holds = [&](const Vec3& m) { return contains(apex, m, node, size); };
    const bool along = std::any_of(planes.begin(), planes.end(), [&](const Vec3& m) {
      return holds(m) && std::abs(dot(m, node.along)) <= 100 * flat * norm(node.along);
    });
    return along || std::count_if(planes.begin(), planes.end(), holds) >= 2;
  });
  return closed ? planes : std::vector<Vec3>();
}

/// A rim, and the planes through the centre that close the cavity.
struct Closing {
  Vec3 centre{};
  std::vector<RimNode> rim;
  std::vector<Vec3> normals;
};

Closing closing_of(const Surface& surface, const std::optional<Vec3>& given) {
  Closing all{{}, rim_of(surface), {}};
  const std::vector<RimNode>& rim = all.rim;
  Vec3& centre = all.centre;
  if (rim.empty()) {
    std::array<double, 4> sums{};
    for (const Surface::Facet& facet : surface.facets())
      for (std::size_t q = 0; q < facet.points(); ++q) {
        const Vec3& X = facet.point(q).X;
        for (std::size_t c = 0; c < 3; ++c) sums[c] += X[c];
        sums[3] += 1;
      }
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 4, MPI_DOUBLE, MPI_SUM, surface.space().comm());
    centre = (1 / sums[3]) * Vec3{sums[0], sums[1], sums[2]};
    return all;
  }
  for (const RimNode& node : rim) centre = centre + (1.0 / static_cast<double>(rim.size())) * node.X;
  const Vec3 first = rim.front().X - centre;
  Vec3 normal{};
  for (const RimNode& node : rim) {
    const Vec3 n = cross(first, node.X - centre);
    if (dot(n, n) > dot(normal, normal)) normal = n;
  }
  const double length = norm(normal), size = std::max(norm(first), std::sqrt(length));
  if (!given && length > 0) {
    normal = (1 / length) * normal;
    if (std::all_of(rim.begin(), rim.end(), [&](const auto& node) { return contains(centre, normal, node, size); })) {
      all.normals = {normal};
      return all;
    }
  }
  centre = given.value_or(Vec3{});
  all.normals = closing_planes(rim, centre);
  if (all.normals.empty())
    throw OptionError("gas behind '" + surface.name() + "': the planes that close the cavity do not all contain " +
                      (given ? std::string("the point given for it") : std::string("the origin")) +
                      ", so its volume is not known; give a closed face, a face that one plane closes, or a point that "
                      "all the planes contain (-gas_<face> p0,gamma,x,y,z)");
  return all;
}

}  // namespace

Vec3 cavity_centre(const Surface& surface, const std::optional<Vec3>& given) {
  return closing_of(surface, given).centre;
}

PetscInt nodes_that_leave(const Surface& surface, const std::optional<Vec3>& given, const Supports& supports) {
  const Closing closing = closing_of(surface, given);
  const Space& space = surface.space();
  const double size = size_of(closing.rim);
  const auto stays = [&](const RimNode& node, std::size_t local) {
    return std::all_of(closing.normals.begin(), closing.normals.end(), [&](const Vec3& normal) {
      return !contains(closing.centre, normal, node, size) || supports.stays(local, normal, flat);
    });
  };
  PetscInt leave = 0;
  for (const RimNode& node : closing.rim) {
    const PetscInt local = node.number - space.first_node();
    if (local >= 0 && local < space.owned_nodes() && !stays(node, static_cast<std::size_t>(local))) ++leave;
  }
  return petsc::reduced(space.comm(), MPI_SUM, leave);
}

}  // namespace gearshift::solid
