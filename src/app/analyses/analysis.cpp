#include "app/analyses/analysis.hpp"

#include "app/analyses/coupled.hpp"
#include "app/analyses/dynamics.hpp"
#include "app/analyses/modes.hpp"
#include "app/analyses/statics.hpp"
#include "petsc/queries.hpp"

#include <cmath>
#include <string>

namespace gearshift::app {
namespace {

petsc::Handle<Vec> values_of(const solid::Body& body, const std::optional<solid::VectorExpression>& value,
                             const char* key) {
  petsc::Handle<Vec> vec = petsc::duplicate(body.layout());
  if (!value) return vec;
  body.interpolate(value->field(), 0, vec.get());
  if (!std::isfinite(petsc::norm(vec.get(), NORM_1)))
    throw OptionError(std::string("option ") + key +
                      ": it is not finite at a node of the body; check its formulas there");
  return vec;
}

}  // namespace

petsc::Handle<Vec> Analysis::initial_velocity() const {
  return values_of(run_.body, run_.given.initial_velocity, "-initial_velocity");
}

petsc::Handle<Vec> Analysis::initial_displacement() const {
  return values_of(run_.body, run_.given.initial_displacement, "-initial_displacement");
}

void Analysis::set_initial_state() {
  const auto q = initial_displacement(), v = initial_velocity();
  run_.stepper.set_initial_state(0, q.get(), v.get());  // or continues from the checkpoint
}

std::unique_ptr<Analysis> make_analysis(const Run& run, Coupling* coupling) {
  switch (run.given.analysis.wanted) {
    case Wanted::equilibrium:
      return std::make_unique<Statics>(run);
    case Wanted::modes:
      return std::make_unique<NaturalModes>(run);
    case Wanted::motion:
      break;
  }
  if (coupling) return std::make_unique<Coupled>(run, *coupling);
  return std::make_unique<Dynamics>(run);
}

}  // namespace gearshift::app
