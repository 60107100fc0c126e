#include "solid/terms/contact/pair/facet_nodes.hpp"

#include <algorithm>

namespace gearshift::solid {

FacetNodes::FacetNodes(const ContactFacets& own, const FacetSearch& search) {
  const std::size_t most = own.most_nodes();
  std::vector<PetscInt> numbers;
  for (std::size_t f = 0; f < own.count(); ++f) {
    for (std::size_t i = 0; i < own[f].nodes.size(); ++i) numbers.push_back(own.global(f, i));
    numbers.resize((f + 1) * most, -1);
  }
  numbers = search.share(std::move(numbers), most);
  begins_.push_back(0);
  std::vector<PetscInt> globals;
  for (std::size_t i = 0; i < numbers.size(); i += most) {
    for (std::size_t j = i; j < i + most && numbers[j] >= 0; ++j) globals.push_back(numbers[j]);
    begins_.push_back(globals.size());
  }
  subset_ = std::make_shared<const NodeSubset>(own.space(), globals);
  for (const PetscInt global : globals) nodes_.push_back(subset_->find(global));
  std::vector<char> triangles;
  for (std::size_t f = 0; f < own.count(); ++f) triangles.push_back(own[f].shape->is_triangle() ? 1 : 0);
  for (const char triangle : search.share(std::move(triangles))) shapes_.push_back(&own.shape(triangle != 0));
}

bool FacetNodes::joined(std::size_t a, std::size_t b) const {
  const auto other = nodes(b);
  return std::any_of(nodes(a).begin(), nodes(a).end(),
                     [&](std::size_t node) { return std::find(other.begin(), other.end(), node) != other.end(); });
}

}  // namespace gearshift::solid
