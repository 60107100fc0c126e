/// The tangent of a contact between faces, and its contribution to levels.

#include "petsc/queries.hpp"
#include "solid/terms/contact/pair/pair_contact.hpp"
#include "solid/terms/contact/point_blocks.hpp"
#include "solid/terms/surface.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gearshift::solid {

class PairContact::Tangent : public TermTangent {
 public:
  explicit Tangent(PairContact& term) : term_(term) {}

  void update(TermPoint& x) override {
    points_ = term_.touching(x);
    facets_ = term_.near_->nodes();
    search_ = term_.near_->search();
  }

  void give_to_levels() override {
    term_.levels_.points.clear();
    term_.levels_.search = search_;
    term_.levels_.now.assign(term_.facets_.count(), 0);
    for (const Touch& touch : *points_) {
      PairLaw::Rates rates;
      touch.tangent_law().forces(touch.state, &rates);
      Linearized own{.facet = touch.facet, .point = touch.point, .partner = touch.partner, .place = touch.place};
      const Vec3& n = rates.normal;
      if (rates.presses) {
        add_square(own.q, touch.area * touch.state.weight, n);
        add_square(own.v, touch.area * touch.state.impedance, n);
      }
      Block& friction = touch.law.at_rest ? own.q : own.v;
      add_along(friction, touch.area * rates.drag, n);
      add_square(friction, touch.area * rates.steeper, rates.slip);
      term_.levels_.now[touch.facet] += trace(own.q);
      term_.levels_.points.push_back(own);
    }
    std::stable_sort(term_.levels_.points.begin(), term_.levels_.points.end(),
                     [](const Linearized& a, const Linearized& b) {
                       return std::pair(a.facet, a.partner) < std::pair(b.facet, b.partner);
                     });
  }

  void add_apply(TermProduct& product) override {
    const Shifts s = product.shifts();
    if (s.q == 0 && s.v == 0) return;
    Values in;
    {
      const petsc::ReadView view(product.vec());
      facets_.subset()->fetch(view.span().data(), in);
    }
    Values out(in.size());
    for (const Touch& touch : *points_)
      multiply(touch, s, in, [&](std::size_t node, const Vec3& value) { out[node] = out[node] + value; });
    NodalSum& sum = product.out();
    facets_.subset()->give(out, [&sum](PetscInt node, const Vec3& value) { sum.add(node, value); });
  }

  void add_diagonal(Shifts s, NodalSum& d) override {
    Values in(facets_.subset()->count()), out(in.size());
    for (const Touch& touch : *points_)
      for (const std::size_t facet : {touch.facet, touch.partner})
        for (const std::size_t own : facets_.nodes(facet))
          for (std::size_t c = 0; c < 3; ++c) {
            in[own][c] = 1;
            multiply(touch, s, in, [&](std::size_t node, const Vec3& value) {
              if (node == own) out[own][c] += value[c];
            });
            in[own][c] = 0;
          }
    facets_.subset()->give(out, [&d](PetscInt node, const Vec3& value) { d.add(node, value); });
  }

  bool add_stiffness_derivative(const NodalValues&, const NodalValues&, NodalSum&) override { return false; }

 private:
  /// Passes the products of a point's derivative to to(node, product). The change of the closest point follows from
  /// that of the nodes; see PairLaw. Third derivatives of S are left out: they count only with W', of order g^2.
  template <class To>
  void multiply(const Touch& touch, Shifts s, const Values& in, To&& to) const {
    const auto own = facets_.shape(touch.facet).at_point(touch.point);
    const auto nodes = facets_.nodes(touch.facet), others = facets_.nodes(touch.partner);
    Vec3 e = value_of(own, nodes, in) - value_of(touch.functions, others, in);
    std::array<Vec3, 2> b{};
    for (std::size_t j = 0; j < others.size(); ++j)
      for (std::size_t a = 0; a < 2; ++a) b[a] = b[a] + touch.functions[j].slopes[a] * in[others[j]];
    const PairState<double>& x = touch.state;
    if (touch.wild) {
      const Vec3 rise = touch.area * (s.q * x.weight + s.v * x.impedance) * dot(touch.normal, e) * touch.normal;
      for (std::size_t i = 0; i < nodes.size(); ++i) to(nodes[i], own[i].value * rise);
      for (std::size_t j = 0; j < others.size(); ++j) to(others[j], -touch.functions[j].value * rise);
      return;
    }
    std::array<double, 2> c{};
    for (std::size_t a = 0; a < 2; ++a) c[a] = s.q * (dot(e, x.along[a]) + dot(x.apart, b[a]));
    const std::array<double, 2> moved = touch.law.motion(x, c);

    PairState<double> change{.apart = s.q * e, .velocity = s.v * e};
    for (std::size_t j = 0; j < others.size(); ++j)
      for (std::size_t a = 0; a < 3; ++a)
        change.bends[a] = change.bends[a] + s.q * touch.functions[j].bends[a] * in[others[j]];
    for (std::size_t a = 0; a < 2; ++a) {
      change.apart = change.apart - moved[a] * x.along[a];
      change.velocity = change.velocity - moved[a] * x.turning[a];
      change.weight += moved[a] * x.slopes[a];
      change.impedance += moved[a] * touch.impedance_slopes[a];
      change.along[a] = s.q * b[a];
      change.turning[a] = s.v * b[a];
      change.way = change.way + moved[a] * x.grid[a];
      for (std::size_t d = 0; d < 2; ++d) {
        change.along[a] = change.along[a] + moved[d] * x.bends[a + d];
        change.turning[a] = change.turning[a] + moved[d] * touch.bending[a + d];
        change.grid[a] = change.grid[a] + moved[d] * touch.grid_bends[a + d];
        change.slopes[a] += moved[d] * touch.weight_bends[a + d];
      }
    }
    const PairForces<Dual<double>> f = touch.tangent_law().forces(with_change(x, change));
    const Vec3 force = part(f.apart, false), rise = part(f.apart, true);
    std::array<Vec3, 2> along{}, turn{};
    for (std::size_t a = 0; a < 2; ++a) {
      along[a] = part(f.along[a], false);
      turn[a] = part(f.along[a], true);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) to(nodes[i], touch.area * own[i].value * rise);
    for (std::size_t j = 0; j < others.size(); ++j) {
      const FacetJet<double>& N = touch.functions[j];
      Vec3 sum = -N.value * rise;
      for (std::size_t a = 0; a < 2; ++a) {
        sum = sum + N.slopes[a] * turn[a] - moved[a] * N.slopes[a] * force;
        for (std::size_t d = 0; d < 2; ++d) sum = sum + moved[d] * N.bends[a + d] * along[a];
      }
      to(others[j], touch.area * sum);
    }
  }

  static Vector<Dual<double>> dual(const Vec3& value, const Vec3& change) {
    return {Dual<double>(value[0], change[0]), Dual<double>(value[1], change[1]), Dual<double>(value[2], change[2])};
  }
  static PairState<Dual<double>> with_change(const PairState<double>& x, const PairState<double>& change) {
    PairState<Dual<double>> result{.apart = dual(x.apart, change.apart),
                                   .velocity = dual(x.velocity, change.velocity),
                                   .weight = {x.weight, change.weight},
                                   .impedance = {x.impedance, change.impedance},
                                   .way = dual(x.way, change.way)};
    for (std::size_t a = 0; a < 2; ++a) {
      result.along[a] = dual(x.along[a], change.along[a]);
      result.turning[a] = dual(x.turning[a], change.turning[a]);
      result.grid[a] = dual(x.grid[a], change.grid[a]);
      result.slopes[a] = {x.slopes[a], change.slopes[a]};
    }
    for (std::size_t a = 0; a < 3; ++a) result.bends[a] = dual(x.bends[a], change.bends[a]);
    return result;
  }
  static Vec3 part(const Vector<Dual<double>>& x, bool change) {
    Vec3 result{};
    for (std::size_t c = 0; c < 3; ++c) result[c] = change ? x[c].d : x[c].v;
    return result;
  }

  PairContact& term_;
  std::shared_ptr<const std::vector<Touch>> points_;
  FacetNodes facets_;
  std::shared_ptr<const FacetSearch> search_;
};

std::pair<double, double> PairContact::change_of_levels() const {
  std::pair<double, double> sums{};
  if (given_.stiffness <= 1) return sums;
  for (std::size_t f = 0; f < facets_.count(); ++f) {
    const double now = levels_.now.empty() ? 0 : levels_.now[f], before = levels_.built.empty() ? 0 : levels_.built[f];
    sums.first += std::abs(now - before);
    sums.second += now + before;
  }
  return sums;
}

void PairContact::levels_were_built() { levels_.built = levels_.now; }

std::unique_ptr<TermTangent> PairContact::make_tangent() { return std::make_unique<Tangent>(*this); }

/// The points of the last linearization, with the level's shape functions.
class PairContact::Level : public LevelTerm {
 public:
  Level(const PairContact& term, const Space& space) : term_(term), facets_(space, term.given_) {}

  void add_couplings(Shifts s, std::vector<NodeCouplings>& all) const override {
    const bool none = term_.levels_.points.empty();
    if (petsc::all(term_.space_.comm(), none)) return;
    if (search_ != term_.levels_.search) {
      search_ = term_.levels_.search;
      nodes_ = FacetNodes(facets_, *search_);
    }
    NodeCouplings& couplings = all.emplace_back(nodes_.subset());
    std::vector<FacetJet<double>> functions;
    std::vector<double> jump;                    // of the nodes of both facets
    std::vector<NodeCouplings::Block> together;  // between these nodes, of the points of one pair of facets
    for (std::size_t i = 0; i < term_.levels_.points.size(); ++i) {
      const Linearized& point = term_.levels_.points[i];
      jump.clear();
      const auto add = [&](std::size_t facet, const FacetPlace& place, double sign) {
        nodes_.shape(facet).evaluate(place, functions);
        for (const FacetJet<double>& N : functions) jump.push_back(sign * N.value);
      };
      add(point.facet, term_.facets_[point.facet].shape->point(point.point), 1);
      add(point.partner, point.place, -1);
      std::array<double, 6> half = scaled(s.q, point.q);
      for (std::size_t c = 0; c < half.size(); ++c) half[c] += s.v * point.v[c];
      const NodeCouplings::Block block = whole(half);
      together.resize(jump.size() * jump.size());
      for (std::size_t a = 0; a < jump.size(); ++a)
        for (std::size_t b = 0; b < jump.size(); ++b)
          for (std::size_t c = 0; c < block.size(); ++c)
            together[a * jump.size() + b][c] += jump[a] * jump[b] * block[c];
      if (i + 1 < term_.levels_.points.size() && term_.levels_.points[i + 1].facet == point.facet &&
          term_.levels_.points[i + 1].partner == point.partner)
        continue;
      const auto first = nodes_.nodes(point.facet), second = nodes_.nodes(point.partner);
      const auto node = [&](std::size_t a) { return a < first.size() ? first[a] : second[a - first.size()]; };
      for (std::size_t a = 0; a < jump.size(); ++a)
        for (std::size_t b = 0; b < jump.size(); ++b) couplings.add(node(a), node(b), together[a * jump.size() + b]);
      together.clear();
    }
  }

 private:
  const PairContact& term_;
  ContactFacets facets_;
  mutable FacetNodes nodes_;
  mutable std::shared_ptr<const FacetSearch> search_;
};

std::unique_ptr<LevelTerm> PairContact::on(const Space& level) const { return std::make_unique<Level>(*this, level); }

}  // namespace gearshift::solid
