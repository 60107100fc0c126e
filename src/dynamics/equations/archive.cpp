#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/views.hpp>

namespace gearshift {

void Archive::internal(std::string_view name, Vec z) {
  const petsc::WriteView values(z);
  local(name, values.span());
}

void Archive::expect_length(std::string_view, std::int64_t) {}

Archive::Group::Group(Archive& archive, std::string_view name) : archive_(archive), length_(archive.prefix_.size()) {
  archive_.prefix_.append(name).push_back('/');
}

Archive::Group::~Group() { archive_.prefix_.resize(length_); }

}  // namespace gearshift
