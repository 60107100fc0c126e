#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/expression.hpp>

#include <algorithm>

namespace gearshift::solid {
namespace {

std::array<Expression, 3> compile_components(const std::string& text, const Tables& tables) {
  const std::vector<std::string> parts = petsc::split_top_level(text);
  if (parts.size() != 3)
    throw OptionError("expected three components separated by commas (x,y,z), found " +
                      std::to_string(text.empty() ? 0 : parts.size()) + " in \"" + text + "\"");
  const auto compile = [&](std::size_t i) {
    try {
      return Expression(parts[i], tables);
    } catch (const OptionError& error) {
      throw OptionError("component " + std::string(1, "xyz"[i]) + " of \"" + text + "\": " + error.what());
    }
  };
  return {compile(0), compile(1), compile(2)};
}

}  // namespace

VectorExpression::VectorExpression(const std::string& text, const Tables& tables)
    : components_(compile_components(text, tables)) {}

Vec3 VectorExpression::operator()(PetscReal t, const Vec3& X) const {
  return {components_[0](t, X), components_[1](t, X), components_[2](t, X)};
}

bool VectorExpression::depends_on_time() const {
  return std::any_of(components_.begin(), components_.end(), [](const Expression& c) { return c.depends_on_time(); });
}

bool VectorExpression::depends_on_place() const {
  return std::any_of(components_.begin(), components_.end(), [](const Expression& c) { return c.depends_on_place(); });
}

std::optional<RoughTime> VectorExpression::next_rough_time(PetscReal t, PetscReal until, const Vec3& X) const {
  std::optional<RoughTime> first;
  for (const Expression& component : components_) RoughTime::merge(first, component.next_rough_time(t, until, X));
  return first;
}

Field VectorExpression::field() const {
  return [*this](PetscReal t, const Vec3& X) { return (*this)(t, X); };
}

Motion VectorExpression::motion() const {
  return [components = components_](PetscReal t, const Vec3& X) {
    MotionValue m{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Jet jet = components[i].jet(t, X);
      m.g[i] = jet.f;
      m.g_t[i] = jet.f_t;
      m.g_tt[i] = jet.f_tt;
    }
    return m;
  };
}

}  // namespace gearshift::solid
