#include "app/coupling/mesh.hpp"

#include <gearshift/petsc/views.hpp>

#include "app/coupling/triangles.hpp"

#include <algorithm>
#include <map>

namespace gearshift::app {

using petsc::check;
using petsc::ReadView;
using petsc::WriteView;
using solid::Vec3;

namespace {

class NodesAsVertices : public CouplingMesh {
 public:
  NodesAsVertices(const solid::Body& body, const std::vector<std::string>& faces, bool connected)
      : space_(body.space()), nodes_(body.face_nodes(faces)), own_(nodes_.size()), connected_(connected) {
    if (connected_) connect(triangles_of(space_, faces));
    for (const PetscInt node : nodes_) {
      const Vec3& X = space_.coordinates()[static_cast<std::size_t>(node)];
      places_.insert(places_.end(), X.begin(), X.end());
    }
    ghosts_.resize(3 * static_cast<std::size_t>(space_.ghost_nodes()));
  }

  std::vector<int> connectivity() const override { return corners_; }

  void read(Vec field, std::span<double> values) const override {
    const ReadView entries(field);
    if (connected_) {
      space_.node_exchange().ghosts_begin(entries.span().data(), ghosts_.data());
      space_.node_exchange().ghosts_end(entries.span().data(), ghosts_.data());
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        values[3 * i + c] = i < own_ ? entries[entry(nodes_[i], c)] : ghosts_[ghost_entry(nodes_[i], c)];
  }

  void add_forces(std::span<const double> values, Vec forces) const override {
    const WriteView entries(forces);
    add_own(values, entries);
    if (!connected_) return;
    std::fill(ghosts_.begin(), ghosts_.end(), 0);
    for (std::size_t i = own_; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) ghosts_[ghost_entry(nodes_[i], c)] = values[3 * i + c];
    space_.node_exchange().add_ghosts_begin(ghosts_.data(), entries.span().data());
    space_.node_exchange().add_ghosts_end(ghosts_.data(), entries.span().data());
  }

  void set_tractions(std::span<const double> values, Vec tractions) const override {
    check(VecZeroEntries(tractions));
    add_own(values, WriteView(tractions));
  }

 private:
  /// Appends to this rank's own nodes the nodes of other ranks that are corners of triangles of this rank's cells.
  void connect(const std::vector<Triangle>& triangles) {
    std::map<PetscInt, int> vertex_of;
    for (std::size_t i = 0; i < nodes_.size(); ++i) vertex_of[nodes_[i]] = static_cast<int>(i);
    for (const Triangle& triangle : triangles)
      for (const PetscInt node : triangle) {
        const auto [vertex, first] = vertex_of.try_emplace(node, static_cast<int>(nodes_.size()));
        if (first) nodes_.push_back(node);
        corners_.push_back(vertex->second);
      }
  }

  void add_own(std::span<const double> values, const WriteView& entries) const {
    for (std::size_t i = 0; i < own_; ++i)
      for (std::size_t c = 0; c < 3; ++c) entries[entry(nodes_[i], c)] += values[3 * i + c];
  }

  std::size_t ghost_entry(PetscInt node, std::size_t component) const {
    return entry(node - space_.owned_nodes(), component);
  }

  const solid::Space& space_;
  std::vector<PetscInt> nodes_;
  std::size_t own_;                     // number of owned nodes, which come first
  bool connected_;                      // the same on all ranks
  std::vector<int> corners_;            // of the triangles
  mutable std::vector<double> ghosts_;  // three numbers for each ghost node of the space
};

}  // namespace

std::unique_ptr<CouplingMesh> CouplingMesh::make(const solid::Body& body, const std::vector<std::string>& faces,
                                                 int dimensions, bool connected) {
  if (dimensions == 2) return make_coupling_lines(body, faces, connected);
  return std::make_unique<NodesAsVertices>(body, faces, connected);
}

}  // namespace gearshift::app
