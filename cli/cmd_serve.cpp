#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <thread>

#include "base/cache.h"
#include "base/error.h"
#include "base/signals.h"
#include "base/suggest.h"
#include "cli/bitstreams.h"
#include "cli/commands.h"
#include "cli/flash_here.h"
#include "cli/known_values.h"
#include "cli/one_line.h"
#include "cli/options.h"
#include "cli/output.h"
#include "driver/device/shared_accelerator.h"
#include "driver/open/open.h"
#include "driver/rpc/server.h"

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
  return uris;
}

struct ServeArguments {
  std::vector<std::string> devices = simulators();
  ConfigOption config;
  std::string listen = "127.0.0.1:9091";
  std::string token_file, certificate, key, client_authority, contents;
  size_t sessions = 64;
  uint64_t memory_mb = 1024, content_mb = 4096;
  double run_seconds = 60, session_seconds = 3600;
  bool quiet = false, allow_flash = false, allow_unverified = false;
};

// SystemC knows one simulation in a process.
size_t runs_at_once(const std::string& scheme) {
  return scheme == "systemc" ? 1 : std::max(1U, std::thread::hardware_concurrency());
}

// A board for all sessions.
std::unique_ptr<rpc::Offer> shared_offer(const ServeArguments& a, const std::string& uri,
                                         const driver::AcceleratorKind& kind, const isa::Config& config) {
  const auto machine = std::make_shared<boards::System>();  // flashing must know of runs that were given up
  const auto shared = std::make_shared<driver::SharedAccelerator>(
      [uri, machine, open = kind.open](const isa::Config& wanted, const driver::AcceleratorOptions&) {
        driver::AcceleratorOptions options;  // not those of the client that happens to come first
        options.boards = boards_folder();
        options.machine = machine;
        return open(uri, wanted, options);
      });
  driver::AcceleratorKind client = kind;
  client.open = [shared](const std::string&, const isa::Config& wanted, const driver::AcceleratorOptions& options) {
    return shared->client(wanted, options);
  };
  // What is flashed later may be of another configuration.
  auto offer = std::make_unique<rpc::Offer>(kind.scheme, client,
                                            a.allow_flash ? std::nullopt : std::optional<isa::Config>(config), 1);
  if (a.allow_flash) {
    offer->flash = [shared, machine, uri, unverified = a.allow_unverified](const rpc::FlashJob& job,
                                                                           const boards::Step& step) {
      shared->alone([&] { flash_here(*machine, bitstream_store(), board_of(*machine, uri), job, unverified, step); });
    };
  }
  return offer;
}

std::vector<std::unique_ptr<rpc::Offer>> offers(const ServeArguments& a) {
  std::vector<std::unique_ptr<rpc::Offer>> result;
  std::optional<isa::Config> config;
  if (a.config.given()) config = a.config.load();
  for (const std::string& uri : a.devices) {
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
    result.push_back(std::make_unique<rpc::Offer>(kind->scheme, *kind, config, runs_at_once(kind->scheme)));
  }
  return result;
}

int serve(const ServeArguments& a) {
  const auto log = spdlog::stderr_logger_mt("vantage");
  log->set_pattern("%Y-%m-%d %H:%M:%S.%e %v");
  if (a.quiet) log->set_level(spdlog::level::off);
  rpc::ServerOptions options;
  options.listen = a.listen;
  if (!a.token_file.empty()) options.token = rpc::read_token(a.token_file);
  options.tls = {a.certificate, a.key, a.client_authority};
  options.limits.sessions = a.sessions;
  options.limits.memory = Bytes(a.memory_mb << 20);
  options.limits.content = Bytes(a.content_mb << 20);
  options.limits.run_seconds = a.run_seconds;
  options.limits.session_seconds = a.session_seconds;
  options.contents = a.contents.empty() ? default_cache() / "contents" : std::filesystem::path(a.contents);
  options.log = [&](const std::string& line) { log->info(one_line(line)); };
  const bool readable = !options.token.empty() && options.tls.empty() && !rpc::is_loopback(a.listen);
  const std::string scheme = options.tls.empty() ? "rpc" : "rpcs";
  rpc::Server server(offers(a), std::move(options));
  const StopOnSignal stop_on_signal([&] { server.stop(); });
  if (readable) print_error("warning: without TLS the token can be read on the way; see --tls-cert\n");
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
      ->add_option("--token-file", a->token_file,
                   "a file whose first line callers must carry, in their VANTAGE_TOKEN; needed beyond loopback")
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
      "  vantage serve --device pynq: --config pynq");
  command->callback([a, &status] { status = serve(*a); });
}

}  // namespace vantage::cli
