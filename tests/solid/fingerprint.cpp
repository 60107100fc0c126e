// The fingerprint of a body: the numbers on which it depends.

#include "solid/body/fingerprint.hpp"

#include "petsc/queries.hpp"
#include "solid/boxes.hpp"

#include <numeric>

namespace gearshift::solid {
namespace {

using namespace test;

/// Stores the integers that it visits.
class Integers : public Archive {
 public:
  bool loading() const override { return false; }
  void reals(std::string_view, std::span<PetscReal>) override {}
  void integers(std::string_view, std::span<std::int64_t> values) override {
    found.insert(found.end(), values.begin(), values.end());
  }
  void vec(std::string_view, Vec) override {}
  void local(std::string_view, std::span<PetscReal>) override {}
  std::vector<std::int64_t> found;
};

/// Returns the numbering with the numbers of two nodes exchanged.
Handle<IS> exchanged(IS numbering, PetscInt one, PetscInt other) {
  std::vector<PetscInt> result = petsc::indices_of(numbering);
  for (PetscInt& number : result) {
    const PetscInt node = number / 3;
    number += 3 * (node == one ? other - one : node == other ? one - other : 0);
  }
  Handle<IS> changed;
  check(ISCreateGeneral(PETSC_COMM_WORLD, static_cast<PetscInt>(result.size()), result.data(), PETSC_COPY_VALUES,
                        changed.out()));
  return changed;
}

TEST(Fingerprint, KnowsTheNumberOfEachNode) {
  Body body(box("2,1,1"), 1);
  body.set_material({.law = Law::neo_hookean, .E = 1, .rho = 1});
  body.set_up();
  const MaterialTable materials(Material{}, body.space().cells());
  const auto numbers_with = [&](IS numbering) {
    Integers found;
    Fingerprint(body.mesh(), body.space(), materials, numbering).archive(found);
    return found.found;
  };
  const auto numbers = numbers_with(body.natural_numbering());
  ASSERT_EQ(numbers.size(), 4U);
  for (PetscInt node = 0; node + 1 < 12; ++node)
    EXPECT_NE(numbers_with(exchanged(body.natural_numbering(), node, node + 1).get()), numbers) << node;
}

}  // namespace
}  // namespace gearshift::solid
