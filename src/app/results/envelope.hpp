#pragma once

/// @file
/// The largest values of fields over a whole run.

#include <gearshift/dynamics/stepper.hpp>

#include "app/results/fields.hpp"
#include "app/results/settings.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::app {

/// The largest value of a field over all nodes and steps, its time, and the reference position of the node.
struct Extreme {
  std::string name;
  double value = 0;
  PetscReal t = 0;
  solid::Vec3 X{};
};

/// Records, at each node, the largest value of each field over all accepted steps (not between them) and the time at
/// which it was first reached. Where different materials meet, it is the largest value over all of them. Every function
/// is collective.
class Envelope {
 public:
  /// @param fields contains the fields of the envelope, and must outlive it
  Envelope(const ResultSettings& given, const solid::Body& body, Fields& fields);

  bool empty() const { return records_.empty(); }
  /// Includes the state x of a step at t, or of a load step of factor t; a second call with the same t does nothing.
  void update(PetscReal t, const State& x, bool moving);
  /// Saves the present values.
  void keep();
  /// Restores the values saved by keep(), and so discards the steps since then.
  void go_back();
  /// Saves or loads its state. A run that continues from a checkpoint may drop fields, but not add any, since their
  /// values before the checkpoint are unknown.
  void archive(Archive& state);
  /// Writes envelope.vtu (or .pvtu, .vtkhdf) with the fields <name>_max and <name>_time. Throws IoError.
  void write(const std::filesystem::path& folder) const;
  /// Returns the largest value of each field; empty before the first update().
  std::vector<Extreme> extremes() const;

 private:
  struct Record {
    const char* name;
    petsc::Handle<Vec> most;       // with the layout of q: for each node the largest value, its time, 0
    petsc::Handle<Vec> kept = {};  // saved by keep()
  };
  std::vector<double> at_owned_nodes(const io::FrameWriter::PointField& field) const;
  petsc::Handle<Vec> new_record() const;

  const solid::Body& body_;
  Fields& fields_;
  io::FrameFormat format_;
  std::vector<std::string> names_;
  std::vector<Record> records_;
  std::optional<PetscReal> last_, kept_last_;  // time or load factor
  bool begun_ = false;
};

}  // namespace gearshift::app
