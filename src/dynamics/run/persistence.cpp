// Saving and loading the state of a stepper, in memory and in files.

#include "dynamics/checkpoint/natural_order.hpp"
#include "dynamics/run/stepper_impl.hpp"
#include "petsc/files/checksum.hpp"
#include "petsc/queries.hpp"

#include <array>
#include <memory>
#include <utility>

namespace gearshift {

using petsc::check;

struct Snapshot::Data {
  MemoryArchive parts{MemoryArchive::Names::kept};
};

bool Snapshot::operator==(const Snapshot& other) const {
  if (data_ == other.data_) return true;
  return data_ && other.data_ && data_->parts.difference(other.data_->parts).empty();
}

std::string Snapshot::difference(const Snapshot& other) const {
  if (data_ == other.data_) return {};
  return data_ && other.data_ ? data_->parts.difference(other.data_->parts) : "one of them is empty";
}

std::int64_t Stepper::Impl::checksum(Vec x) const {
  NaturalOrder order(layout.get(), guarded->natural_numbering());
  const petsc::ReadView values(order.from(x));
  PetscInt last = 0;
  check(VecGetOwnershipRange(order.natural(), nullptr, &last));
  const PetscInt size = petsc::size_of(x);
  std::uint64_t sum = values.size() > 0 ? petsc::checksum(&values[0], values.size() * sizeof(PetscReal)) : 0;
  sum = petsc::shifted(sum, static_cast<std::uint64_t>(size - last) * sizeof(PetscReal));
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_BXOR, comm());
  return static_cast<std::int64_t>(sum);
}

void Stepper::Impl::archive_settings(Archive& state) {
  const Archive::Group group(state, "settings");
  const auto setting = [&](const char* name, auto& value, auto configured_now) {
    auto then = configured_now;
    state((std::string("configured_") + name).c_str(), then);
    auto archived = value;
    state(name, archived);
    // A setting configured differently since then takes precedence over the archived value.
    if (state.loading()) value = then == configured_now ? archived : configured_now;
  };
  setting("dt", options.dt, configured.dt);
  setting("order", options.order, configured.order);
  setting("rtol", options.rtol, configured.rtol);
  setting("atol", options.atol, configured.atol);
  setting("atol_v", options.atol_v, configured.atol_v);
  archive_entry_tolerances(state);
}

/// Visits the tolerances of every entry, if they are given; as for other settings, tolerances configured differently
/// now take precedence.
void Stepper::Impl::archive_entry_tolerances(Archive& state) {
  std::array<std::int64_t, 2> then = configured_atol_sums;
  state.integers("configured_atol_sums", then);
  bool given = static_cast<bool>(tolerances.atol_q_vec);
  state("atol_of_entries", given);
  std::array<petsc::Handle<Vec>, 2> archived;
  const std::array<petsc::Handle<Vec>*, 2> present{&tolerances.atol_q_vec, &tolerances.atol_v_vec};
  for (std::size_t i = 0; i < 2 && given; ++i) {
    if (state.loading()) archived[i] = petsc::duplicate(layout.get());
    state.vec(i == 0 ? "atol_of_entries_q" : "atol_of_entries_v",
              state.loading() ? archived[i].get() : present[i]->get());
  }
  if (!state.loading()) return;
  for (std::size_t i = 0; i < 2; ++i) {
    if (then[i] != configured_atol_sums[i]) archived[i] = petsc::Handle<Vec>::share(configured_atol[i].get());
    PetscBool same = PETSC_FALSE;  // keep the program's own Vec, whose later changes count, if its values are the same
    if (archived[i] && *present[i]) check(VecEqual(archived[i].get(), present[i]->get(), &same));
    if (!same) *present[i] = std::move(archived[i]);
  }
}

void Stepper::Impl::archive(Archive& state) {
  archive_settings(state);
  {
    const Archive::Group group(state, "system");
    guarded->parts().history->archive(state);
  }
  integrator->archive(state);
  loop->archive(state);
  std::vector<PetscReal> written;  // number of times already written, for each output
  for (const StepLoop::Output& output : observers.outputs) written.push_back(static_cast<PetscReal>(output.next));
  state("outputs_written", written);
  if (!state.loading()) return;
  for (std::size_t i = 0; i < observers.outputs.size(); ++i) {
    StepLoop::Output& output = observers.outputs[i];
    if (written.size() == observers.outputs.size() && written[i] <= static_cast<PetscReal>(output.times.size()))
      output.next = static_cast<std::size_t>(written[i]);
    else
      output.skip_to(loop->state().t);
  }
}

/// Applies settings that have changed since then to the loaded parts. Called after a load.
void Stepper::Impl::adopt_settings() {
  if (options.dt != timeline.dt()) timeline.set_dt(loop->state().t, options.dt);
  integrator->adopt_settings();
}

void Stepper::Impl::load_state(const std::function<void(const std::function<void()>& begin)>& read) {
  set_up();
  const StepperOptions options_before = options;
  const std::array<petsc::Handle<Vec>, 2> entries_before{petsc::Handle<Vec>::share(tolerances.atol_q_vec.get()),
                                                         petsc::Handle<Vec>::share(tolerances.atol_v_vec.get())};
  const Timeline timeline_before = timeline;
  bool began = false;
  try {
    read([&] {
      began = true;
      // The program gave the discontinuities of a stepper that has not moved; later ones may not belong to the state.
      if (integrator->steps() > 0) timeline.clear_discontinuities();
    });
  } catch (...) {
    if (began) {  // a partly loaded state must not be used
      options = options_before;
      tolerances.atol_q_vec = petsc::Handle<Vec>::share(entries_before[0].get());
      tolerances.atol_v_vec = petsc::Handle<Vec>::share(entries_before[1].get());
      timeline = timeline_before;
      tear_down();
    }
    throw;
  }
  adopt_settings();
}

Snapshot Stepper::snapshot() const {
  Impl& self = *impl_;
  (void)self.ready();
  auto data = std::make_shared<Snapshot::Data>();
  data->parts.begin_saving();
  self.archive(data->parts);
  return Snapshot(std::move(data));
}

void Stepper::restore(const Snapshot& snapshot) {
  Impl& self = *impl_;
  if (!snapshot) throw Error("restore: the snapshot is empty; take it by Stepper::snapshot()");
  // Loading only moves the read positions in the stored parts, not the parts themselves.
  auto& parts = const_cast<MemoryArchive&>(snapshot.data().parts);
  self.load_state([&](const auto& begin) {
    begin();
    self.timeline.clear_discontinuities();
    parts.begin_loading();
    self.archive(parts);
    parts.finish_loading();
  });
}

void Stepper::add_state(std::function<void(Archive&)> visit) { impl_->further_state.push_back(std::move(visit)); }

void Stepper::Impl::archive_with_files(Archive& state) {
  archive(state);
  // Warnings are printed once per run, and a restart belongs to the run.
  for (const auto& [name, warned] : {std::pair{"growth_warned", &growth_warned}, {"load_warned", &load_warned}}) {
    bool then = *warned;
    state(name, then);
    *warned = *warned || then;
  }
  const Archive::Group group(state, "program");
  for (const auto& visit : further_state) guarded->guard().run_together([&] { visit(state); });
}

Checkpoints::Contents Stepper::Impl::contents() {
  return {{layout.get(), guarded->natural_numbering(), guarded->parts().internal->internal_layout(),
           guarded->parts().internal->internal_numbering()},
          [this](Archive& state) { archive_with_files(state); }};
}

Checkpoints::Moment Stepper::Impl::moment() const { return {loop->state().t, integrator->steps()}; }

void Stepper::save(const std::string& path) {
  Impl& self = *impl_;
  (void)self.ready();
  Checkpoints::write(path, self.moment(), self.contents());
}

void Stepper::Impl::load(const std::string& path) {
  load_state([&](const auto& begin) {
    Checkpoints::Contents all = contents();
    all.visit = [&](Archive& state) {
      begin();
      archive_with_files(state);
    };
    Checkpoints::load(path, all);
  });
}

void Stepper::load(const std::string& path) { impl_->load(path); }

bool Stepper::resumed() const { return impl_->resumed; }

void Stepper::defer_checkpoints() { impl_->checkpoints_deferred = true; }

bool Stepper::settle(PetscInt window, Report& report) {
  Impl& self = *impl_;
  (void)self.ready();
  if (!self.checkpoints.wanted()) return false;
  const int agreed = self.guarded->guard().agree(self.checkpoints.requests(window));
  self.checkpoints.serve(agreed, self.moment(), self.contents());
  report.checkpoint_failure = self.checkpoints.failure();
  report.checkpoint_written = self.checkpoints.written();
  if (!(agreed & Checkpoints::stops)) return false;
  report.reason = Checkpoints::reason(agreed);
  return true;
}

/// Restarts from the file of -gear_restart, once, if it exists.
void Stepper::Impl::resume() {
  const std::string file = checkpoints.file_to_resume(comm());
  if (file.empty()) return;
  load(options.restart);
  Checkpoints::report_resumed(comm(), file, moment());
  resumed = true;
}

}  // namespace gearshift
