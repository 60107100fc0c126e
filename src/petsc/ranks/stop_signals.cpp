#include <gearshift/petsc/stop_signals.hpp>

#include <array>

namespace gearshift {
namespace {

constexpr std::array watched{SIGTERM, SIGINT, SIGUSR1, SIGXCPU, SIGPIPE};

volatile std::sig_atomic_t first = 0;
volatile std::sig_atomic_t interrupted = 0;
bool alive = false;

/// Only sets flags, as a signal handler must.
extern "C" void gearshift_note_signal(int signal) {
  if (signal == SIGINT && interrupted) {
    (void)std::signal(SIGINT, SIG_DFL);
    (void)raise(SIGINT);
  }
  if (signal == SIGINT) interrupted = 1;
  if (first == 0) first = signal;
}

}  // namespace

StopSignals::StopSignals() {
  static_assert(watched.size() == count);
  clear();
  alive = true;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    action.sa_handler = watched[i] == SIGPIPE ? SIG_IGN : gearshift_note_signal;
    sigaction(watched[i], &action, &before_[i]);
  }
}

StopSignals::~StopSignals() {
  alive = false;
  for (std::size_t i = 0; i < watched.size(); ++i) sigaction(watched[i], &before_[i], nullptr);
}

bool StopSignals::watching() { return alive; }

int StopSignals::received() { return first; }

void StopSignals::clear() {
  first = 0;
  interrupted = 0;
}

const char* StopSignals::name(int signal) {
  switch (signal) {
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGXCPU:
      return "SIGXCPU";
    default:
      return "a signal";
  }
}

}  // namespace gearshift
