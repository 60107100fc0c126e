// Stop signals are recorded and change nothing else.
#include <gearshift/petsc/stop_signals.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

using gearshift::StopSignals;

namespace {

/// Returns the end of a child process that runs body(): 0..255 its exit code, -n: signal n.
template <class Body>
int ending_of(Body&& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST(StopSignals, AreNoted) {
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGXCPU}) {
    const StopSignals signals;
    EXPECT_EQ(StopSignals::received(), 0);
    raise(signal);
    EXPECT_EQ(StopSignals::received(), signal);
    raise(signal == SIGTERM ? SIGUSR1 : SIGTERM);
    EXPECT_EQ(StopSignals::received(), signal);  // the first one is kept
    EXPECT_NE(std::string(StopSignals::name(signal)), "a signal");
  }
  EXPECT_NE(StopSignals::received(), 0);  // also available after the run
  StopSignals::clear();
  EXPECT_EQ(StopSignals::received(), 0);
}

TEST(StopSignals, PutBackWhatWasThere) {
  static volatile std::sig_atomic_t seen = 0;
  const auto before = std::signal(SIGUSR1, [](int) { seen = 1; });
  { const StopSignals signals; }
  raise(SIGUSR1);
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(StopSignals::received(), 0);
  std::signal(SIGUSR1, before);
}

TEST(StopSignals, ASecondInterruptEndsAtOnce) {
  const auto twice = [] {
    std::signal(SIGINT, SIG_DFL);
    const StopSignals signals;
    raise(SIGINT);
    raise(SIGINT);
    return 0;
  };
  EXPECT_EQ(ending_of(twice), -SIGINT);
  EXPECT_EQ(ending_of([] {
              const StopSignals signals;
              raise(SIGTERM);
              raise(SIGINT);  // the first signal of this kind
              return StopSignals::received() == SIGTERM ? 0 : 1;
            }),
            0);
}

TEST(StopSignals, AReaderThatGoesAwayDoesNotEndTheProgram) {
  EXPECT_EQ(ending_of([] {
              const StopSignals signals;
              std::array<int, 2> ends{};
              if (pipe(ends.data()) != 0) return 1;
              close(ends[0]);
              return write(ends[1], "x", 1) == -1 ? 0 : 2;
            }),
            0);
}
