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

/// The corners of a face's quadrilaterals and triangles, as triangles of local nodes: of hexahedra all cells of the grid
/// of nodes, of others the face itself.
std::vector<std::array<PetscInt, 3>> triangles_of(const solid::Space& space, const solid::CellFace& face) {
  const auto cell = space.cell_nodes(face.cell);
  const auto on_face = space.face_nodes(face);
  const auto node = [&](std::size_t i) { return cell[static_cast<std::size_t>(on_face[i])]; };
  std::vector<std::array<PetscInt, 3>> triangles;
  if (space.element(face.cell).kind() != solid::CellKind::hexahedron) {
    const auto vertices = static_cast<int>(space.element(face.cell).vertices());
    std::vector<PetscInt> corners;
    for (std::size_t i = 0; i < on_face.size(); ++i)
      if (on_face[i] < vertices) corners.push_back(node(i));
    if (corners.size() == 3) triangles.push_back({corners[0], corners[1], corners[2]});
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
    ids_.resize(nodes_.size());
    std::vector<double> places;
    for (const PetscInt node : nodes_) {
      const Vec3& X = body.space().coordinates()[static_cast<std::size_t>(node)];
      places.insert(places.end(), X.begin(), X.end());
    }
    participant_.setMeshVertices(keys_.mesh, places, ids_);
    if (participant_.requiresMeshConnectivityFor(keys_.mesh)) set_triangles();
    if (keys_.reads_tractions) tractions_ = petsc::duplicate(body.layout());
  }

  /// Adds the partners' forces at time t, which are known from the beginning of the present step to the window's end.
  void add_forces(PetscReal t, Vec forces) {
    if (!begun_) return;
    const double time = std::clamp<double>(t - now_, 0, participant_.getMaxTimeStepSize());
    participant_.readData(keys_.mesh, keys_.reads, ids_, time, values_);
    Vec target = keys_.reads_tractions ? tractions_.get() : forces;
    if (keys_.reads_tractions) check(VecZeroEntries(target));
    {
      const petsc::WriteView entries(target);
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) entries[3 * static_cast<std::size_t>(nodes_[i]) + c] += values_[3 * i + c];
    }
    if (keys_.reads_tractions) body_.integrate_tractions(keys_.faces, target, forces);
  }

  Report run(Stepper& stepper, const WindowDone& done) {
    const double start = stepper.state().t;
    if (participant_.requiresInitialData()) tell(stepper);
    participant_.initialize();
    now_ = start;
    begun_ = true;
    stepper.add_monitor([this](const Stepper& s, const StepReport& report) { step_done(s, report); });
    std::optional<Snapshot> begin;
    Report report;
    while (participant_.isCouplingOngoing()) {
      if (participant_.requiresWritingCheckpoint()) begin = stepper.snapshot();
      window_end_ = now_ + participant_.getMaxTimeStepSize();
      report = stepper.advance_to(window_end_);
      if (stepper.state().t < window_end_) return report;
      if (participant_.requiresReadingCheckpoint()) {
        stepper.restore(*begin);
        now_ = stepper.state().t;
        steps_.clear();
        continue;
      }
      done(steps_, !participant_.isCouplingOngoing());
      steps_.clear();
    }
    participant_.finalize();
    return report;
  }

 private:
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
  std::vector<double> values_;
  std::vector<StepReport> steps_;
  petsc::Handle<Vec> tractions_;
  bool begun_ = false;
  double now_ = 0, window_end_ = 0;
};

bool Coupling::available() { return true; }

Coupling::Coupling(const CouplingKeys& keys, solid::Body& body) : impl_(std::make_shared<Impl>(keys, body)) {
  body.add_nodal_forces([impl = impl_](PetscReal t, Vec forces) { impl->add_forces(t, forces); });
}

Coupling::~Coupling() = default;

Report Coupling::run(Stepper& stepper, const WindowDone& done) { return impl_->run(stepper, done); }

}  // namespace gearshift::app
