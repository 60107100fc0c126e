#include "app/results/progress.hpp"

#include <array>
#include <cstdio>
#include <numbers>

namespace gearshift::app {
namespace {

/// "0:42", "12:05", "3:20:00".
std::string clock(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  std::array<char, 32> text{};
  if (whole >= 3600)
    std::snprintf(text.data(), text.size(), "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  else
    std::snprintf(text.data(), text.size(), "%ld:%02ld", whole / 60, whole % 60);
  return text.data();
}

}  // namespace

PetscReal Totals::unseen_frequency() const {
  return 2 * unseen > newton + krylov ? unseen_frequencies / static_cast<PetscReal>(unseen) : 0;
}

void Totals::add(const StepReport& report, PetscReal frames) {
  const PetscReal shown = std::numbers::pi / (frames > 0 ? frames : report.dt);  // two frames per period
  if (report.limited_by_velocity && report.error_frequency > shown) {
    const PetscInt iterations = report.newton_iterations + report.krylov_iterations;
    unseen += iterations;
    unseen_frequencies += static_cast<PetscReal>(iterations) * report.error_frequency;
  }
  ++steps;
  if (report.method == Method::esdirk) ++esdirk;
  rejected += report.attempts - 1;
  newton += report.newton_iterations;
  krylov += report.krylov_iterations;
  preconditioner = report.preconditioner;
}

Progress::Progress(MPI_Comm comm, PetscReal t_end, PetscReal dt, PetscReal frames)
    : comm_(comm), t_end_(t_end), dt_(dt), frames_(frames), begin_(MPI_Wtime()) {}

void Progress::begin(PetscReal t_start) {
  t_start_ = t_start;
  few_steps_ = t_end_ - t_start <= 50 * dt_;
  so_far_ = seconds();
}

double Progress::seconds() const { return totals_.seconds + MPI_Wtime() - begin_; }

void Progress::header() {
  if (header_printed_) return;
  header_printed_ = true;
  petsc::check(PetscPrintf(comm_, "%22s %7s %10s %7s %7s %9s %9s\n", "t / t_end", "step", "dt", "Newton", "Krylov",
                           "elapsed", "remaining"));
}

void Progress::step(const StepReport& report) {
  totals_.add(report, frames_);
  const double now = seconds();
  const bool last = report.t >= t_end_ * (1 - 1e-12);
  if (!few_steps_ && totals_.steps > 1 && !last && now - printed_ < 1) return;
  printed_ = now;
  header();
  const double done = report.t - t_start_;
  const std::string remaining = done > 0 ? clock((now - so_far_) / done * (t_end_ - report.t)) : "-";
  std::array<char, 48> time{};
  std::snprintf(time.data(), time.size(), "%.6g / %.6g", report.t, t_end_);
  petsc::check(PetscPrintf(comm_, "%22s %7" PetscInt_FMT " %10.4g %7" PetscInt_FMT " %7" PetscInt_FMT " %9s %9s%s%s\n",
                           time.data(), totals_.steps, report.dt, report.newton_iterations, report.krylov_iterations,
                           clock(now).c_str(), remaining.c_str(), report.attempts > 1 ? "  (repeated)" : "",
                           report.krylov_fallback ? "  (indefinite tangent)" : ""));
  (void)std::fflush(stdout);
}

void Progress::load_step(PetscInt step, PetscInt count, PetscReal factor, const Report& report) {
  ++totals_.steps;
  totals_.newton += report.newton_iterations;
  totals_.krylov += report.krylov_iterations;
  petsc::check(PetscPrintf(comm_,
                           "load step %" PetscInt_FMT " of %" PetscInt_FMT ": load %.4g, Newton %" PetscInt_FMT
                           ", Krylov %" PetscInt_FMT ", %s%s\n",
                           step, count, factor, report.newton_iterations, report.krylov_iterations,
                           clock(seconds()).c_str(), report.last.unstable ? "  (unstable)" : ""));
  (void)std::fflush(stdout);
}

void Progress::cut_back(PetscInt step, PetscInt count, PetscReal factor, const std::string& what) {
  ++totals_.rejected;
  petsc::check(PetscPrintf(comm_,
                           "load step %" PetscInt_FMT " of %" PetscInt_FMT ": %s at load %.6g; halving the load step\n",
                           step, count, what.c_str(), factor));
  (void)std::fflush(stdout);
}

void Progress::close(PetscReal t, PetscInt dofs, const Outcome& outcome, const std::string& remark) const {
  std::array<char, 64> at{};
  if (outcome.code == reached_end)
    std::snprintf(at.data(), at.size(), "done: t = %.10g", t);
  else if (outcome.load)
    std::snprintf(at.data(), at.size(), "stopped at load %.10g of 1", *outcome.load);
  else
    std::snprintf(at.data(), at.size(), "stopped at t = %.10g of %.10g", t, t_end_);
  const std::string reason = outcome.failure.empty() ? outcome.reason : "see the error message";
  const std::string why = reason.empty() ? "" : " (" + reason + ")";
  const std::string by_esdirk = totals_.esdirk > 0 ? " (" + std::to_string(totals_.esdirk) + " by esdirk)" : "";
  petsc::check(PetscPrintf(comm_,
                           "%s%s, %" PetscInt_FMT " steps%s, %" PetscInt_FMT " rejected, %" PetscInt_FMT
                           " Newton, %" PetscInt_FMT " Krylov, %.2f s, %" PetscInt_FMT " DoFs%s%s\n",
                           at.data(), why.c_str(), totals_.steps, by_esdirk.c_str(), totals_.rejected, totals_.newton,
                           totals_.krylov, seconds(), dofs,
                           outcome.advice.empty() ? "" : ("; " + outcome.advice).c_str(),
                           remark.empty() ? "" : ("; " + remark).c_str()));
  (void)std::fflush(stdout);
}

void Progress::archive(Archive& state) {
  const Archive::Group group(state, "progress");
  PetscReal seconds_so_far = seconds();
  state("steps", totals_.steps);
  state("rejected", totals_.rejected);
  state("esdirk", totals_.esdirk);
  state("newton", totals_.newton);
  state("krylov", totals_.krylov);
  state("unseen", totals_.unseen);
  state("unseen_frequencies", totals_.unseen_frequencies);
  MPI_Bcast(&seconds_so_far, 1, MPIU_REAL, 0, comm_);
  state("seconds", seconds_so_far);
  if (state.loading()) totals_.seconds = seconds_so_far;
}

}  // namespace gearshift::app
