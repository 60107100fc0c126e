// One of the two masses of preCICE's tutorial `oscillator`, as a program that supplies its own equations:
//
//     m q'' + (k + k_c) q = f(t),   m = 1, k = 4 pi^2, k_c = 16 pi^2,
//     q(0) = 1 on the left, 0 on the right,   q'(0) = 0
//
// f is k_c times the motion of the other mass, which preCICE delivers as a waveform. The motion of the left and of the
// right mass is (cos(2 pi t) +- cos(6 pi t)) / 2.

#include <gearshift/gearshift.hpp>

#include <precice/precice.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

using namespace gearshift;
using petsc::check, petsc::ReadView, petsc::WriteView;

constexpr double pi = std::numbers::pi, k = 4 * pi * pi, coupling = 16 * pi * pi;

class Mass : public System {
 public:
  std::function<double(double t)> force = [](double) { return 0.0; };

  void residual(const State& x, Vec r) override {
    const ReadView q(x.q), a(x.a);
    const WriteView out(r);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + (k + coupling) * q[i] - force(x.t);
  }
  void tangent(const State&, Shifts s, Vec in, Vec out) override {
    check(VecCopy(in, out));
    check(VecScale(out, s.a + s.q * (k + coupling)));
  }
  bool symmetric() const override { return true; }
};

struct Keys {
  std::string configuration = "precice-config.xml", name = "Mass-Left", mesh, reads, writes;
  PetscInt steps = 1, samples = 3;
  bool right() const { return name == "Mass-Right"; }

  void read(petsc::Options& o) {
    o.string("-precice", "the configuration file", configuration);
    o.string("-name", "Mass-Left or Mass-Right", name);
    mesh = name + "-Mesh", reads = right() ? "Force-Left" : "Force-Right",
    writes = right() ? "Force-Right" : "Force-Left";
    o.string("-mesh", "the mesh's name", mesh);
    o.string("-reads", "name of the force that is read from the other mass", reads);
    o.string("-writes", "name of the force that this mass writes", writes);
    o.integer("-steps", "in a window", steps);
    o.integer("-samples", "minimum number of samples of the motion in a window, for the waveform", samples);
  }
};

/// Integrates between preCICE's calls.
class Partner {
 public:
  Partner(const Keys& keys, Mass& mass, Stepper& stepper)
      : keys_(keys), stepper_(stepper), precice_(keys.name, keys.configuration, 0, 1), ids_(1) {
    const std::vector<double> place(static_cast<std::size_t>(precice_.getMeshDimensions(keys.mesh)));
    precice_.setMeshVertices(keys.mesh, place, ids_);
    check(VecDuplicate(stepper.state().q, sample_.out()));
    if (precice_.requiresInitialData()) tell(stepper.state().q);
    precice_.initialize();
    mass.force = [this](double t) {
      double f = 0;
      precice_.readData(keys_.mesh, keys_.reads, ids_, std::clamp(t - now_, 0.0, precice_.getMaxTimeStepSize()),
                        {&f, 1});
      return f;
    };
    stepper.add_monitor([this](const Stepper&, const StepReport& report) { step_done(report.t, report.dt); });
  }

  /// Runs the coupled simulation and returns the largest error at the end of a step.
  double run() {
    const auto exact = [&](double t) {
      return (std::cos(2 * pi * t) + (keys_.right() ? -1 : 1) * std::cos(6 * pi * t)) / 2;
    };
    double error = 0;
    std::optional<Snapshot> begin;
    while (precice_.isCouplingOngoing()) {
      if (precice_.requiresWritingCheckpoint()) begin = stepper_.snapshot();
      window_ = precice_.getMaxTimeStepSize();
      end_ = now_ + window_;
      stepper_.set_dt(window_ / static_cast<double>(keys_.steps));
      stepper_.advance_to(end_);
      if (precice_.requiresReadingCheckpoint()) {
        stepper_.restore(*begin);
        now_ = stepper_.state().t;
      } else {
        for (const auto& [t, q] : motion_) error = std::max(error, std::abs(q - exact(t)));
      }
      motion_.clear();
    }
    precice_.finalize();
    return error;
  }

 private:
  /// Sends a step to the other mass: its end and, if a window has few steps, samples of the dense output in between.
  void step_done(double t, double dt) {
    const double begin = now_;
    const int parts =
        std::max(1, static_cast<int>(std::ceil(static_cast<double>(keys_.samples) * dt / window_ - 1e-9)));
    for (int i = 1; i < parts; ++i) {
      stepper_.interpolate(begin + dt * i / parts, sample_.get(), nullptr);
      tell(sample_.get());
      precice_.advance(dt / parts);
      now_ = begin + dt * i / parts;
    }
    motion_.emplace_back(t, tell(stepper_.state().q));
    precice_.advance(t >= end_ ? precice_.getMaxTimeStepSize() : t - now_);
    now_ = t;
  }

  double tell(Vec motion) {
    const double q = ReadView(motion)[0], f = coupling * q;
    precice_.writeData(keys_.mesh, keys_.writes, ids_, {&f, 1});
    return q;
  }

  Keys keys_;
  Stepper& stepper_;
  precice::Participant precice_;
  std::vector<precice::VertexID> ids_;
  petsc::Handle<Vec> sample_;
  double now_ = 0, window_ = 0, end_ = 0;
  std::vector<std::pair<double, double>> motion_;  // t, q at the ends of the steps of the window
};

int main(int argc, char** argv) {
  Session session(argc, argv, "A mass of preCICE's tutorial oscillator.\n");
  return session.run([](MPI_Comm comm) {
    Keys keys;
    petsc::read_options(comm, "", "Mass", [&](petsc::Options& o) { keys.read(o); });
    petsc::Handle<Vec> q, v;
    check(VecCreateMPI(comm, PETSC_DECIDE, 1, q.out()));
    check(VecDuplicate(q.get(), v.out()));
    check(VecSet(q.get(), keys.right() ? 0 : 1));
    Mass mass;
    // One ESDIRK step per window is more accurate than six of BDF, at the same cost.
    Stepper stepper(mass, q.get(), {.family = Family::esdirk, .dt = 1, .t_end = 1e3});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    Partner partner(keys, mass, stepper);
    const double error = partner.run();
    check(PetscPrintf(comm, "%s  t %g  q %.12f  steps of a window %d  error %.6e\n", keys.name.c_str(),
                      stepper.state().t, ReadView(stepper.state().q)[0], static_cast<int>(keys.steps), error));
  });
}
