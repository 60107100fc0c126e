#include "petsc/ranks/callback_guard.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "petsc/ranks/own_comm.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace gearshift::petsc {
namespace {

/// Ends all ranks; the others wait in a collective call that this rank has left.
void end(MPI_Comm comm, const std::string& text) {
  const int rank = rank_of(comm);
  std::fprintf(stderr, "error on rank %d, in the middle of a collective call: %s\n", rank, text.c_str());
  std::fflush(stderr);
  MPI_Abort(comm, 1);
}

bool is_about_files(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const IoError&) {
    return true;
  } catch (...) {
  }
  return false;
}

}  // namespace

/// Ends all ranks at a deadline, unless it is disarmed before. One thread serves all deadlines, because a body that
/// breaks at every trial step arms it for every product.
struct CallbackGuard::Watchdog {
  explicit Watchdog(MPI_Comm comm) : thread_([this, comm](const std::stop_token& stop) { watch(comm, stop); }) {}

  void arm(std::chrono::duration<PetscReal> patience, const std::string& text) {
    {
      const std::lock_guard lock(mutex_);
      constexpr std::chrono::duration<PetscReal> longest(1e9);  // s, within the range of the clock
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::min(patience, longest));
      text_ = text;
    }
    wake_.notify_one();
  }

  void disarm() {
    const std::lock_guard lock(mutex_);
    deadline_.reset();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void watch(MPI_Comm comm, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return deadline_.has_value(); })) {
      // A deadline disarmed or postponed in the meantime is noticed after the wait; this needs no notification.
      wake_.wait_until(lock, stop, *deadline_, [] { return false; });
      if (stop.stop_requested()) return;
      if (deadline_ && Clock::now() >= *deadline_) end(comm, text_);
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Clock::time_point> deadline_;
  std::string text_;
  std::jthread thread_;  // must be the last member, because it uses the others
};

CallbackGuard::CallbackGuard(MPI_Comm comm, PetscReal patience) : comm_(own_comm(comm)), patience_(patience) {}

CallbackGuard::~CallbackGuard() = default;

void CallbackGuard::arm(const std::string& text) {
  const int size = ranks_of(comm_);
  if (size == 1 || !(patience_.count() > 0)) return;  // no other rank waits for this one, or they wait for ever
  if (!watchdog_) watchdog_ = std::make_unique<Watchdog>(comm_);
  watchdog_->arm(patience_, text);
}

void CallbackGuard::disarm() {
  if (watchdog_) watchdog_->disarm();
}

void CallbackGuard::keep_invalid(const char* text) {
  ++kept_;
  if (!invalid_ && !failure_) text_ = text;
  invalid_ = true;
  arm(text_);
}

void CallbackGuard::keep_failure(std::exception_ptr failure) {
  ++kept_;
  std::string text = "an exception not derived from std::exception";
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    text = error.what();
  } catch (...) {
  }
  if (!failure_) {
    failure_ = std::move(failure);
    text_ = text;
  }
  arm(text_);
}

void CallbackGuard::clear() {
  disarm();
  failure_ = nullptr;
  invalid_ = false;
  text_.clear();
}

void CallbackGuard::forgive() {
  if (!failure_) clear();
}

std::string CallbackGuard::first_text(bool mine, const std::string& text) const {
  const auto [rank, found] = petsc::first_text(comm_, mine, text);
  return rank < 0 || ranks_of(comm_) == 1 ? found : found + " (rank " + std::to_string(rank) + ")";
}

int CallbackGuard::checked(bool sound, int all) {
  if (sound) return all;
  if (holds()) end(comm_, text_);
  return failed_bit;
}

/// Returns `failed_bit`, `invalid_bit` and, above them, the bits of `mine` that any rank has set.
int CallbackGuard::reduce(bool invalid, int mine) {
  const int here = (failure_ ? failed_bit : invalid ? invalid_bit : 0) | mine << bits_of_ours;
  int all = here;
  const int code = MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_BOR, comm_);
  all = checked(code == MPI_SUCCESS && (all & here) == here, all);
  if (!(all & failed_bit)) disarm();  // otherwise raise() disarms it, after all ranks have arrived there
  return all;
}

void CallbackGuard::raise(bool failure) {
  const std::string text = first_text(failure ? failure_ != nullptr : invalid_, text_);
  const bool of_files = failure && any(is_about_files(failure_));
  const std::exception_ptr mine = failure_;
  clear();
  if (failure && mine && is_about_files(mine) == of_files) std::rethrow_exception(mine);
  if (!failure) throw InvalidState(text);
  const std::string all = "a callback failed on another rank: " + text;
  if (of_files) throw IoError(all);  // programs try again after an IoError, so all ranks must get one
  throw Error(all);
}

bool CallbackGuard::settle(bool unusable_here) {
  const int all = reduce(unusable_here, 0);
  if (all & failed_bit) raise(true);
  return all == 0;
}

bool CallbackGuard::all_valid() {
  const bool valid = settle(holds());
  forgive();
  return valid;
}

int CallbackGuard::agree(int mine) {
  const int all = reduce(invalid_, mine);
  if (all & (failed_bit | invalid_bit)) raise(all & failed_bit);
  return all >> bits_of_ours;
}

int CallbackGuard::reduce(std::span<PetscReal> least) {
  const int here = failure_ ? failed_bit : invalid_ ? invalid_bit : 0;
  std::array<PetscReal, 5> all{static_cast<PetscReal>(-here)};
  std::copy(least.begin(), least.end(), all.begin() + 1);
  const auto count = static_cast<int>(least.size() + 1);
  const int code = MPI_Allreduce(MPI_IN_PLACE, all.data(), count, MPIU_REAL, MPIU_MIN, comm_);
  std::copy_n(all.begin() + 1, least.size(), least.begin());
  const bool sound = code == MPI_SUCCESS && all[0] <= -here && all[0] >= -(failed_bit | invalid_bit);
  return checked(sound, sound ? static_cast<int>(-all[0]) : 0);
}

void CallbackGuard::run_together(const std::function<void()>& body, std::span<PetscReal> least) {
  CallbackGuard own(comm_, patience_.count());
  own.run(body);
  if (const int bits = own.reduce(least)) own.raise(bits & failed_bit);
}

bool CallbackGuard::any(bool here) const { return petsc::any(comm_, here); }

std::string CallbackGuard::invalid_state_text() { return first_text(invalid_, text_); }

}  // namespace gearshift::petsc
