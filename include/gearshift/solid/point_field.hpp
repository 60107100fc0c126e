#pragma once

/// @file
/// Spatially varying material data, such as fibre directions.

#include <gearshift/solid/types.hpp>

#include <memory>
#include <string>
#include <utility>

namespace gearshift::solid {

/// A scalar or a direction as a function of the position X in the undeformed body [length]. It is given by formulas in
/// x, y and z, or by a file with values at points; the value of the nearest point is used. Laws receive the value at
/// the centre of each cell. Copies share their data.
class GEARSHIFT_EXPORT PointField {
 public:
  /// A scalar, or a unit vector.
  enum class Kind { number, direction };

  /// Creates a field without data.
  PointField() = default;
  /// Creates a field from one formula for each component, separated by commas: "-y,x,0.3*sqrt(x^2+y^2)". A direction
  /// may have any length except 0. Throws OptionError if the number of formulas is wrong, if one does not compile, or
  /// if one depends on time. Not collective.
  PointField(const std::string& formulas, Kind kind);
  /// Reads a text file with rows x, y, z and the components, separated by commas, semicolons, tabs or blanks. A header
  /// line, empty lines, and lines that begin with # are skipped. The file does not depend on the mesh or its
  /// refinement. Throws IoError if the file cannot be read, and OptionError with the line number if a row is invalid.
  /// Collective.
  static PointField read(MPI_Comm comm, const std::string& file, Kind kind);
  /// Calls read() if the text ends in ".csv", and takes it as formulas otherwise. Collective.
  static PointField of(MPI_Comm comm, const std::string& text, Kind kind);

  /// Returns true if the field has data.
  bool given() const { return data_ != nullptr; }
  Kind kind() const { return kind_; }
  int components() const { return kind_ == Kind::number ? 1 : 3; }
  /// Returns the formulas, or the name of the file.
  const std::string& text() const { return text_; }
  /// Returns a text that is equal for equal data: the formulas, or a checksum of the file's numbers.
  std::string identity() const;
  /// Writes components() numbers: the value at X, or NaN if there is none. A file has no value at places further away
  /// from all of its points than the diagonal of their bounding box, if that is not 0. Not collective.
  void evaluate(const Vec3& X, PetscReal* values) const;
  /// Returns the reason why there is no value at X, and advice. Not collective.
  std::string why_none(const Vec3& X) const;

  friend bool operator==(const PointField& a, const PointField& b) { return a.identity() == b.identity(); }

 protected:
  /// Creates a field of that kind without data.
  explicit PointField(Kind kind) : kind_(kind) {}

 private:
  struct Data;
  Kind kind_ = Kind::number;
  std::string text_;
  std::shared_ptr<const Data> data_;
};

/// A direction in the undeformed body.
class GEARSHIFT_EXPORT Direction : public PointField {
 public:
  /// Creates a direction without data.
  Direction() : PointField(Kind::direction) {}
  /// Creates a direction from three formulas. Throws OptionError as PointField does.
  Direction(const std::string& formulas) : PointField(formulas, Kind::direction) {}
  /// Takes a field of the kind `direction`. Throws OptionError if it is of another kind.
  explicit Direction(PointField field);
  /// Returns the unit vector at X, or NaN if there is none.
  Vec3 operator()(const Vec3& X) const {
    Vec3 a{};
    evaluate(X, a.data());
    return a;
  }
};

}  // namespace gearshift::solid
