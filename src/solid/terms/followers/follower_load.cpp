#include "solid/terms/followers/follower_load.hpp"

#include "petsc/ranks/agree.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <sstream>

namespace gearshift::solid {

namespace {

using Vector = FaceRotation::Vector;

const char* name_of(Follower kind) {
  return kind == Follower::force ? "follower force" : kind == Follower::torque ? "follower torque" : "motor torque";
}

Vec3 of(const Vector& x) { return {x[0], x[1], x[2]}; }

double size(const Surface::Point& point) {
  const Vec3 area = point.vector_area();
  return std::sqrt(dot(area, area));
}

}  // namespace

FollowerLoad::FollowerLoad(const Space& space, Follower kind, TimeHistory load)
    : surface_(space, load.face),
      kind_(kind),
      load_(std::move(load)),
      rotation_(surface_, name_of(kind)),
      pose_(rotation_) {}

const Vector& FollowerLoad::at(PetscReal t) {
  if (t == time_ || (load_.steady && !std::isnan(time_))) return value_;
  time_ = std::numeric_limits<PetscReal>::quiet_NaN();
  std::string failure;
  const Vec3 given = petsc::value_or_failure([&] { return load_.value(t, {}); }, failure);
  if (!std::isfinite(dot(given, given))) {
    std::ostringstream text;
    text << "the " << name_of(kind_) << " on '" << surface_.name() << "' is not finite: (" << given[0] << ", "
         << given[1] << ", " << given[2] << ") at t = " << t << "; check its expression there";
    failure = text.str();
  }
  petsc::throw_if_any<Error>(surface_.space().comm(), failure);
  value_ = Vector(given[0], given[1], given[2]);
  time_ = t;
  return value_;
}

Vector FollowerLoad::turned(const FaceRotation::Pose& pose, PetscReal t) {
  const Vector& given = at(t);
  return kind_ == Follower::motor_torque ? given : Vector(pose.rotation() * given);
}

Vec3 FollowerLoad::traction(const FaceRotation::Pose& pose, const Vector& b, const Surface::Point& point) const {
  return kind_ == Follower::force ? of(b) : cross(of(b), pose.arm(point));
}

void FollowerLoad::fail() const {
  throw InvalidState(std::string("the ") + name_of(kind_) + " on '" + surface_.name() +
                     "': the face has folded so far that it has no rotation");
}

void FollowerLoad::add_residual(TermPoint& x, SharedSum& r) {
  if (!pose_.update(x.q())) fail();
  const Vector load = x.load_factor() * turned(pose_, x.t());
  const Vector b = kind_ == Follower::force ? Vector(load / rotation_.area()) : Vector(pose_.inverse() * load);
  NodalSum& sum = r.get();
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const Surface::Point& point = facet.point(q);
      facet.add(q, -size(point) * traction(pose_, b, point), sum);
    }
}

void FollowerLoad::add_energy(TermPoint& x, Energy& energy) {
  if (!x.state().v) return;
  if (!pose_.update(x.q())) fail();
  const Vector load = turned(pose_, x.t());
  const FaceRotation::Moments rate = pose_.moments(x.v());
  energy.power_loads += x.load_factor() * load.dot(kind_ == Follower::force ? rate.mean : pose_.spin(rate));
}

class FollowerLoad::Tangent : public TermTangent {
 public:
  explicit Tangent(FollowerLoad& term) : term_(term), pose_(term.rotation_) {}

  void update(TermPoint& x) override {
    const bool found = pose_.update(x.q());
    load_ = x.load_factor() * term_.turned(pose_, x.t());
    b_ = pose_.inverse() * load_;
    if (!found) term_.fail();
  }
  /// The product of a torque is db x r + b x (w x r) with A db = dM - dA b; that of a force is w x R F / area.
  void add_apply(TermProduct& product) override {
    const PetscReal s = product.shifts().q;
    if (s == 0) return;
    const FaceRotation::Moments change = pose_.moments(product.in());
    const Vector w = pose_.spin(change);
    const Vector turn = term_.kind_ == Follower::motor_torque ? Vector(Vector::Zero()) : Vector(w.cross(load_));
    NodalSum& sum = product.out();
    if (term_.kind_ == Follower::force) {
      const Vec3 force = of(turn / term_.rotation_.area());
      for_points(
          [&](const Surface::Facet& facet, std::size_t q) { facet.add(q, -s * size(facet.point(q)) * force, sum); });
      return;
    }
    const Vec3 db = of(pose_.inverse() * (turn - pose_.change(change) * b_)), b = of(b_), spin = of(w);
    for_points([&](const Surface::Facet& facet, std::size_t q) {
      const Vec3 r = pose_.arm(facet.point(q));
      facet.add(q, -s * size(facet.point(q)) * (cross(db, r) + cross(b, cross(spin, r))), sum);
    });
  }
  void add_diagonal(Shifts, NodalSum&) override {}  // preconditioners omit terms of low rank
  bool add_stiffness_derivative(const NodalValues&, const NodalValues&, NodalSum&) override { return false; }

 private:
  template <class Use>
  void for_points(Use&& use) const {
    for (const Surface::Facet& facet : term_.surface_.facets())
      for (std::size_t q = 0; q < facet.points(); ++q) use(facet, q);
  }

  FollowerLoad& term_;
  FaceRotation::Pose pose_;
  Vector load_ = Vector::Zero(), b_ = Vector::Zero();
};

std::unique_ptr<TermTangent> FollowerLoad::make_tangent() { return std::make_unique<Tangent>(*this); }

}  // namespace gearshift::solid
