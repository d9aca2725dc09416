#include "base/signals.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/temporary.h"
#include "tests/catch.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_signals_test {

using namespace vantage;
using test::TemporaryFolder;

namespace {

// Runs `body` in a process of its own and gives the status that wait() has for it.
template <typename Body>
int status_of(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);  // the test framework has its own
    body();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

void wait_for_ever() {
  while (true) pause();
}

}  // namespace

TEST_CASE("a signal ends a program and what it has under way", "[unit]") {
  const TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    const int status = status_of([&] {
      const SignalHandling signals;
      const NewDirectory directory(folder.path() / "d");
      const NewFile file(folder.path() / "f");
      kill(getpid(), signal);
      wait_for_ever();
    });
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

TEST_CASE("what is done when a signal comes is not removed", "[unit]") {
  const TemporaryFolder folder;
  const int status = status_of([&] {
    const SignalHandling signals;
    NewDirectory directory(folder.path() / "d");
    directory.commit();
    { const TemporaryDirectory gone(folder.path() / "t"); }
    kill(getpid(), SIGTERM);
    wait_for_ever();
  });
  CHECK(WIFSIGNALED(status));
  CHECK(std::filesystem::exists(folder.path() / "d"));
}

TEST_CASE("a program that stops in good order does so at the first signal", "[unit]") {
  const int status = status_of([] {
    const SignalHandling signals;
    int pipe[2];
    if (::pipe(pipe) != 0) _exit(1);
    {
      const StopOnSignal stop([&] { (void)!::write(pipe[1], "x", 1); });
      kill(getpid(), SIGTERM);
      char byte = 0;
      if (::read(pipe[0], &byte, 1) != 1) _exit(2);
    }
    _exit(status_of_stop());
  });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 128 + SIGTERM);
}

TEST_CASE("the second signal ends a program whose stopping hangs", "[unit]") {
  const TemporaryFolder folder;
  const int status = status_of([&] {
    const SignalHandling signals;
    const NewDirectory directory(folder.path() / "d");
    const StopOnSignal stop([] {
      kill(getpid(), SIGINT);
      wait_for_ever();
    });
    kill(getpid(), SIGTERM);
    wait_for_ever();
  });
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("once the handling ends, signals are what they were, and may be handled anew", "[unit]") {
  const int status = status_of([] {
    { const SignalHandling once; }
    { const SignalHandling again; }
    kill(getpid(), SIGTERM);
  });
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
}

}  // namespace vantage::test::base_signals_test
