#pragma once

/// @file
/// Data that differ from place to place in the undeformed body, such as directions of fibres.

#include <gearshift/solid/types.hpp>

#include <memory>
#include <string>
#include <utility>

namespace gearshift::solid {

/// Numbers at each place X of the undeformed body: formulas in x, y and z, or values at points that a file lists, of
/// which the nearest one counts. Laws see them in the middle of each cell. Copies share their data.
class GEARSHIFT_EXPORT PointField {
 public:
  /// A number, or a unit vector.
  enum class Kind { number, direction };

  /// None.
  PointField() = default;
  /// One formula for each component, separated by commas: "-y,x,0.3*sqrt(x^2+y^2)"; a direction may have any length but
  /// 0. Throws OptionError unless their number is right, all compile and none depends on time. Not collective.
  PointField(const std::string& formulas, Kind kind);
  /// From a text file with rows x, y, z and the components, separated by commas, semicolons, tabs or blanks; a line of
  /// names at the top, empty lines, and lines that begin with # are skipped. Values do not depend on the mesh that they
  /// were made for: another degree or refinement takes the nearest ones. Throws IoError for a file that cannot be read,
  /// OptionError with the line for a row that is wrong. The first rank reads. Collective.
  static PointField read(MPI_Comm comm, const std::string& file, Kind kind);
  /// read() for a text that ends in ".csv", formulas for another one. Collective.
  static PointField of(MPI_Comm comm, const std::string& text, Kind kind);

  bool given() const { return data_ != nullptr; }
  Kind kind() const { return kind_; }
  int components() const { return kind_ == Kind::number ? 1 : 3; }
  /// The formulas, or the file's name.
  const std::string& text() const { return text_; }
  /// Equal for equal data: the formulas, or a checksum of what the file said.
  std::string identity() const;
  /// Writes components() numbers: the value at X, or NaN where there is none. Not collective.
  void evaluate(const Vec3& X, PetscReal* values) const;
  /// Why there is none at X, and what to do. Not collective.
  std::string why_none(const Vec3& X) const;

  friend bool operator==(const PointField& a, const PointField& b) { return a.identity() == b.identity(); }

 private:
  struct Data;
  Kind kind_ = Kind::number;
  std::string text_;
  std::shared_ptr<const Data> data_;
};

/// A direction in the undeformed body.
class Direction : public PointField {
 public:
  Direction() = default;
  /// Three formulas. OptionError as PointField's.
  Direction(const std::string& formulas) : PointField(formulas, Kind::direction) {}
  /// @param field of that kind
  explicit Direction(PointField field) : PointField(std::move(field)) {}
  /// The unit vector at X; NaN where there is none.
  Vec3 operator()(const Vec3& X) const {
    Vec3 a{};
    evaluate(X, a.data());
    return a;
  }
};

}  // namespace gearshift::solid
