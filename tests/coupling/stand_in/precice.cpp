#include <precice/precice.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace precice {
namespace {

void require(bool holds, const std::string& rule) {
  if (!holds) throw std::logic_error("preCICE's contract is broken: " + rule);
}

MPI_Comm world = MPI_COMM_WORLD;

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

Participant::Participant(std::string_view name, std::string_view configuration, int rank, int size)
    : Participant(name, configuration, rank, size, &world) {}

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

void Participant::require_parts(span<const VertexID> corners, std::size_t of_each) const {
  for (const VertexID id : corners)
    require(id >= 100 && static_cast<std::size_t>(id - 100) < own_, "corners are vertices of this rank");
  double count = static_cast<double>(corners.size()) / static_cast<double>(of_each);
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_DOUBLE, MPI_SUM, comm_);
  require(count == number("connectivity", 0), "the mesh has its triangles or edges");
  double size = 0;
  for (std::size_t i = 0; i < corners.size(); i += of_each) size += measure(corners.subspan(i, of_each));
  MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_SUM, comm_);
  require(std::abs(size - number("measure", size)) < 1e-9, "the triangles or edges cover the face once");
}

/// Returns the area of a triangle or the length of an edge.
double Participant::measure(span<const VertexID> part) const {
  std::array<double, 3> a{}, b{};
  for (std::size_t c = 0; c < dimensions_; ++c) {
    const auto x = [&](std::size_t i) { return places_[dimensions_ * static_cast<std::size_t>(part[i] - 100) + c]; };
    a[c] = x(1) - x(0);
    b[c] = x(part.size() - 1) - x(0);
  }
  if (part.size() == 2) return std::hypot(a[0], a[1], a[2]);
  return std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]) / 2;
}

/// Checks that copies of a vertex have the same motion.
void Participant::compare_copies() const {
  const std::size_t most = static_cast<std::size_t>(vertices_) * components_;
  std::vector<double> least(most, 1e300), greatest(most, -1e300);
  for (std::size_t i = 0; i < motion_.size(); ++i) {
    const std::size_t entry = place_[i / components_] * components_ + i % components_;
    least[entry] = greatest[entry] = motion_[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(most), MPI_DOUBLE, MPI_MIN, comm_);
  MPI_Allreduce(MPI_IN_PLACE, greatest.data(), static_cast<int>(most), MPI_DOUBLE, MPI_MAX, comm_);
  require(least == greatest, "copies of a vertex move alike");
}

double Participant::share(std::size_t vertex) const {
  const auto shares = settings_.find("share");
  if (shares == settings_.end()) return 1 / vertices_;
  for (std::size_t i = 0; i < shares->second.size(); i += 2)
    if (std::abs(shares->second[i] - places_[2 * vertex + 1]) < 1e-9) return shares->second.at(i + 1);
  throw std::logic_error("no share for a vertex");
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
  dimensions_ = static_cast<std::size_t>(getMeshDimensions(mesh));
  require(positions.size() == dimensions_ * ids.size(),
          "the number of coordinates of a vertex is the dimension of the mesh");
  places_.assign(positions.begin(), positions.end());
  own_ = ids.size();
  for (std::size_t i = 0; i < own_; ++i) ids[i] = 100 + static_cast<int>(i);
  find_copies();
  if (number("vertices", vertices_) != vertices_) throw std::logic_error("the mesh has other vertices than it should");
  components_ = settings_.contains("scalar") ? 1 : dimensions_;
  motion_.assign(components_ * own_, 0);
  wave_ = {{0, motion_}};
}

/// Numbers the positions of all ranks' vertices. Only connected meshes have copies.
void Participant::find_copies() {
  int size = 1, rank = 0, count = static_cast<int>(places_.size());
  MPI_Comm_size(comm_, &size);
  MPI_Comm_rank(comm_, &rank);
  std::vector<int> counts(static_cast<std::size_t>(size)), starts(counts.size() + 1);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm_);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<double> all(static_cast<std::size_t>(starts.back()));
  MPI_Allgatherv(places_.data(), count, MPI_DOUBLE, all.data(), counts.data(), starts.data(), MPI_DOUBLE, comm_);
  const std::size_t begin = static_cast<std::size_t>(starts[static_cast<std::size_t>(rank)]) / dimensions_;
  std::vector<std::size_t> firsts;
  receives_.assign(own_, false);
  place_.assign(own_, 0);
  std::vector<std::size_t> last_at;
  for (std::size_t i = 0; i < all.size() / dimensions_; ++i) {
    const auto same = [&](std::size_t j) {
      for (std::size_t c = 0; c < dimensions_; ++c)
        if (std::abs(all[dimensions_ * i + c] - all[dimensions_ * j + c]) > 1e-9) return false;
      return true;
    };
    const auto found = std::find_if(firsts.begin(), firsts.end(), same);
    const auto place = static_cast<std::size_t>(found - firsts.begin());
    if (found == firsts.end()) {
      firsts.push_back(i);
      last_at.push_back(i);
    }
    require(last_at[place] == i || settings_.contains("connectivity"), "a mesh without triangles has no copies");
    last_at[place] = i;
    if (i >= begin && i < begin + own_) place_[i - begin] = place;
  }
  for (std::size_t i = 0; i < own_; ++i) receives_[i] = last_at[place_[i]] == begin + i;
  vertices_ = static_cast<double>(firsts.size());
}

void Participant::setMeshEdges(std::string_view mesh, span<const VertexID> ends) {
  require_mesh(mesh);
  require(dimensions_ == 2, "edges are for two dimensions");
  require_parts(ends, 2);
}

void Participant::setMeshTriangles(std::string_view mesh, span<const VertexID> corners) {
  require_mesh(mesh);
  require(dimensions_ == 3, "triangles are for three dimensions");
  require_parts(corners, 3);
}

bool Participant::requiresInitialData() { return settings_.contains("spring"); }

void Participant::initialize() {
  require(!initialized_, "initialize comes once");
  require(written_ || !requiresInitialData(), "initial data come before initialize");
  initialized_ = true;
  for (std::size_t i = 0; i < motion_.size(); ++i) wave_[0].values[i] = -number("spring", 0) / vertices_ * motion_[i];
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
  const bool ends = dt >= getMaxTimeStepSize();
  in_window_ = ends ? number("window", 1) : in_window_ + dt;
  told_.push_back({in_window_, motion_});
  if (!ends) return;
  in_window_ = 0;
  require(static_cast<double>(told_.size()) >= number("samples", 1), "the partners get enough samples of the motion");
  if (!settings_.contains("waveform")) told_.erase(told_.begin(), told_.end() - 1);
  wave_.resize(1);
  for (Sample& sample : told_) {
    for (double& value : sample.values) value *= -number("spring", 0) / vertices_;
    wave_.push_back(std::move(sample));
  }
  told_.clear();
  const bool implicit = number("iterations", 1) > 1;
  if (++iteration_ < static_cast<int>(number("iterations", 1))) {
    must_read_ = true;
    return;
  }
  iteration_ = 0;
  ++window_;
  wave_ = {{0, wave_.back().values}};
  must_write_ = implicit && isCouplingOngoing();
}

void Participant::finalize() {
  require(!isCouplingOngoing() && !finalized_, "finalize comes once, at the end");
  finalized_ = true;
}

double Participant::spring_force(std::size_t entry, double time) const {
  double force = 0;
  for (const Sample& one : wave_) {
    double basis = 1;
    for (const Sample& other : wave_)
      if (&other != &one) basis *= (time - other.time) / (one.time - other.time);
    force += basis * one.values[entry];
  }
  return force;
}

void Participant::readData(std::string_view mesh, std::string_view data, span<const VertexID> ids, double time,
                           span<double> values) const {
  require_mesh(mesh);
  require_ids(ids);
  require(data == "Force" || data == "Stress", "the data to read have their name");
  require(initialized_ && !finalized_, "data are read between initialize and finalize");
  require(time >= 0 && time <= getMaxTimeStepSize() * (1 + 1e-14), "data are read inside the window");
  const double in_window = in_window_ + time, t = (number("first", 0) + window_) * number("window", 1) + in_window;
  const double area = number("per_area", 1);
  const auto force = settings_.find("force");
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = spring_force(i, in_window);
    if (force != settings_.end())
      values[i] += force->second.at(i % components_) * std::sin(number("rate", 0) * t) * share(i / components_);
    values[i] /= area;
    if (data == "Force" && !receives_[i / components_]) values[i] = 0;
  }
}

void Participant::writeData(std::string_view mesh, std::string_view data, span<const VertexID> ids,
                            span<const double> values) {
  require_mesh(mesh);
  require_ids(ids);
  require(data == "Displacement" || data == "Velocity", "the data to write have their name");
  const auto velocity = settings_.find("velocity");
  if (velocity != settings_.end()) {
    require(data == "Velocity", "the written data are velocities");
    for (std::size_t i = 0; i < values.size(); ++i)
      require(std::abs(values[i] - velocity->second.at(i % components_)) < 1e-9,
              "the vertices move with their velocity");
  }
  motion_.assign(values.begin(), values.end());
  if (settings_.contains("connectivity")) compare_copies();
  written_ = true;
}

}  // namespace precice
