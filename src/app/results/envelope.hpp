#pragma once

/// @file
/// The greatest values of fields over a whole run.

#include <gearshift/dynamics/stepper.hpp>

#include "app/results/fields.hpp"
#include "app/results/settings.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::app {

/// The greatest value that a field had anywhere, when, and the reference position of the node.
struct Extreme {
  std::string name;
  double value = 0;
  PetscReal t = 0;
  solid::Vec3 X{};
};

/// At each node the greatest value of each field over all accepted steps (not between them) and the time at which it was
/// reached first; where unlike materials meet, that of all of them. Every function is collective.
class Envelope {
 public:
  /// @param fields has at least those of the envelope, and outlives it
  Envelope(const ResultSettings& given, const solid::Body& body, Fields& fields);

  bool empty() const { return records_.empty(); }
  /// Looks at a step at t, or a load step of factor t; a second time at the same t does nothing.
  void update(PetscReal t, const State& x, bool moving);
  /// Keeps the values as they are now.
  void keep();
  /// Puts back what keep() kept: the steps since then are void.
  void go_back();
  /// Its state. A run that goes on from a checkpoint may drop fields, but not add any, since their past is not known.
  void archive(Archive& state);
  /// Writes envelope.vtu (or .pvtu, .vtkhdf) with the fields <name>_max and <name>_time. Throws IoError.
  void write(const std::filesystem::path& folder) const;
  /// Of each field; none before the first update().
  std::vector<Extreme> extremes() const;

 private:
  struct Record {
    const char* name;
    petsc::Handle<Vec> most;       // of the layout: each node's greatest value, its time, 0
    petsc::Handle<Vec> kept = {};  // by keep()
  };
  std::vector<double> at_owned_nodes(const io::FrameWriter::PointField& field) const;
  petsc::Handle<Vec> new_record() const;

  const solid::Body& body_;
  Fields& fields_;
  io::FrameFormat format_;
  std::vector<std::string> names_;
  std::vector<Record> records_;
  std::optional<PetscReal> last_, kept_last_;  // the time, or load factor
  bool begun_ = false;
};

}  // namespace gearshift::app
