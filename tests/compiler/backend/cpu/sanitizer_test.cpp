// AddressSanitizer sees what compiled functions do to their own memory: the other tests rely on that.
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/compiler/ir/interpreter/support.h"

namespace vantage::test::backend_cpu_sanitizer_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

// Writes to a temporary value of so many elements, where an argument says.
native::Function writes_to_temporary(int64_t elements) {
  const Buffer where = make_buffer("where", {1}, kInt32), out = make_buffer("out", {1}, kInt32);
  const Buffer temporary = make_buffer("temporary", {elements}, kInt32);
  Var i("i");
  const Stmt body = seq({loop(i, elements, store(temporary, {i}, i)), store(temporary, {load(where, {0})}, 7),
                         store(out, {0}, load(temporary, {3}))});
  return cpu::jit(function({where, out}, make_stmt(Allocate(temporary, body))), cpu::host_target(), checked_options());
}

// What a process says, and 0 or another status, that runs it with this argument.
std::pair<int, std::string> run_apart(const native::Function& function, int32_t where) {
  std::array<int, 2> pipe_ends{};
  REQUIRE(pipe(pipe_ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe_ends[1], STDERR_FILENO);
    Tensor index(kInt32, {1});
    const Tensor out(kInt32, {1});
    index.set_integer(0, where);
    run_compiled(function, {index, out});
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string said;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; (n = read(pipe_ends[0], piece.data(), piece.size())) > 0;) said.append(piece.data(), n);
  close(pipe_ends[0]);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {status, said};
}

}  // namespace

TEST_CASE("a compiled function that writes beyond a temporary value is stopped", "[unit]") {
  if (!checked_options().address_sanitizer) {
    WARN("skipped: this program is built without AddressSanitizer");
    return;
  }
  // On the stack, and in memory that the runtime gives.
  for (const int64_t elements : {int64_t{4}, int64_t{1} << 20}) {
    const native::Function function = writes_to_temporary(elements);
    CHECK(run_apart(function, 3) == std::pair<int, std::string>(0, ""));
    const auto [status, said] = run_apart(function, static_cast<int32_t>(elements));
    CHECK(status != 0);
    CHECK_THAT(said, ContainsSubstring("AddressSanitizer"));
  }
}

}  // namespace vantage::test::backend_cpu_sanitizer_test
