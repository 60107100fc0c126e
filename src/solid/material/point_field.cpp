#include <gearshift/expression/expression.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/point_field.hpp>

#include "expression/rows.hpp"
#include "petsc/files/checksum.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/numerics/nearest_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace gearshift::solid {

namespace {
// Relative to the size of the box around the file's points: a place further away than this from all of them belongs to
// another body, or is given in another unit of length.
constexpr double far_away = 1;
}  // namespace

struct PointField::Data {
  std::vector<expression::Expression> formulas;
  // Data of a file:
  std::optional<NearestPoint> points;
  std::vector<PetscReal> values;  // [point][component]
  std::string identity;

  /// Returns the distance of the nearest point if it is too large, otherwise 0.
  double excess(const Vec3& X, std::size_t nearest) const {
    const Vec3& found = points->point(nearest);
    const double distance = std::hypot(X[0] - found[0], X[1] - found[1], X[2] - found[2]);
    return points->size() > 0 && distance > far_away * points->size() ? distance : 0;
  }
};

PointField::PointField(const std::string& formulas, Kind kind) : kind_(kind), text_(formulas) {
  const std::vector<std::string> parts = petsc::split_top_level(formulas);
  const std::string found = std::to_string(formulas.empty() ? 0 : parts.size()) + " in \"" + formulas + "\"";
  if (parts.size() != static_cast<std::size_t>(components()) || formulas.empty())
    throw OptionError(
        kind == Kind::direction
            ? "a direction has three components separated by commas (x,y,z), or is a file whose name ends in "
              ".csv; found " +
                  found
            : "one formula is needed, or a file whose name ends in .csv; found " + found);
  auto data = std::make_shared<Data>();
  for (const std::string& part : parts) data->formulas.emplace_back(part);
  if (std::any_of(data->formulas.begin(), data->formulas.end(), [](const auto& f) { return f.depends_on_time(); }))
    throw OptionError(std::string(kind == Kind::direction ? "a direction" : "a value") +
                      " in the undeformed body does not depend on t: \"" + formulas + "\"");
  data->identity = formulas;
  data_ = std::move(data);
}

PointField PointField::read(MPI_Comm comm, const std::string& file, Kind kind) {
  PointField field;
  field.kind_ = kind;
  field.text_ = file;
  const std::string bytes = petsc::read_file(comm, file, "give the path of a CSV file with rows x,y,z and values");
  auto data = std::make_shared<Data>();
  std::vector<Vec3> points;
  std::vector<int> columns{1, 2, 3};
  for (int c = 0; c < field.components(); ++c) columns.push_back(4 + c);
  expression::read_rows(bytes, "'" + file + "'", columns, [&](std::span<const PetscReal> row) {
    points.push_back({row[0], row[1], row[2]});
    const auto own = row.subspan(3);
    if (kind == Kind::direction && std::all_of(own.begin(), own.end(), [](PetscReal x) { return x == 0; }))
      throw OptionError("(0, 0, 0) is not a direction");
    data->values.insert(data->values.end(), own.begin(), own.end());
  });
  if (points.empty()) throw OptionError("'" + file + "' has no row of numbers; give rows x,y,z and values");
  std::ostringstream identity;
  identity << points.size() << " points #" << std::hex
           << petsc::checksum(data->values.data(), data->values.size() * sizeof(PetscReal),
                              petsc::checksum(points.data(), points.size() * sizeof(Vec3)));
  data->identity = identity.str();
  data->points.emplace(std::move(points));
  field.data_ = std::move(data);
  return field;
}

PointField PointField::of(MPI_Comm comm, const std::string& text, Kind kind) {
  return text.ends_with(".csv") ? read(comm, text, kind) : PointField(text, kind);
}

Direction::Direction(PointField field) : PointField(std::move(field)) {
  if (given() && kind() != Kind::direction)
    throw OptionError("a direction is needed, but \"" + text() + "\" gives numbers");
  if (!given()) *this = Direction();
}

std::string PointField::identity() const { return data_ ? data_->identity : std::string(); }

void PointField::evaluate(const Vec3& X, PetscReal* values) const {
  const auto count = static_cast<std::size_t>(components());
  std::fill_n(values, count, std::numeric_limits<PetscReal>::quiet_NaN());
  if (!data_) return;
  if (data_->points) {
    const std::size_t nearest = (*data_->points)(X);
    if (data_->excess(X, nearest) > 0) return;
    std::copy_n(data_->values.data() + count * nearest, count, values);
  } else {
    for (std::size_t c = 0; c < count; ++c) values[c] = data_->formulas[c](0, X);
  }
  if (kind_ == Kind::number) return;
  const PetscReal length = std::hypot(values[0], values[1], values[2]);
  for (std::size_t c = 0; c < 3; ++c) values[c] /= length;
}

std::string PointField::why_none(const Vec3& X) const {
  std::ostringstream text;
  if (data_ && data_->points)
    text << "the nearest point of '" << text_ << "' is " << data_->excess(X, (*data_->points)(X))
         << " away; check that the file has the mesh's unit of length";
  else
    text << "give formulas that are " << (kind_ == Kind::direction ? "not all 0 there" : "finite there");
  return text.str();
}

}  // namespace gearshift::solid
