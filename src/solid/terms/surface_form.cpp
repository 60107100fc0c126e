#include "solid/terms/surface_form.hpp"

#include "solid/material/registered_laws.hpp"

#include <cmath>

namespace gearshift::solid {

namespace {

/// Returns (normal N N' + tangential (1 - N N')) |area| for a vector area.
NodeBlocks::Block block_of(const Vec3& area, const SurfaceForm::Pair& pair) {
  const double size = std::sqrt(dot(area, area)), along = (pair.normal - pair.tangential) / size;
  const double own = pair.tangential * size;
  return {along * area[0] * area[0] + own, along * area[0] * area[1], along * area[0] * area[2],
          along * area[1] * area[1] + own, along * area[1] * area[2], along * area[2] * area[2] + own};
}

}  // namespace

template <class Of>
void SurfaceForm::fill(Of&& pair_of_cell) {
  for (const Surface::Facet& facet : surface_.facets()) {
    const Pair pair = of_cell_.emplace_back(pair_of_cell(facet.cell()));
    for (std::size_t q = 0; q < facet.points(); ++q) blocks_.push_back(block_of(facet.point(q).vector_area(), pair));
  }
}

std::unique_ptr<SurfaceForm> SurfaceForm::foundation(const Space& space, std::string_view face, Pair k) {
  std::unique_ptr<SurfaceForm> made(new SurfaceForm(space, face, Acts::q));
  made->fill([k](PetscInt) { return k; });
  return made;
}

std::unique_ptr<SurfaceForm> SurfaceForm::dashpots(const Space& space, std::string_view face, Pair c) {
  std::unique_ptr<SurfaceForm> made(new SurfaceForm(space, face, Acts::v));
  made->fill([c](PetscInt) { return c; });
  return made;
}

std::unique_ptr<SurfaceForm> SurfaceForm::absorbing(const Space& space, std::string_view face,
                                                    const MaterialTable& material) {
  std::unique_ptr<SurfaceForm> made(new SurfaceForm(space, face, Acts::v));
  made->surface_.require_sides("absorbing dashpots");
  made->fill([&](PetscInt cell) {
    const Material& own = material[cell];
    const Lame moduli = lame(own);
    return Pair{std::sqrt(own.rho * (moduli.lambda + 2 * moduli.mu)), std::sqrt(own.rho * moduli.mu)};
  });
  return made;
}

void SurfaceForm::add(double factor, const NodalValues& x, NodalSum& sum) const {
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q)
      facet.add(q, factor * product(blocks_[facet.number(q)], facet.value(q, x)), sum);
}

std::unique_ptr<SurfaceForm> SurfaceForm::mass(const Space& space, std::string_view face, PetscReal m) {
  std::unique_ptr<SurfaceForm> made(new SurfaceForm(space, face, Acts::a));
  PetscReal area = 0;
  for (const Surface::Facet& facet : made->surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const Vec3 own = facet.point(q).vector_area();
      area += std::sqrt(dot(own, own));
    }
  area = made->surface_.sum_over_ranks(area);
  made->fill([density = m / area](PetscInt) { return Pair{density, density}; });
  return made;
}

void SurfaceForm::add_residual(TermPoint& x, SharedSum& r) {
  add(1, acts_on_ == Acts::q ? x.q() : acts_on_ == Acts::v ? x.v() : x.a(), r.get());
}

void SurfaceForm::add_momentum(TermPoint& x, SharedSum& p) {
  if (acts_on_ == Acts::a) add(1, x.v(), p.get());
}

void SurfaceForm::add_energy(TermPoint& x, Energy& energy) {
  const NodalValues& values = acts_on_ == Acts::q ? x.q() : x.v();
  PetscReal form = 0;
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const Vec3 value = facet.value(q, values);
      form += dot(value, product(blocks_[facet.number(q)], value));
    }
  form = surface_.sum_over_ranks(form);
  if (acts_on_ == Acts::v)
    energy.power_dissipated += form;
  else
    (acts_on_ == Acts::q ? energy.stored : energy.kinetic) += form / 2;
}

class SurfaceForm::Tangent : public TermTangent {
 public:
  explicit Tangent(const SurfaceForm& term) : term_(term) {}

  void update(TermPoint&) override {}
  void add_apply(TermProduct& product) override {
    const PetscReal s = term_.shift(product.shifts());
    if (s != 0) term_.add(s, product.in(), product.out());
  }
  void add_diagonal(Shifts s, NodalSum& d) override {
    for (const Surface::Facet& facet : term_.surface_.facets())
      for (std::size_t q = 0; q < facet.points(); ++q) {
        const Block& B = term_.blocks_[facet.number(q)];
        for (std::size_t i = 0; i < facet.nodes(); ++i) {
          const double N = facet.shape(q, i);
          d.add(facet.node(i), term_.shift(s) * N * N * Vec3{B[0], B[3], B[5]});
        }
      }
  }
  bool add_stiffness_derivative(const NodalValues&, const NodalValues&, NodalSum&) override { return true; }  // it is 0

 private:
  const SurfaceForm& term_;
};

std::unique_ptr<TermTangent> SurfaceForm::make_tangent() { return std::make_unique<Tangent>(*this); }

class SurfaceForm::Level : public LevelTerm {
 public:
  Level(const SurfaceForm& term, const Space& space) : term_(term), surface_(space, term.surface_.name()) {}

  void add_blocks(Shifts s, NodeBlocks& blocks) const override {
    const PetscReal shift = term_.shift(s);
    if (shift == 0) return;
    for (std::size_t f = 0; f < surface_.facets().size(); ++f) {
      const Surface::Facet& facet = surface_.facets()[f];
      const auto block = [&](std::size_t q) {
        return scaled(shift, block_of(facet.point(q).vector_area(), term_.of_cell_[f]));
      };
      lump_at_nodes(facet, block, blocks);
    }
  }

 private:
  const SurfaceForm& term_;
  Surface surface_;
};

std::unique_ptr<LevelTerm> SurfaceForm::on(const Space& level) const { return std::make_unique<Level>(*this, level); }

double SurfaceForm::bytes() const {
  return surface_.bytes() + static_cast<double>(blocks_.size() * sizeof(Block) + of_cell_.size() * sizeof(Pair));
}

double SurfaceForm::level_bytes(int degree) const {
  return surface_.bytes_at(degree) + surface_.nodes_at(degree) * (sizeof(Block) + sizeof(PetscInt));
}

}  // namespace gearshift::solid
