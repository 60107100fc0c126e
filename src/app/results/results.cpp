#include "app/results/results.hpp"

#include "petsc/log.hpp"

#include <algorithm>
#include <fstream>

namespace gearshift::app {
namespace fs = std::filesystem;
namespace {

constexpr const char* momentum_columns = "t,px,py,pz,lx,ly,lz";
constexpr const char* static_steps_columns = "step,load,newton,krylov,seconds";
constexpr const char* steps_columns = "step,t,dt,order,error,newton,krylov,attempts,seconds";

bool is_result(const std::string& name) {
  for (const char* own :
       {"solution", "solution.pvd", "solution.vtkhdf.series", "energy.csv", "energy_regions.csv", "forces.csv",
        "momentum.csv", "steps.csv", "summary.json", "envelope.pvtu", "envelope.vtkhdf", "modes", "modes.csv",
        "modes.pvd", "modes.vtkhdf.series", "frequency_response.csv", "transfer.csv"})
    if (name == own) return true;
  const auto between = [&](const char* begin, const char* end) {
    return name.starts_with(begin) && name.ends_with(end);
  };
  return between("probe_", ".csv") || between("envelope", ".vtu");
}

/// Returns the columns of probe files after displacements and velocities, in the order of Fields::of_points().
std::vector<std::string> columns_of_probes(const ResultSettings& given) {
  std::vector<std::string> columns;
  for (const char* name : field_names())
    if (std::find(given.probe_fields.begin(), given.probe_fields.end(), name) != given.probe_fields.end())
      for (std::string& column : columns_of_field(name)) columns.push_back(std::move(column));
  return columns;
}

/// Returns true if an earlier run failed before its first step, so that its steps.csv has no rows.
bool made_no_step(const fs::path& folder) {
  std::ifstream steps(folder / "steps.csv");
  std::string line;
  return std::getline(steps, line) && !std::getline(steps, line) && !fs::exists(folder / "modes.csv");
}

/// Opens the output folder. Earlier results stay untouched until all probes of this run are known to lie in the mesh.
/// Files of a run that made no step are replaced rather than moved, so that the results which that run moved aside are
/// kept.
io::OutputFolder open_folder(const ResultSettings& given, const solid::Body& body, const io::Probes& probes,
                             bool resume) {
  for (const auto& [name, X] : given.probes) probes.require_inside(name, X);
  const bool replace = given.overwrite || made_no_step(given.folder);
  const io::Earlier earlier = resume ? io::Earlier::keep : replace ? io::Earlier::replace : io::Earlier::move;
  return {body.space().comm(), given.folder, earlier, is_result};
}

/// Returns the columns of forces.csv; empty without supports and loads. Loads on a face that is also supported get
/// columns separate from those of its supports.
std::string columns_of_forces(const solid::Body& body) {
  std::string columns;
  const auto add = [&](const std::string& face) {
    for (const char* component : {"_fx", "_fy", "_fz", "_mx", "_my", "_mz"}) columns += "," + face + component;
  };
  const auto supported = body.supported_faces();
  for (const std::string& face : supported) add(face);
  for (const std::string& face : body.loaded_faces())
    add(std::find(supported.begin(), supported.end(), face) == supported.end() ? face : face + "_load");
  return columns.empty() ? "" : "t" + columns;
}

std::string columns_of_energy(const ResultSettings& given, Along along) {
  const bool statics = along == Along::load;
  std::string columns = statics ? "load,stored" : "t,kinetic,stored,work_loads,work_reactions,dissipated,numerical";
  if (given.contacts) columns += statics ? ",contact" : ",contact,friction";  // parts of stored and of dissipated
  return columns;
}

/// Returns the columns of energy_regions.csv; empty if the file is not requested.
std::string columns_of_regions(const ResultSettings& given, Along along, const solid::Body& body) {
  if (!given.energy_regions) return {};
  std::string columns = along == Along::load ? "load" : "t";
  for (const std::string& region : body.mesh().region_names())
    columns += (along == Along::load ? "," : "," + region + "_kinetic,") + region + "_stored";
  return columns;
}

}  // namespace

void ResultTable::archive(Archive& state, bool wanted) {
  const Archive::Group group(state, name_);
  bool written = open();
  state("written", written);
  if (state.loading() && wanted) begin(written ? io::Table::Begin::resume : io::Table::Begin::anew);
  std::int64_t skipped = 0;
  if (!written) return;
  if (table_)
    table_->archive(state);
  else
    state("offset", skipped);
}

Results::Results(const ResultSettings& given, Along along, const solid::Body& body, bool resume)
    : body_(body),
      errors_(body.space().comm(), given.on_write_error),
      along_(along),
      csv_every_(given.csv_every),
      contacts_(given.contacts),
      probe_fields_(body, given.probes.empty() ? std::vector<std::string>{} : given.probe_fields),
      probes_(body.space(), columns_of_probes(given)),
      folder_(open_folder(given, body, probes_, resume)),
      fields_(body, given.fields_to_recover()),
      frames_(given, along, body, fields_, folder()),
      envelope_(given, body, fields_),
      tables_{table("energy", columns_of_energy(given, along)),
              table("energy_regions", columns_of_regions(given, along, body)), table("forces", columns_of_forces(body)),
              table("momentum", along == Along::load ? "" : momentum_columns),
              table("steps", along == Along::load ? static_steps_columns : steps_columns)} {
  for (const auto& [name, X] : given.probes)
    probes_.add(name, X, folder(), resume ? io::Table::Begin::resume : io::Table::Begin::anew);
  if (csv_every_ == 0 || resume) return;
  for (ResultTable& one : tables_) one.begin(io::Table::Begin::anew);
}

ResultTable Results::table(const char* name, std::string columns) const {
  return {errors_, body_.space().comm(), folder(), name, std::move(columns)};
}

void Results::write(PetscInt step, PetscReal t, const Stepper& stepper, bool last) {
  const petsc::ScopedStage stage(petsc::Stage::output);
  const State state = stepper.end_of_step();
  if (csv_every_ > 0 && step != last_csv_ && (last || step % csv_every_ == 0)) {
    last_csv_ = step;
    if (with_probes_) write_probes(t, state, along_ == Along::time && step > 0);
    if (stepper.ledger().available) write_energy(t, stepper.ledger());
    if (tables_[regions].open()) write_regions(t, state);
    // Before the first step of a motion the acceleration is unknown, and so are the forces that depend on it.
    write_sums(t, stepper, along_ == Along::load || step > 0);
  }
  envelope_.update(t, state, along_ == Along::time && step > 0);
  frames_.write(step, t, stepper, last);
}

void Results::write_regions(PetscReal t, const State& state) {
  std::vector<double> row{t};
  const auto energies = body_.region_energies(state);
  for (std::size_t region = 0; region + 1 < energies.size(); ++region) {
    if (along_ == Along::time) row.push_back(energies[region].kinetic);
    row.push_back(energies[region].stored);
  }
  tables_[regions].row(row);
}

void Results::write_probes(PetscReal t, State state, bool moving) {
  if (probes_.empty()) return;
  probe_fields_.update(state, moving);
  state.t = t;
  const auto further = probe_fields_.of_points();
  with_probes_ =
      errors_.attempt("further rows of probes", [&] { probes_.write(state, further, &probe_fields_.places()); });
}

void Results::write_sums(PetscReal t, const Stepper& stepper, bool with_forces) {
  std::vector<double> row{t};
  const auto append = [&](const solid::Resultant& sums) {
    row.insert(row.end(), sums.sum.begin(), sums.sum.end());
    row.insert(row.end(), sums.moment.begin(), sums.moment.end());
  };
  const State state = stepper.end_of_step();
  if (tables_[momentum].open()) {
    append(body_.momentum(state));
    tables_[momentum].row(row);
  }
  if (!tables_[forces].open() || !with_forces) return;
  row.resize(1);
  for (const solid::Resultant& sums : body_.reactions(stepper.reactions(), state.q)) append(sums);
  for (const solid::Resultant& sums : body_.loads(state)) append(sums);
  tables_[forces].row(row);
}

void Results::write_energy(PetscReal t, const EnergyLedger& ledger) {
  std::vector<double> row{t, ledger.stored};
  if (along_ == Along::time)
    row = {t,
           ledger.kinetic,
           ledger.stored,
           ledger.work_loads,
           ledger.work_reactions,
           ledger.dissipated,
           ledger.numerical()};
  if (contacts_) row.push_back(ledger.contact);
  if (contacts_ && along_ == Along::time) row.push_back(ledger.friction);
  tables_[energy].row(row);
}

void Results::write_load_step(PetscInt step, PetscReal factor, const Stepper& stepper, const Report& report,
                              bool last) {
  write(step, factor, stepper, last);
  tables_[steps].row(std::array{static_cast<double>(step), factor, static_cast<double>(report.newton_iterations),
                                static_cast<double>(report.krylov_iterations), report.seconds});
}

void Results::write_report(const StepReport& report) {
  double seconds = 0;
  for (const PetscLogDouble s : report.iteration_seconds) seconds += s;
  tables_[steps].row(
      std::array{static_cast<double>(report.step), report.t, report.dt, static_cast<double>(report.order), report.error,
                 static_cast<double>(report.newton_iterations), static_cast<double>(report.krylov_iterations),
                 static_cast<double>(report.attempts), seconds});
}

void Results::archive(Archive& state) {
  const Archive::Group group(state, "results");
  frames_.archive(state);
  envelope_.archive(state);
  state("last_csv", last_csv_);
  probes_.archive(state);
  for (ResultTable& one : tables_)  // -energy_regions may have changed since the checkpoint
    if (&one != &tables_[forces] || one.requested()) one.archive(state, csv_every_ > 0);
}

void Results::close() {
  errors_.attempt("the envelope", [&] { envelope_.write(folder()); });
  errors_.attempt("complete files of the probes", [&] { probes_.close(); });
  for (ResultTable& one : tables_) one.close();
}

}  // namespace gearshift::app
