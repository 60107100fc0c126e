#include "petsc/log.hpp"

#include <array>
#include <optional>

namespace gearshift::petsc {
namespace {

struct Registry {
  std::array<PetscLogEvent, static_cast<std::size_t>(Event::count)> events{};
  std::array<PetscLogStage, static_cast<std::size_t>(Stage::count)> stages{};
};

/// PETSc's ids are invalid after PetscFinalize; a later PetscInitialize in the same process gives new ones.
std::optional<Registry> registered;

PetscErrorCode forget() {
  registered.reset();
  return petsc::success;
}

const Registry& registry() {
  if (registered) return *registered;
  Registry r;
  PetscClassId id = 0;
  check(PetscClassIdRegister("gearshift", &id));
  const std::array names{"GearResidual", "GearTangent", "GearLinearize", "GearPrecond",    "GearNewton",
                         "GearPredict",  "GearEnergy",  "GearOutput",    "GearCheckpoint", "GearSweep"};
  for (std::size_t i = 0; i < names.size(); ++i) check(PetscLogEventRegister(names[i], id, &r.events[i]));
  const std::array stages{"gearshift setup", "gearshift steps", "gearshift output"};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    // A second copy of the library in the same program may have registered the stage.
    check(PetscLogStageGetId(stages[i], &r.stages[i]));
    if (r.stages[i] < 0) check(PetscLogStageRegister(stages[i], &r.stages[i]));
  }
  check(PetscRegisterFinalize(forget));
  return registered.emplace(r);
}

}  // namespace

ScopedEvent::ScopedEvent(Event event) : id_(registry().events[static_cast<std::size_t>(event)]) {
  (void)!PetscLogEventBegin(id_, nullptr, nullptr, nullptr, nullptr);
}

ScopedEvent::~ScopedEvent() { (void)!PetscLogEventEnd(id_, nullptr, nullptr, nullptr, nullptr); }

namespace {

/// The event counts every vector except the last; the event of the last one measures the time of the loop.
Event count_all_but_one(std::size_t vectors) {
  for (std::size_t i = 1; i < vectors; ++i) const ScopedEvent one(Event::sweep);
  return Event::sweep;
}

}  // namespace

ScopedSweep::ScopedSweep(std::size_t vectors) : last_(count_all_but_one(vectors)) {}

ScopedStage::ScopedStage(Stage stage) { (void)!PetscLogStagePush(registry().stages[static_cast<std::size_t>(stage)]); }

ScopedStage::~ScopedStage() { (void)!PetscLogStagePop(); }

}  // namespace gearshift::petsc
