#include "solid/terms/followers/normal_forces.hpp"

namespace gearshift::solid {

void add_normal_forces(const Surface& surface, const NodalValues& u, const PointPressure& p, NodalSum& sum) {
  for (const Surface::Facet& facet : surface.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const auto [t0, t1] = facet.tangents(q, u);
      facet.add(q, p(facet.number(q)) * facet.point(q).weight * cross(t0, t1), sum);
    }
}

void NormalForceTangent::update(const NodalValues& u, const PointPressure& p) {
  tangents_.resize(surface_.points());
  weights_.resize(surface_.points());
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      tangents_[facet.number(q)] = facet.tangents(q, u);
      weights_[facet.number(q)] = p(facet.number(q)) * facet.point(q).weight;
    }
}

void NormalForceTangent::add_product(double factor, const NodalValues& in, NodalSum& out) const {
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const std::size_t point = facet.number(q);
      const auto [t0, t1] = tangents_[point];
      const auto [d0, d1] = facet.derivatives(q, in);
      facet.add(q, factor * weights_[point] * (cross(d0, t1) + cross(t0, d1)), out);
    }
}

void NormalForceTangent::add_second(double factor, const NodalValues& along, const NodalValues& in,
                                    NodalSum& out) const {
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const auto [a0, a1] = facet.derivatives(q, along);
      const auto [d0, d1] = facet.derivatives(q, in);
      facet.add(q, factor * weights_[facet.number(q)] * (cross(d0, a1) + cross(a0, d1)), out);
    }
}

}  // namespace gearshift::solid
