#include <malloc.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <thread>

#include "base/alarm.h"
#include "base/cache.h"
#include "base/error.h"
#include "base/installation.h"
#include "base/one_line.h"
#include "base/signals.h"
#include "base/suggest.h"
#include "cli/bitstreams.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "driver/open/open.h"
#include "driver/rpc/server/metrics_page.h"
#include "driver/rpc/server/privileges.h"
#include "driver/rpc/server/server.h"
#include "driver/rpc/workspace/confine.h"

namespace vantage::cli {

namespace {

// Those of this tool that need no more than being asked for.
std::vector<std::string> simulators() {
  std::vector<std::string> uris;
  for (const char* uri : {"fsim:", "systemc:"}) {
    if (driver::accelerator_kind_of(uri) != nullptr) uris.emplace_back(uri);
  }
  return uris;
}

// All that a server may offer.
std::vector<std::string> offered() {
  std::vector<std::string> uris;
  for (const driver::AcceleratorKind& kind : driver::accelerator_kinds()) {
    if (kind.has_dram) uris.push_back(kind.scheme + ":");
  }
  uris.emplace_back("cpu:");
  return uris;
}

struct ServeArguments {
  std::vector<std::string> devices = simulators();
  ConfigOption config;
  std::string listen = "127.0.0.1:9091";
  std::string user;
  std::string token_file, certificate, key, client_authority, contents, audit, metrics;
  size_t sessions = 64;
  uint64_t memory_mb = 1024, content_mb = 4096, reserve_mb = 256;
  double run_seconds = 60, session_seconds = 3600, idle_seconds = 3600;
  bool quiet = false, allow_flash = false, allow_unverified = false;
  bool allow_code = false, allow_unconfined = false;
};

size_t runs_at_once() {
  return std::max(1U, std::thread::hardware_concurrency());
}

// A board for all sessions, in a process that keeps the rights that this has now.
rpc::Offer shared_offer(const ServeArguments& a, const std::string& uri, const driver::AcceleratorKind& kind,
                        const isa::Config& config) {
  const rpc::SharedDevice device{.uri = uri,
                                 .boards = boards_folder(),
                                 .manifest = bitstream_manifest(),
                                 .bitstreams = bitstream_folder(),
                                 .allow_flash = a.allow_flash,
                                 .allow_unverified = a.allow_unverified};
  const auto process = std::make_shared<rpc::SharedProcess>(installed_helper("vantage-workspace"), device);
  // What is flashed later may be of another configuration.
  return rpc::offer_shared(kind, a.allow_flash ? std::nullopt : std::optional<isa::Config>(config), process,
                           a.allow_flash);
}

// Whoever may bring code may do what this user may, but for what the process that runs it is kept from.
rpc::Offer code_offer(const ServeArguments& a) {
  if (!a.allow_code) fail("--device cpu:: clients bring code for it; allow that with --allow-code, or leave it out");
  const bool confined = rpc::can_confine();
  if (!confined && !a.allow_unconfined) {
    fail(
        "--allow-code: this machine's kernel cannot confine code (it has no seccomp filters); --allow-unconfined runs "
        "it with all the rights of this user");
  }
  return rpc::offer_code(installed_helper("vantage-workspace"), confined);
}

// What would be allowed to nobody is a mistake: a device is missing.
void check_allowed(const ServeArguments& a) {
  std::vector<std::string> names;
  for (const std::string& uri : a.devices) names.push_back(uri.substr(0, uri.find(':')));
  require_distinct("--device", names);
  const bool offers_code = std::ranges::count(names, "cpu") > 0;
  const bool offers_board = std::ranges::any_of(a.devices, [](const std::string& uri) {
    const auto* kind = driver::accelerator_kind_of(uri);
    return kind != nullptr && kind->is_hardware;
  });
  if (a.allow_code && !offers_code) fail("--allow-code: code is for --device cpu:; add that, or leave it out");
  if (a.allow_unconfined && !a.allow_code) fail("--allow-unconfined: no code is taken; add --allow-code");
  if (a.allow_flash && !offers_board) fail("--allow-flash: no board is offered; name it with --device");
  if (a.allow_unverified && !a.allow_flash) fail("--allow-unverified: nothing may be flashed; add --allow-flash");
}

std::vector<rpc::Offer> offers(const ServeArguments& a) {
  check_allowed(a);
  std::vector<rpc::Offer> result;
  std::optional<isa::Config> config;
  if (a.config.given()) config = a.config.load();
  for (const std::string& uri : a.devices) {
    if (uri == "cpu:") {
      result.push_back(code_offer(a));
      continue;
    }
    const driver::AcceleratorKind* kind = driver::accelerator_kind_of(uri);
    if (kind == nullptr || !kind->has_dram || (!kind->is_hardware && uri != kind->scheme + ":")) {
      fail("--device {}: no server offers that{}", uri, did_you_mean(uri, offered()));
    }
    if (kind->is_hardware) {
      result.push_back(shared_offer(a, uri, *kind, config.value_or(isa::Config::vta_default())));
      continue;
    }
    // Building a model takes minutes of all processors.
    if (kind->scheme == "rtl" && !config) fail("--device rtl:: which model is to be said; add --config");
    result.push_back(rpc::offer_in_processes(*kind, config, runs_at_once(), installed_helper("vantage-workspace")));
  }
  return result;
}

constexpr int kArenas = 2;

// Ends the program when it takes too long to end in good order: what it holds is free then. Longer than a board is
// flashed, which must not be left half done.
constexpr std::chrono::seconds kStopWithin{60};

std::optional<Alarm::Duration> end_it_all() {
  print_error("error: the server did not end within {} seconds of being asked to, and is ended\n", kStopWithin.count());
  std::_Exit(1);
}

void warn_of_readers(const std::filesystem::path& tokens) {
  using std::filesystem::perms;
  if ((std::filesystem::status(tokens).permissions() & (perms::group_read | perms::others_read)) == perms::none) return;
  print_error("warning: other users of this machine can read {}; chmod 600 {}\n", tokens.string(), tokens.string());
}

int serve(const ServeArguments& a) {
  // Every connection has threads of its own. Where the C library gives memory (cmake/allocator.cmake), with an arena
  // for each of those the memory of connections that are gone would stay; jemalloc gives it back in some seconds.
  ::mallopt(M_ARENA_MAX, kArenas);
  // Who reads the log may go; sessions are not to go with it.
  ::signal(SIGPIPE, SIG_IGN);
  const auto log = spdlog::stderr_logger_mt("vantage");
  log->set_pattern("%Y-%m-%d %H:%M:%S.%e %v");
  if (a.quiet) log->set_level(spdlog::level::off);
  rpc::ServerOptions options;
  options.listen = a.listen;
  if (!a.token_file.empty()) {
    options.identities = rpc::Identities::read(a.token_file);
    warn_of_readers(a.token_file);
  }
  options.tls = {a.certificate, a.key, a.client_authority};
  options.limits.sessions = a.sessions;
  options.limits.memory = Bytes(a.memory_mb << 20);
  options.limits.content = Bytes(a.content_mb << 20);
  options.limits.run_seconds = a.run_seconds;
  options.limits.session_seconds = a.session_seconds;
  options.limits.idle_seconds = a.idle_seconds;
  options.limits.reserve = Bytes(a.reserve_mb << 20);
  options.audit = a.audit;
  options.log = [&](const std::string& line) { log->info(one_line(line)); };
  const bool readable = !options.identities.empty() && options.tls.empty() && !rpc::is_loopback(a.listen);
  const std::string scheme = options.tls.empty() ? "rpc" : "rpcs";
  std::vector<rpc::Offer> devices = offers(a);
  if (!a.contents.empty() && std::filesystem::exists(a.contents) && !std::filesystem::is_directory(a.contents)) {
    fail("--contents {}: is no folder; name one, or leave it out", a.contents);
  }
  if (!a.user.empty()) rpc::become_user(a.user);
  options.contents = a.contents.empty() ? default_cache() / "contents" : std::filesystem::path(a.contents);
  rpc::Server server(std::move(devices), std::move(options));
  if (rpc::is_root()) print_error("warning: this server has root's rights; give it a user's with --user\n");
  std::optional<rpc::MetricsPage> page;
  if (!a.metrics.empty()) page.emplace(a.metrics, [&] { return server.metrics(); });
  const StopOnSignal stop_on_signal([&] {
    const Alarm watchdog(kStopWithin, end_it_all);
    server.stop();
  });
  if (readable) print_error("warning: without TLS the token can be read on the way; see --tls-cert\n");
  if (page) print_error("metrics are at {}\n", page->url());
  for (const std::string& device : a.devices) {
    print_out("{}://{}/{}\n", scheme, server.address(), device.substr(0, device.find(':')));
  }
  if (!server.address().starts_with(a.listen.substr(0, a.listen.rfind(':') + 1))) {
    print_error("listening on all addresses of this machine; clients may know it by another name than above\n");
  }
  flush_out();
  server.wait();
  return 0;
}

}  // namespace

void add_serve(CLI::App& app, int& status) {
  auto a = std::make_shared<ServeArguments>();
  CLI::App* command = app.add_subcommand("serve", kServe);
  command->add_option("--device", a->devices, "the devices to offer, the first being the one that clients get unasked")
      ->type_name("TARGET")
      ->check(such_as(offered))
      ->delimiter(',')
      ->capture_default_str();
  a->config.add_to(*command)
      ->description("the only accelerator to offer: a JSON file, or a name from configs/accelerators; without it any")
      ->default_str("");
  command->add_option("--listen", a->listen, "HOST:PORT; port 0 takes any that is free")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command
      ->add_option("--user", a->user, "whom the server is to be, of root's rights: a board's process alone keeps those")
      ->type_name("NAME");
  command
      ->add_option("--token-file", a->token_file,
                   "who may call: lines of a name and a token, which clients have in VANTAGE_TOKEN; needed beyond "
                   "loopback, and to flash")
      ->type_name("FILE");
  command->add_option("--tls-cert", a->certificate, "the server's certificate (PEM)")->type_name("FILE");
  command->add_option("--tls-key", a->key, "... and its key")->type_name("FILE");
  command->add_option("--tls-client-ca", a->client_authority, "callers must have a certificate that this signed")
      ->type_name("FILE");
  command->add_option("--max-sessions", a->sessions, "sessions at once")
      ->check(whole_number(1, 1000))
      ->capture_default_str();
  command->add_option("--memory-mb", a->memory_mb, "memory that a session may have")
      ->check(whole_number(1, 4096))
      ->capture_default_str();
  command->add_option("--run-seconds", a->run_seconds, "what a run may take")
      ->check(number(0.001, 1e9))
      ->capture_default_str();
  command->add_option("--session-seconds", a->session_seconds, "what all runs of a session may take")
      ->check(number(0.001, 1e9))
      ->capture_default_str();
  command->add_option("--idle-seconds", a->idle_seconds, "what a session may take without a call")
      ->check(number(0.001, 1e9))
      ->capture_default_str();
  command
      ->add_option("--reserve-mb", a->reserve_mb,
                   "memory that this machine keeps: with less, no session begins, and the largest ends")
      ->check(whole_number(0, 1 << 24))
      ->capture_default_str();
  command->add_option("--audit-log", a->audit, "add who did what to this file, one JSON object a line")
      ->type_name("FILE");
  command->add_option("--metrics", a->metrics, "loopback HOST:PORT of a page of metrics, for Prometheus")
      ->type_name("ADDRESS");
  command
      ->add_option("--contents", a->contents,
                   "folder of what clients sent, by its hash; without it one in the cache, see docs/remote.md")
      ->type_name("DIR");
  command->add_option("--contents-mb", a->content_mb, "how much is kept there")
      ->check(whole_number(1, 1 << 24))
      ->capture_default_str();
  command->add_flag("--allow-flash", a->allow_flash, "clients may flash a board that is offered");
  command->add_flag("--allow-unverified", a->allow_unverified,
                    "... also with bitstreams that no manifest verifies, with --force");
  command->add_flag("--allow-code", a->allow_code,
                    "clients may bring code for this machine's processor, --device cpu:, each in a confined process");
  command->add_flag("--allow-unconfined", a->allow_unconfined,
                    "... also where the kernel cannot confine it: then it may do what this user may");
  command->add_flag("--quiet", a->quiet, "log nothing");
  command->footer(
      "Examples:\n"
      "  # this machine's simulators, for this machine\n"
      "  vantage serve\n"
      "  # on another terminal: the first device, and the one of a name\n"
      "  vantage run gemm --target rpc://127.0.0.1:9091\n"
      "  vantage run gemm --target rpc://127.0.0.1:9091/systemc\n"
      "  # for others too, who carry what stands in a file\n"
      "  vantage serve --listen 0.0.0.0:9091 --token-file token\n"
      "  # on a board, what was flashed\n"
      "  vantage serve --device pynq: --config pynq\n"
      "  # also its processor, for code that clients bring\n"
      "  vantage serve --device pynq:,cpu: --allow-code --token-file token");
  command->callback([a, &status] { status = serve(*a); });
}

}  // namespace vantage::cli
