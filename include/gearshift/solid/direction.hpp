#pragma once

/// @file
/// Directions in the undeformed body, of fibres.

#include <gearshift/expression/expression.hpp>
#include <gearshift/solid/types.hpp>

#include <memory>
#include <string>

namespace gearshift::solid {

/// A direction as three formulas in x, y, z separated by commas, "-y,x,0.3*sqrt(x^2+y^2)", of any length but 0.
class GEARSHIFT_EXPORT Direction {
 public:
  /// None.
  Direction() = default;
  /// OptionError unless there are exactly three components, all of which compile and none of which depends on time.
  Direction(const std::string& text);

  bool given() const { return components_ != nullptr; }
  const std::string& text() const { return text_; }
  /// The unit vector at X; NaN where the formulas give none.
  Vec3 operator()(const Vec3& X) const;

  friend bool operator==(const Direction& a, const Direction& b) { return a.text_ == b.text_; }

 private:
  std::string text_;
  std::shared_ptr<const std::array<expression::Expression, 3>> components_;
};

}  // namespace gearshift::solid
