#include "app/analyses/equilibrium_result.hpp"

#include <gearshift/io/summary.hpp>
#include <gearshift/petsc/views.hpp>

#include <cmath>

namespace gearshift::app {

Place greatest_displacement(const solid::Space& space, Vec q) {
  const petsc::ReadView all(q);
  std::vector<double> values;
  for (std::size_t i = 0; i + 2 < all.size(); i += 3) values.push_back(std::hypot(all[i], all[i + 1], all[i + 2]));
  return greatest_place(space.comm(), values, [&](std::size_t node) { return space.coordinates()[node]; })
      .value_or(Place{});
}

EquilibriumResult::EquilibriumResult(const solid::Body& body, const Stepper& stepper)
    : displacement_(greatest_displacement(body.space(), stepper.state().q)) {
  const std::vector<std::string> faces = body.supported_faces();
  const std::vector<solid::Resultant> sums = body.reactions(stepper.reactions(), stepper.state().q);
  for (std::size_t i = 0; i < faces.size(); ++i) reactions_.emplace_back(faces[i], sums[i].sum);
}

void EquilibriumResult::add_to(io::Summary& summary) const {
  const char* const axes[] = {"x", "y", "z"};
  summary.add("displacement_max", displacement_.value);
  for (std::size_t i = 0; i < 3; ++i)
    summary.add(std::string("displacement_max_") + axes[i], static_cast<double>(displacement_.X[i]));
  for (const auto& [face, force] : reactions_)
    for (std::size_t i = 0; i < 3; ++i) summary.add("reaction_" + face + "_f" + axes[i], static_cast<double>(force[i]));
}

void EquilibriumResult::print(MPI_Comm comm) const {
  const auto& [value, X] = displacement_;
  petsc::check(PetscPrintf(comm, "greatest displacement: %.6g at (%.6g, %.6g, %.6g)\n", value, X[0], X[1], X[2]));
  for (const auto& [face, force] : reactions_)
    petsc::check(
        PetscPrintf(comm, "support of %s: force (%.6g, %.6g, %.6g)\n", face.c_str(), force[0], force[1], force[2]));
}

}  // namespace gearshift::app
