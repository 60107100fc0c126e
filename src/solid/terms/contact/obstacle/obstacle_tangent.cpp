/// The tangent of a contact, and its contribution to levels.

#include "solid/terms/contact/obstacle/obstacle_contact.hpp"
#include "solid/terms/contact/point_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

class ObstacleContact::Tangent : public TermTangent {
 public:
  explicit Tangent(ObstacleContact& term) : term_(term) {}

  void update(TermPoint& x) override {
    points_.clear();
    term_.for_touching(x, [&](std::size_t p, std::size_t q, const Touch& touch) { points_.push_back({p, q, touch}); });
    spin_ = term_.obstacle_.spin();
    moves_ = moves(x.state());
  }

  void give_to_levels() override {
    std::fill(term_.linearized_.begin(), term_.linearized_.end(), Parts{});
    for (const auto& [p, q, touch] : points_) {
      const Part& part = term_.parts_[p];
      Parts& own = term_.linearized_[part.first + q];
      if (touch.presses) {
        add_square(own.q, touch.area * touch.stiffness, touch.there.normal);
        add_square(own.v, touch.area * part.layer.impedance, touch.there.normal);
      }
      if (!term_.has_friction()) continue;
      if (touch.at_rest) {
        const Stick stick = stick_of(touch);
        const double weight = touch.area * touch.spring;
        add_along(own.q, weight * stick.part, touch.there.normal);
        add_square(own.q, weight * (stick.slope - stick.part) / (stick.size * stick.size), stick.along);
      } else {
        const auto [h, slope] = term_.drag(touch.slip);
        const double weight = touch.area * term_.given_.friction * touch.pressure;
        add_along(own.v, weight * h, touch.there.normal);
        add_square(own.v, weight * slope, touch.slip);
      }
    }
  }

  void add_apply(TermProduct& product) override {
    const Shifts s = product.shifts();
    if (s.q == 0 && s.v == 0) return;
    const NodalValues& in = product.in();
    NodalSum& out = product.out();
    for (const Point& point : points_) {
      const Surface::Facet& facet = term_.facet(term_.parts_[point.part]);
      facet.add(point.q, derivative(point, s, facet.value(point.q, in)), out);
    }
  }

  void add_diagonal(Shifts s, NodalSum& d) override {
    for (const Point& point : points_) {
      const Surface::Facet& facet = term_.facet(term_.parts_[point.part]);
      Vec3 diagonal{};
      for (std::size_t c = 0; c < 3; ++c) {
        Vec3 along{};
        along[c] = 1;
        diagonal[c] = derivative(point, s, along)[c];
      }
      for (std::size_t i = 0; i < facet.nodes(); ++i) {
        const double N = facet.shape(point.q, i);
        d.add(facet.node(i), N * N * diagonal);
      }
    }
  }

  bool add_stiffness_derivative(const NodalValues&, const NodalValues&, NodalSum&) override { return false; }

 private:
  struct Point {
    std::size_t part, q;
    Touch touch;
  };

  /// Points stick in the first tangent of a load step: most of those that slide there do so only because the body has
  /// not yet followed the obstacle.
  Stick stick_of(const Touch& touch) const {
    const Stick stick = term_.stick(touch);
    return touch.unmoved ? Stick{stick.along, stick.size} : stick;
  }

  /// Returns the derivative of the residual at a point, times its area, for changes s.q d of the place and s.v d of the
  /// velocity.
  Vec3 derivative(const Point& point, Shifts s, const Vec3& d) const {
    const Touch& touch = point.touch;
    const Part& part = term_.parts_[point.part];
    const Vec3 &n = touch.there.normal, &v = touch.relative;
    const double dg = s.q * dot(n, d), dp = -touch.stiffness * dg;
    const Vec3 dn = s.q * product(touch.there.curvature, d);
    const Vec3 dv = moves_ ? s.v * d - s.q * cross(spin_, d) : Vec3{};
    const double d_along = dot(dn, v) + dot(n, dv);
    Vec3 sum = touch.presses ? (part.layer.impedance * d_along - dp) * n - touch.traction * dn : Vec3{};
    if (touch.at_rest) {
      const Stick stick = stick_of(touch);
      const Vec3 change = -s.q * touch.spring * d + dg * touch.by_gap;
      const double across = dot(n, touch.trial);
      const Vec3 dA = change - (dot(n, change) + dot(dn, touch.trial)) * n - across * dn;
      const Vec3 m = (1 / stick.size) * stick.along;
      sum = sum - stick.part * dA - ((stick.slope - stick.part) * dot(m, dA) + stick.by_pressure * dp) * m;
    } else if (term_.has_friction()) {
      const auto [h, slope] = term_.drag(touch.slip);
      const Vec3& w = touch.slip;
      const Vec3 dw = dv - d_along * n - dot(n, v) * dn;
      sum = sum + term_.given_.friction * (dp * h * w + touch.pressure * (h * dw + slope * dot(w, dw) * w));
    }
    return touch.area * sum;
  }

  ObstacleContact& term_;
  std::vector<Point> points_;
  Vec3 spin_{};
  bool moves_ = false;
};

std::pair<double, double> ObstacleContact::change_of_levels() const {
  std::pair<double, double> sums{};
  if (given_.stiffness <= 1) return sums;
  for (std::size_t i = 0; i < linearized_.size(); ++i) {
    const double now = trace(linearized_[i].q), before = built_.empty() ? 0 : built_[i];
    sums.first += std::abs(now - before);
    sums.second += now + before;
  }
  return sums;
}

void ObstacleContact::levels_were_built() {
  built_.clear();
  for (const Parts& own : linearized_) built_.push_back(trace(own.q));
}

std::unique_ptr<TermTangent> ObstacleContact::make_tangent() { return std::make_unique<Tangent>(*this); }

/// The parts of the points, lumped at the nodes of a level as in SurfaceForm.
class ObstacleContact::Level : public LevelTerm {
 public:
  Level(const ObstacleContact& term, const Space& space)
      : term_(term), surfaces_(surfaces_on(space, term.given_.faces)) {}

  void add_blocks(Shifts s, NodeBlocks& blocks) const override {
    for (const Part& part : term_.parts_) {
      const Surface::Facet& fine = term_.facet(part);
      const Surface::Facet& facet = surfaces_[part.surface]->facets()[part.facet];
      std::vector<Block> of_points;
      Block sum{};
      double area = 0;
      for (std::size_t q = 0; q < fine.points(); ++q) {
        const Parts& own = term_.linearized_[part.first + q];
        Block& block = of_points.emplace_back(scaled(s.q, own.q));
        for (std::size_t i = 0; i < block.size(); ++i) sum[i] += block[i] += s.v * own.v[i];
        area += fine.point(q).size();
      }
      if (sum == Block{}) continue;
      const bool same = facet.points() == fine.points();
      const auto block_of = [&](std::size_t q) {
        return same ? of_points[q] : scaled(facet.point(q).size() / area, sum);
      };
      lump_at_nodes(facet, block_of, blocks);
    }
  }

 private:
  const ObstacleContact& term_;
  std::vector<std::unique_ptr<Surface>> surfaces_;
};

std::unique_ptr<LevelTerm> ObstacleContact::on(const Space& level) const {
  return std::make_unique<Level>(*this, level);
}

}  // namespace gearshift::solid
