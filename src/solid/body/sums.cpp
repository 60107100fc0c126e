/// Forces and momenta of a whole body.

#include "petsc/queries.hpp"
#include "solid/body/impl.hpp"

namespace gearshift::solid {
namespace {

void add(Resultant& to, const Vec3& x, const Vec3& f) {
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
    to.sum[c] += f[c];
    to.moment[c] += x[a] * f[b] - x[b] * f[a];
  }
}

void sum_over_ranks(MPI_Comm comm, std::vector<Resultant>& sums) {
  static_assert(sizeof(Resultant) == 6 * sizeof(PetscReal));
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(6 * sums.size()), MPIU_REAL, MPI_SUM, comm);
}

Vec3 position(const Space& space, std::size_t node, const petsc::ReadView& q, bool deformed) {
  Vec3 x = space.coordinates()[node];
  for (std::size_t c = 0; deformed && c < 3; ++c) x[c] += q[3 * node + c];
  return x;
}

}  // namespace

bool Body::held_rigidly() const {
  impl_->after_set_up("held_rigidly");
  return impl_->supports.hold_body();
}

std::vector<std::string> Body::supported_faces() const { return impl_->supports.list().faces(); }

std::vector<Resultant> Body::reactions(Vec reactions, Vec q) const {
  const Impl& I = *impl_;
  I.after_set_up("reactions");
  std::vector<Resultant> sums(I.supports.list().faces().size());
  {
    const petsc::ReadView forces(reactions), moved(q);
    const bool deformed = !I.small_strains;
    I.supports.visit_reactions(forces.span().data(), [&](std::size_t face, std::size_t node, const Vec3& force) {
      add(sums[face], position(I.space, node, moved, deformed), force);
    });
  }
  sum_over_ranks(I.space.comm(), sums);
  return sums;
}

std::vector<std::string> Body::loaded_faces() const {
  impl_->after_set_up("loaded_faces");
  return impl_->terms.faces();
}

std::vector<Resultant> Body::loads(const State& x) const {
  Impl& I = *impl_;
  I.after_set_up("loads");
  const auto faces = I.terms.faces();
  std::vector<Resultant> sums(faces.size());
  const auto r = petsc::duplicate(I.space.layout());
  const bool deformed = !I.small_strains;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    petsc::check(VecZeroEntries(r.get()));
    I.terms.add_residual_on(faces[i], x, r.get());
    const petsc::ReadView forces(r.get()), q(x.q);
    for (std::size_t node = 0; 3 * node < forces.size(); ++node)
      add(sums[i], position(I.space, node, q, deformed),
          {-forces[3 * node], -forces[3 * node + 1], -forces[3 * node + 2]});
  }
  sum_over_ranks(I.space.comm(), sums);
  return sums;
}

void Body::external_forces(const State& x, Vec forces) const {
  Impl& I = *impl_;
  I.after_set_up("external_forces");
  const auto rest = petsc::duplicate(I.space.layout());
  petsc::check(VecZeroEntries(forces));
  const PetscReal factor = I.terms.load_factor();
  I.terms.add_residual(x, rest.get());
  I.terms.set_load_factor(0);
  I.terms.add_residual(x, forces);
  I.terms.set_load_factor(factor);
  petsc::check(VecAXPY(forces, -1, rest.get()));
  I.fold(forces);
}

void Body::Impl::add_turning(const State& x, Energy& energy) {
  const auto [w, w_t] = frame->at(x.t);
  const auto momenta = [&] {  // of the velocities in frame_work; the result is in frame_more
    op->apply_mass(frame_work.get(), frame_more.get());
    terms.add_momentum({x.t, x.q, frame_work.get(), nullptr}, frame_more.get());
  };
  const auto work = [&] { return terms.load_factor() * petsc::dot(frame_work.get(), frame_more.get()); };
  // |w x r|^2 - |w x R|^2 = (w x q) . (w x (r + R)) with R = X - c, r = R + q.
  frame->velocities(w, 0, 1, x.q, frame_work.get());
  momenta();
  frame->velocities(w, 2, 1, x.q, frame_work.get());
  energy.stored -= work() / 2;
  if (w_t == Vec3{}) return;
  // (w' x r) . (v + w x r) - (w' x R) . (w x R) = (w' x r) . (v + w x q) + (w' x q) . (w x R)
  frame->velocities(w, 0, 1, x.q, frame_work.get());
  if (x.v) petsc::check(VecAXPY(frame_work.get(), 1, x.v));
  momenta();
  frame->velocities(w_t, 1, 1, x.q, frame_work.get());
  energy.power_loads -= work();
  frame->velocities(w, 1, 0, x.q, frame_work.get());
  momenta();
  frame->velocities(w_t, 0, 1, x.q, frame_work.get());
  energy.power_loads -= work();
}

Resultant Body::momentum(const State& x) const {
  Impl& I = *impl_;
  I.after_set_up("momentum");
  const auto momenta = petsc::duplicate(I.space.layout());
  I.op->apply_mass(x.v, momenta.get());
  I.terms.add_momentum({x.t, x.q, x.v, nullptr}, momenta.get());
  std::vector<Resultant> sum(1);
  {
    const petsc::ReadView p(momenta.get()), q(x.q);
    for (std::size_t node = 0; 3 * node < p.size(); ++node)
      add(sum[0], position(I.space, node, q, true), {p[3 * node], p[3 * node + 1], p[3 * node + 2]});
  }
  sum_over_ranks(I.space.comm(), sum);
  return sum[0];
}

}  // namespace gearshift::solid
