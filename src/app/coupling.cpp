#include "app/coupling.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/duplicate.hpp"

#include <precice/precice.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace gearshift::app {

using petsc::check;
using solid::Vec3;

namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int ranks_in(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Whether a node of a tetrahedron or wedge is one of its vertices.
bool is_vertex(const solid::Element& element, int node) {
  const Vec3& xi = element.nodes()[static_cast<std::size_t>(node)];
  const bool end = element.kind() != solid::CellKind::wedge || std::abs(xi[2]) == 1;
  return end && std::all_of(xi.begin(), xi.end(), [](double x) { return std::round(x) == x; });
}

/// The corners of a face's quadrilaterals and triangles, as triangles of local nodes: of hexahedra all cells of the grid
/// of nodes, of others the face itself.
std::vector<std::array<PetscInt, 3>> triangles_of(const solid::Space& space, const solid::CellFace& face) {
  const auto cell = space.cell_nodes(face.cell);
  const auto on_face = space.face_nodes(face);
  const auto node = [&](std::size_t i) { return cell[static_cast<std::size_t>(on_face[i])]; };
  std::vector<std::array<PetscInt, 3>> triangles;
  if (space.element(face.cell).kind() != solid::CellKind::hexahedron) {
    std::vector<PetscInt> corners;
    for (std::size_t i = 0; i < on_face.size(); ++i)
      if (is_vertex(space.element(face.cell), on_face[i])) corners.push_back(node(i));
    triangles.push_back({corners[0], corners[1], corners.back()});
    if (corners.size() == 4) triangles.push_back({corners[0], corners[3], corners[2]});  // two above two
    return triangles;
  }
  const auto n = static_cast<std::size_t>(space.degree());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t first = i + (n + 1) * j;
      const std::array corners{node(first), node(first + 1), node(first + n + 2), node(first + n + 1)};
      triangles.push_back({corners[0], corners[1], corners[2]});
      triangles.push_back({corners[0], corners[2], corners[3]});
    }
  return triangles;
}

/// Takes the books of an accepted window into those of the run.
void add(Report& run, const Report& window) {
  Report all = window;
  all.steps += run.steps;
  all.rejected += run.rejected;
  all.newton_iterations += run.newton_iterations;
  all.krylov_iterations += run.krylov_iterations;
  all.guard_trips += run.guard_trips;
  all.guard_products += run.guard_products;
  all.bdf_steps += run.bdf_steps;
  all.preconditioner_builds += run.preconditioner_builds;
  all.energy_warnings += run.energy_warnings;
  all.seconds += run.seconds;
  run = std::move(all);
}

}  // namespace

class Coupling::Impl {
 public:
  Impl(const CouplingKeys& keys, solid::Body& body)
      : keys_(keys),
        body_(body),
        participant_(keys.participant, keys.configuration, rank_in(body.space().comm()), ranks_in(body.space().comm()),
                     &comm_) {
    const int dimensions = participant_.getMeshDimensions(keys_.mesh);
    if (dimensions != 3)
      throw OptionError("option -precice_mesh: the mesh '" + keys_.mesh + "' has " + std::to_string(dimensions) +
                        " dimensions; the body couples in three");
    nodes_ = body.face_nodes(keys_.faces);
    values_.resize(3 * nodes_.size());
    loads_.resize(values_.size());
    ids_.resize(nodes_.size());
    std::vector<double> places;
    for (const PetscInt node : nodes_) {
      const Vec3& X = body.space().coordinates()[static_cast<std::size_t>(node)];
      places.insert(places.end(), X.begin(), X.end());
    }
    participant_.setMeshVertices(keys_.mesh, places, ids_);
    if (participant_.requiresMeshConnectivityFor(keys_.mesh)) set_triangles();
    if (!keys_.reads_tractions) return;
    tractions_ = petsc::duplicate(body.layout());
    integrate_ = body.traction_integral(keys_.faces);
  }

  /// Adds the partners' forces at time t, which are known from the beginning of the present step to the window's end;
  /// after the last window those that were read last.
  void add_forces(PetscReal t, Vec forces) {
    if (!begun_) return;
    if (!ended_) {
      const double time = std::clamp<double>(t - now_, 0, participant_.getMaxTimeStepSize());
      participant_.readData(keys_.mesh, keys_.reads, ids_, time, loads_);
    }
    Vec target = keys_.reads_tractions ? tractions_.get() : forces;
    if (keys_.reads_tractions) check(VecZeroEntries(target));
    {
      const petsc::WriteView entries(target);
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) entries[3 * static_cast<std::size_t>(nodes_[i]) + c] += loads_[3 * i + c];
    }
    if (keys_.reads_tractions) integrate_(target, forces);
  }

  Report run(Stepper& stepper, const WindowDone& done) {
    const double start = stepper.state().t;
    if (participant_.requiresInitialData()) tell(stepper);
    participant_.initialize();
    now_ = start;
    begun_ = true;
    stepper.add_monitor([this](const Stepper& s, const StepReport& report) { step_done(s, report); });
    std::optional<Snapshot> begin;
    const PetscInt most = stepper.options().max_steps;
    Report report;
    while (participant_.isCouplingOngoing()) {
      if (participant_.requiresWritingCheckpoint()) begin = stepper.snapshot();
      window_end_ = now_ + participant_.getMaxTimeStepSize();
      const Report window = advance(stepper, most - report.steps, done);
      if (stepper.state().t < window_end_) {
        add(report, window);
        done(steps_, true);
        return report;
      }
      if (participant_.requiresReadingCheckpoint()) {
        stepper.restore(*begin);
        now_ = stepper.state().t;
        steps_.clear();
        continue;
      }
      add(report, window);
      const bool ongoing = participant_.isCouplingOngoing(), stops = ongoing && report.steps >= most;
      done(steps_, !ongoing || stops);
      steps_.clear();
      if (!stops) continue;
      report.reason = StopReason::max_steps;
      return report;
    }
    participant_.finalize();
    ended_ = true;
    return report;
  }

 private:
  /// Through the window. What was reached of it before the steps failed is handed on, too.
  Report advance(Stepper& stepper, PetscInt most_steps, const WindowDone& done) {
    try {
      return stepper.advance_to(window_end_, most_steps);
    } catch (const StepFailed&) {
      done(steps_, true);
      throw;
    }
  }

  /// Tells the partners of a step's end.
  void step_done(const Stepper& stepper, const StepReport& report) {
    steps_.push_back(report);
    tell(stepper);
    // The steps of a window add up to it but for round-off, which preCICE does not forgive.
    const bool last = report.t >= window_end_;
    participant_.advance(last ? participant_.getMaxTimeStepSize() : static_cast<double>(report.dt));
    now_ = report.t;
  }

  void tell(const Stepper& stepper) {
    const petsc::ReadView motion(keys_.writes_velocity ? stepper.state().v : stepper.state().q);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) values_[3 * i + c] = motion[3 * static_cast<std::size_t>(nodes_[i]) + c];
    participant_.writeData(keys_.mesh, keys_.writes, ids_, values_);
  }

  /// Of the facets whose corners are all this rank's own.
  void set_triangles() {
    std::map<PetscInt, precice::VertexID> id_of;
    for (std::size_t i = 0; i < nodes_.size(); ++i) id_of[nodes_[i]] = ids_[i];
    std::vector<precice::VertexID> corners;
    for (const std::string& name : keys_.faces)
      for (const solid::CellFace& face : body_.space().face(name))
        for (const auto& triangle : triangles_of(body_.space(), face))
          if (std::all_of(triangle.begin(), triangle.end(), [&](PetscInt node) { return id_of.contains(node); }))
            for (const PetscInt node : triangle) corners.push_back(id_of[node]);
    participant_.setMeshTriangles(keys_.mesh, corners);
  }

  CouplingKeys keys_;
  solid::Body& body_;
  MPI_Comm comm_ = body_.space().comm();
  precice::Participant participant_;
  std::vector<PetscInt> nodes_;
  std::vector<precice::VertexID> ids_;
  std::vector<double> values_, loads_;
  std::vector<StepReport> steps_;
  petsc::Handle<Vec> tractions_;
  solid::Body::TractionIntegral integrate_;
  bool begun_ = false, ended_ = false;
  double now_ = 0, window_end_ = 0;
};

bool Coupling::available() { return true; }

Coupling::Coupling(const CouplingKeys& keys, solid::Body& body) : impl_(std::make_shared<Impl>(keys, body)) {
  body.add_nodal_forces([impl = impl_](PetscReal t, Vec forces) { impl->add_forces(t, forces); });
}

Coupling::~Coupling() = default;

Report Coupling::run(Stepper& stepper, const WindowDone& done) { return impl_->run(stepper, done); }

}  // namespace gearshift::app
