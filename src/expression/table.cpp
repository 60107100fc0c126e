#include <gearshift/expression/expression.hpp>
#include <gearshift/expression/table.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace gearshift::expression {
namespace {

constexpr PetscReal infinite = std::numeric_limits<PetscReal>::infinity();

}  // namespace

Table::Table(std::vector<PetscReal> places, std::vector<PetscReal> values, Kind kind)
    : places_(std::move(places)), values_(std::move(values)) {
  const auto refuse = [](std::size_t i, const std::string& why) {
    throw OptionError("point " + std::to_string(i + 1) + " of a table: " + why);
  };
  if (places_.size() != values_.size() || places_.size() < 2)
    throw OptionError("a table needs two points or more, each with a value");
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!std::isfinite(places_[i]) || !std::isfinite(values_[i])) refuse(i, "it is not finite");
    if (i > 0 && places_[i] < places_[i - 1]) refuse(i, "it lies before the previous point");
    if (i > 1 && places_[i] == places_[i - 2]) refuse(i, "it is the third point at the same position");
  }
  if (kind == Kind::spline) make_splines();
  find_rough();
}

/// Computes natural cubic splines between jumps: h_i M_(i-1) + 2 (h_i + h_(i+1)) M_i + h_(i+1) M_(i+1) =
/// 6 (s_(i+1) - s_i) for the second derivatives M, with s the slopes of the chords (C. de Boor, A Practical Guide to
/// Splines, chapter IV).
void Table::make_splines() {
  curvatures_.assign(places_.size(), 0);
  std::vector<PetscReal> upper(places_.size());  // upper diagonal of the matrix after forward elimination
  for (std::size_t first = 0, last = 0; first < places_.size(); first = last + 1) {
    for (last = first; last + 1 < places_.size() && places_[last + 1] > places_[last];) ++last;
    upper[first] = 0;
    for (std::size_t i = first + 1; i < last; ++i) {
      const PetscReal before = places_[i] - places_[i - 1], after = places_[i + 1] - places_[i];
      const PetscReal pivot = 2 * (before + after) - before * upper[i - 1];
      upper[i] = after / pivot;
      curvatures_[i] = (6 * (slope(i) - slope(i - 1)) - before * curvatures_[i - 1]) / pivot;
    }
    for (std::size_t i = last; i-- > first + 1;) curvatures_[i] -= upper[i] * curvatures_[i + 1];
  }
}

/// Returns the slope of the chord from point i to the next one.
PetscReal Table::slope(std::size_t i) const { return (values_[i + 1] - values_[i]) / (places_[i + 1] - places_[i]); }

void Table::find_rough() {
  const std::size_t last = places_.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    bool rough = i == 0 || i == last || places_[i + 1] == places_[i] || places_[i] == places_[i - 1];
    if (!rough && curvatures_.empty()) {
      const PetscReal before = slope(i - 1), after = slope(i);
      rough = std::abs(before - after) > 1e-10 * (std::abs(before) + std::abs(after));
    }
    if (rough && (rough_.empty() || rough_.back() != places_[i])) rough_.push_back(places_[i]);
  }
}

Jet Table::at(PetscReal a) const {
  if (std::isnan(a)) return {a, a, a};
  const auto next = std::upper_bound(places_.begin(), places_.end(), a);
  if (next == places_.begin()) return {values_.front(), 0, 0};
  if (next == places_.end()) return {values_.back(), 0, 0};
  const auto i = static_cast<std::size_t>(next - places_.begin()) - 1;
  const PetscReal s = slope(i), beyond = a - places_[i];
  if (curvatures_.empty()) return {values_[i] + s * beyond, s, 0};
  const PetscReal h = places_[i + 1] - places_[i], c = curvatures_[i], third = (curvatures_[i + 1] - c) / h;
  const PetscReal start = s - h * (2 * c + curvatures_[i + 1]) / 6;  // the slope at point i
  return {values_[i] + beyond * (start + beyond * (c / 2 + beyond * third / 6)),
          start + beyond * (c + beyond * third / 2), c + beyond * third};
}

PetscReal Table::rough_above(PetscReal a) const {
  const auto next = std::upper_bound(rough_.begin(), rough_.end(), a);
  return next == rough_.end() ? infinite : *next;
}

PetscReal Table::rough_at_or_below(PetscReal a) const {
  const auto next = std::upper_bound(rough_.begin(), rough_.end(), a);
  return next == rough_.begin() ? -infinite : *(next - 1);
}

}  // namespace gearshift::expression
