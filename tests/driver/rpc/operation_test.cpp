// What who runs a server looks at: its log, its page of metrics, and its record of who did what.
#include <thread>

#include "base/file.h"
#include "base/json.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/server/audit_log.h"
#include "driver/rpc/server/machine_memory.h"
#include "driver/rpc/server/metrics_page.h"
#include "tests/catch.h"
#include "tests/driver/rpc/attacks.h"
#include "tests/driver/rpc/bystander.h"
#include "tests/support/full_disk.h"
#include "tests/support/variable.h"

namespace vantage::test::driver_rpc_operation_test {

using namespace vantage;
using namespace vantage::test;

namespace {

std::vector<Json> lines(const std::filesystem::path& file) {
  std::vector<Json> objects;
  std::istringstream text(read_file(file, Bytes(1 << 20)));
  for (std::string line; std::getline(text, line);) objects.push_back(parse_json(line, "audit"));
  return objects;
}

}  // namespace

TEST_CASE("refusals are said at once, then counted", "[unit]") {
  std::vector<std::string> log;
  rpc::Refusals refusals([&](const std::string& line) { log.push_back(line); });
  for (int i = 0; i < 100; ++i) refusals.add("kind", fmt::format("line {}", i));
  refusals.add("other", "another");
  CHECK(log == std::vector<std::string>{"line 0", "another"});
  refusals.look();
  CHECK(log.size() == 2);
  CHECK(eventually([&] {
    refusals.look();
    return log.size() == 3;
  }));
  CHECK(log.back() == "line 99 (and 98 more like it)");
  CHECK(refusals.total() == 101);
  // Of two there is but one to say.
  for (int i = 0; i < 2; ++i) refusals.add("two", fmt::format("this {}", i));
  CHECK(eventually([&] {
    refusals.look();
    return log.back() == "this 1";
  }));
}

TEST_CASE("who did what is put down, line by line", "[unit]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "audit";
  {
    const Variable token("VANTAGE_TOKEN", "0123456789abcdef");
    const TestServer server({"fsim"}, [&](rpc::ServerOptions& o) {
      o.audit = file;
      o.identities = rpc::Identities(std::vector<rpc::Identity>{{"ann", "0123456789abcdef"}});
    });
    // What is no session neither begins nor ends.
    CHECK_THAT(ERROR_OF(driver::open_accelerator(server.uri("nope"), isa::Config::vta_default())),
               ContainsSubstring("nope"));
    CHECK(Bystander(server).works());
    CHECK(eventually([&] { return server.sessions() == 0; }));
  }
  const std::vector<Json> events = lines(file);
  REQUIRE(events.size() == 3);
  CHECK(events[0]["event"] == "session opened");
  CHECK(events[0]["who"] == "ann");
  CHECK(events[0]["device"] == "fsim");
  CHECK(events[1]["event"] == "program");
  CHECK(events[1]["sha256"].get<std::string>().size() == 64);
  CHECK(events[2]["event"] == "session over");
  for (const Json& event : events) {
    CHECK(event["session"] == events[0]["session"]);
    CHECK(event["time"].get<std::string>().ends_with("Z"));
  }
  using std::filesystem::perms;
  CHECK((std::filesystem::status(file).permissions() & (perms::group_all | perms::others_all)) == perms::none);
  // One that another user could turn elsewhere is not followed
  std::filesystem::create_symlink(file, folder.path() / "link");
  CHECK_THAT(ERROR_OF(rpc::AuditLog(folder.path() / "link")), ContainsSubstring("cannot be written"));
}

TEST_CASE("an audit log has whole lines only, and is made anew where it was moved away", "[unit]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "audit";
  rpc::AuditLog log(file);
  log.add("first", {});
  std::string reason;
  {
    const test::FullDisk full(std::filesystem::file_size(file) + 10);  // a part of a line is written
    try {
      log.add("lost", {});
    } catch (const rpc::ServerError& error) {
      reason = error.details();
    }
  }
  CHECK_THAT(reason, ContainsSubstring("audit: File too large"));
  log.add("second", {});
  const auto events = [&](const std::filesystem::path& path) {
    std::vector<std::string> names;
    for (const Json& line : lines(path)) names.push_back(line["event"]);
    return names;
  };
  CHECK(events(file) == std::vector<std::string>{"first", "second"});
  std::filesystem::rename(file, folder.path() / "audit.1");
  log.add("third", {});
  CHECK(events(file) == std::vector<std::string>{"third"});
  CHECK(events(folder.path() / "audit.1") == std::vector<std::string>{"first", "second"});
}

TEST_CASE("a page says what a server does, whoever asks for it however", "[unit]") {
  TestServer server;
  Bystander bystander(server);
  CHECK(bystander.works());
  const rpc::MetricsPage page("127.0.0.1:0", [&] { return server.server().metrics(); });
  const int port = port_of(page.url().substr(0, page.url().rfind('/')));
  Attacker reader(port);
  CHECK(reader.send("GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n"));
  const std::string text = reader.read_all();
  CHECK_THAT(text, ContainsSubstring("HTTP/1.0 200 OK\r\n"));
  CHECK_THAT(text, ContainsSubstring("\nvantage_sessions{device=\"fsim\"} 1\n"));
  CHECK_THAT(text, ContainsSubstring("\nvantage_sessions_opened_total 1\n"));
  CHECK_THAT(text, ContainsSubstring("# TYPE vantage_turn_seconds_total counter\n"));
  Attacker other(port);
  CHECK(other.send("GET /etc/passwd HTTP/1.1\r\n\r\n"));
  CHECK_THAT(other.read_all(), ContainsSubstring("404 Not Found"));
  {  // One who says nothing is in the way of others for a second
    const Attacker silent(port);
    Attacker after(port);
    CHECK(after.send("GET /metrics HTTP/1.0\r\n\r\n"));
    CHECK_THAT(after.read_all(), ContainsSubstring("200 OK"));
  }
  CHECK_THAT(ERROR_OF(rpc::MetricsPage("0.0.0.0:0", [] { return std::string(); })),
             ContainsSubstring("expected a loopback address"));
}

TEST_CASE("without memory on the machine no session begins", "[unit]") {
  CHECK(rpc::available_memory() > Bytes(1 << 20));
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.limits.reserve = Bytes(uint64_t{1} << 60); });
  CHECK_THAT(ERROR_OF(server.open()),
             ContainsSubstring("bytes of memory left, too few for a session; try again later"));
}

}  // namespace vantage::test::driver_rpc_operation_test
