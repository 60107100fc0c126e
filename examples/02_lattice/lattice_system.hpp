#pragma once

// The adapter that makes the existing Lattice a gearshift::System.

#include <gearshift/gearshift.hpp>

#include "lattice.hpp"

#include <memory>
#include <optional>

/// The tangent at one state. It stores the ghosted positions, so that a product only communicates its input.
class LatticeTangent : public gearshift::Linearization {
 public:
  explicit LatticeTangent(const Lattice& lattice) : lattice_(lattice) {
    gearshift::petsc::check(DMCreateLocalVector(lattice.dm(), local_q_.out()));
  }
  void update(const gearshift::State& x) override {
    gearshift::petsc::check(DMGlobalToLocal(lattice_.dm(), x.q, INSERT_VALUES, local_q_.get()));
  }
  void apply(gearshift::Shifts s, Vec in, Vec out) override {
    gearshift::petsc::check(lattice_.tangent(local_q_.get(), s.q, s.v, s.a, in, out));
  }
  bool diagonal(gearshift::Shifts s, Vec d) override {
    gearshift::petsc::check(lattice_.tangent_diagonal(local_q_.get(), s.q, s.v, s.a, d));
    return true;
  }
  bool assemble(gearshift::Shifts s, Mat P) override {
    gearshift::petsc::check(lattice_.assemble(local_q_.get(), s.q, s.v, s.a, P));
    return true;
  }

 private:
  const Lattice& lattice_;
  gearshift::petsc::Handle<Vec> local_q_;
};

/// The lattice's equations of motion. With `assembled` it offers a matrix to preconditioners that need one.
class LatticeSystem : public gearshift::System,
                      public gearshift::SystemConstraints,
                      public gearshift::SystemPreconditioner,
                      public gearshift::SystemEnergies {
 public:
  LatticeSystem(const Lattice& lattice, bool assembled) : lattice_(lattice), assembled_(assembled) {}

  void residual(const gearshift::State& x, Vec r) override {
    bool collapsed = false;
    gearshift::petsc::check(lattice_.residual(x.q, x.v, x.a, r, &collapsed));
    if (collapsed) throw gearshift::InvalidState("a spring has no length left");
  }
  std::unique_ptr<gearshift::Linearization> make_linearization() override {
    return std::make_unique<LatticeTangent>(lattice_);
  }
  Mat create_preconditioner_matrix() override {
    Mat P = nullptr;
    if (assembled_) gearshift::petsc::check(lattice_.create_matrix(&P));
    return P;
  }
  bool symmetric() const override { return true; }
  IS constrained() const override { return lattice_.clamped(); }
  std::optional<gearshift::Energy> energy(const gearshift::State& x) override {
    LatticeEnergy e{};
    gearshift::petsc::check(lattice_.energy(x.q, x.v, &e));
    return gearshift::Energy{e.kinetic, e.elastic, e.power_of_gravity, e.power_of_dashpots};
  }

 private:
  const Lattice& lattice_;
  bool assembled_;
};
