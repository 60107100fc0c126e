#include <precice/precice.hpp>

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace precice {
namespace {

void require(bool holds, const std::string& rule) {
  if (!holds) throw std::logic_error("preCICE's contract is broken: " + rule);
}

}  // namespace

Participant::Participant(std::string_view name, std::string_view configuration, int rank, int size,
                         void* communicator) {
  require(name == "Solid", "the participant is called Solid");
  comm_ = *static_cast<MPI_Comm*>(communicator);
  int own_rank = 0, own_size = 0;
  MPI_Comm_rank(comm_, &own_rank);
  MPI_Comm_size(comm_, &own_size);
  require(rank == own_rank && size == own_size, "rank and size are those of the communicator");
  std::ifstream file{std::string(configuration)};
  if (!file) throw std::runtime_error("the configuration '" + std::string(configuration) + "' cannot be read");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    for (double value = 0; words >> value;) settings_[key].push_back(value);
  }
}

double Participant::number(const char* name, double otherwise) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? otherwise : found->second.at(0);
}

void Participant::require_mesh(std::string_view mesh) const {
  require(mesh == "Solid-Mesh", "the mesh is called Solid-Mesh");
}

void Participant::require_ids(span<const VertexID> ids) const {
  require(ids.size() == own_, "all vertices take part");
  for (std::size_t i = 0; i < ids.size(); ++i)
    require(ids[i] == 100 + static_cast<int>(i), "vertices have their own numbers");
}

int Participant::getMeshDimensions(std::string_view mesh) const {
  require_mesh(mesh);
  return static_cast<int>(number("dimensions", 3));
}

bool Participant::requiresMeshConnectivityFor(std::string_view mesh) const {
  require_mesh(mesh);
  return settings_.contains("connectivity");
}

void Participant::setMeshVertices(std::string_view mesh, span<const double> positions, span<VertexID> ids) {
  require_mesh(mesh);
  require(!initialized_, "the mesh comes before initialize");
  require(positions.size() == 3 * ids.size(), "a vertex has three coordinates");
  own_ = ids.size();
  for (std::size_t i = 0; i < own_; ++i) ids[i] = 100 + static_cast<int>(i);
  const double own = static_cast<double>(own_);
  MPI_Allreduce(&own, &vertices_, 1, MPI_DOUBLE, MPI_SUM, comm_);
  motion_.assign(3 * own_, 0);
  spring_ = spring_end_ = motion_;
}

void Participant::setMeshTriangles(std::string_view mesh, span<const VertexID> corners) {
  require_mesh(mesh);
  for (const VertexID id : corners)
    require(id >= 100 && static_cast<std::size_t>(id - 100) < own_, "triangles have corners of this rank");
  double count = static_cast<double>(corners.size()) / 3;
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_DOUBLE, MPI_SUM, comm_);
  require(count == number("connectivity", 0), "the mesh has its triangles");
}

bool Participant::requiresInitialData() { return settings_.contains("spring"); }

void Participant::initialize() {
  require(!initialized_, "initialize comes once");
  require(written_ || !requiresInitialData(), "initial data come before initialize");
  initialized_ = true;
  must_write_ = number("iterations", 1) > 1;
  written_ = false;
}

bool Participant::isCouplingOngoing() const { return window_ < static_cast<int>(number("windows", 1)); }

double Participant::getMaxTimeStepSize() const {
  require(initialized_ && !finalized_, "time is between initialize and finalize");
  return isCouplingOngoing() ? number("window", 1) - in_window_ : 0;
}

bool Participant::requiresWritingCheckpoint() { return std::exchange(must_write_, false); }
bool Participant::requiresReadingCheckpoint() { return std::exchange(must_read_, false); }

void Participant::advance(double dt) {
  require(initialized_ && isCouplingOngoing(), "advance belongs to an ongoing coupling");
  require(!must_write_ && !must_read_, "checkpoints are taken and read before the next step");
  require(written_, "data are written before each advance");
  require(dt > 0 && dt <= getMaxTimeStepSize() * (1 + 1e-14), "a step ends in its window");
  written_ = false;
  if (dt < getMaxTimeStepSize()) {
    in_window_ += dt;
    return;
  }
  in_window_ = 0;
  for (std::size_t i = 0; i < motion_.size(); ++i) spring_end_[i] = -number("spring", 0) / vertices_ * motion_[i];
  const bool implicit = number("iterations", 1) > 1;
  if (++iteration_ < static_cast<int>(number("iterations", 1))) {
    must_read_ = true;
    return;
  }
  iteration_ = 0;
  ++window_;
  spring_ = spring_end_;
  must_write_ = implicit && isCouplingOngoing();
}

void Participant::finalize() {
  require(!isCouplingOngoing() && !finalized_, "finalize comes once, at the end");
  finalized_ = true;
}

void Participant::readData(std::string_view mesh, std::string_view data, span<const VertexID> ids, double time,
                           span<double> values) const {
  require_mesh(mesh);
  require_ids(ids);
  require(data == "Force" || data == "Stress", "the data to read have their name");
  require(initialized_ && !finalized_, "data are read between initialize and finalize");
  require(time >= 0 && time <= getMaxTimeStepSize() * (1 + 1e-14), "data are read inside the window");
  const double window = number("window", 1), part = (in_window_ + time) / window;
  const double t = window_ * window + in_window_ + time, area = number("per_area", 1);
  const auto force = settings_.find("force");
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (1 - part) * spring_[i] + part * spring_end_[i];
    if (force != settings_.end()) values[i] += force->second.at(i % 3) * std::sin(number("rate", 0) * t) / vertices_;
    values[i] /= area;
  }
}

void Participant::writeData(std::string_view mesh, std::string_view data, span<const VertexID> ids,
                            span<const double> values) {
  require_mesh(mesh);
  require_ids(ids);
  require(data == "Displacement" || data == "Velocity", "the data to write have their name");
  const auto velocity = settings_.find("velocity");
  if (velocity != settings_.end()) {
    require(data == "Velocity", "the velocity is what is written");
    for (std::size_t i = 0; i < values.size(); ++i)
      require(std::abs(values[i] - velocity->second.at(i % 3)) < 1e-9, "the vertices move with their velocity");
  }
  motion_.assign(values.begin(), values.end());
  written_ = true;
}

}  // namespace precice
