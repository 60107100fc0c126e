#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/direction.hpp>

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

Direction::Direction(const std::string& text) : text_(text) {
  const std::vector<std::string> parts = petsc::split_top_level(text);
  if (parts.size() != 3)
    throw OptionError("a direction has three components separated by commas (x,y,z); found " +
                      std::to_string(text.empty() ? 0 : parts.size()) + " in \"" + text + "\"");
  using expression::Expression;
  components_ = std::make_shared<const std::array<Expression, 3>>(
      std::array{Expression(parts[0]), Expression(parts[1]), Expression(parts[2])});
  if (std::any_of(components_->begin(), components_->end(), [](const Expression& c) { return c.depends_on_time(); }))
    throw OptionError("a direction in the undeformed body does not depend on t: \"" + text + "\"");
}

Vec3 Direction::operator()(const Vec3& X) const {
  Vec3 a{};
  for (std::size_t i = 0; i < 3; ++i) a[i] = (*components_)[i](0, X);
  const PetscReal length = std::hypot(a[0], a[1], a[2]);
  for (PetscReal& entry : a) entry /= length;
  return a;
}

}  // namespace gearshift::solid
