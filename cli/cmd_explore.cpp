#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/installation.h"
#include "base/json.h"
#include "base/settings.h"
#include "cli/commands.h"
#include "cli/energy_option.h"
#include "cli/explore_method.h"
#include "cli/front_synthesis.h"
#include "cli/front_table.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "cli/part_option.h"
#include "cli/sweep_options.h"
#include "cli/verify_front.h"
#include "cli/wrap.h"
#include "explore/certificate.h"

namespace vantage::cli {

namespace {

struct ExploreArguments : SweepArguments {
  std::string space, db, certificate, verify;
  std::vector<std::string> minimize = {"cycles", "macs"};
  uint64_t again = 3;
  EnergyOption energy;
  ExploreMethod how;
  PartOption part;
  SynthOption synth;
  bool json = false;
};

std::vector<std::string> objective_names() {
  std::vector<std::string> names;
  for (const explore::Objective& objective : explore::objectives()) names.push_back(objective.name);
  return names;
}

// Prints what was found, and what Yosys says of it if it is asked: its minutes come last.
void print_found(const ExploreArguments& a, Json json, const std::string& text,
                 const std::vector<explore::Measured>& measured, const explore::Space& space) {
  if (!a.json) print_out("{}\n{}", front_table(a.minimize, measured, space), text);
  if (a.synth.given()) {
    std::fflush(stdout);
    const FrontSynthesis synthesis(a.minimize, measured, space, a.synth);
    if (a.json) json["synthesized"] = synthesis.json();
    if (!a.json) print_out("\n{}", synthesis.text());
  }
  if (a.json) print_out("{}\n", json_text(json));
}

// Of designs that are chosen, without a proof.
int run_search(ExploreArguments& a, const explore::Space& space, const std::vector<explore::Objective>& minimize,
               explore::Database& database, const explore::Question& question) {
  const explore::SearchResult result =
      a.run(space, database, [&](const std::vector<explore::Workload>& workloads, explore::SweepOptions options) {
        options.energy = a.energy.model();
        return explore::search(space, workloads, minimize, database, options, a.how.options());
      });
  if (result.stopped) return tell_stopped();
  print_found(a, a.how.json(result, question, space), a.how.text(result, space), result.measured, space);
  return status_of(result.undecided);
}

int run_explore(ExploreArguments& a) {
  a.energy.load();
  a.part.load();
  a.synth.check();
  const auto configs = data_folder() / "configs";
  const auto space_file = find_settings(a.space, configs / "spaces", "space");
  explore::Space space = explore::Space::load(space_file, configs);
  if (a.part.fit() != nullptr) space.require_fit(*a.part.fit());
  const std::string stem = std::filesystem::path(a.space).stem().string();
  const std::string certificate_file = a.certificate.empty() ? stem + ".front.json" : a.certificate;
  const std::string db = a.db.empty() ? stem + ".sqlite" : a.db;
  require_other_file("--certificate", certificate_file, space_file);
  for (const auto& file : space.files()) require_other_file("--certificate", certificate_file, file);
  require_other_file("--certificate", certificate_file, db);
  std::vector<explore::Objective> minimize;
  require_distinct("--minimize", a.minimize);
  if (a.energy.given() && std::ranges::none_of(a.minimize, [](const std::string& name) {
        return explore::find_objective(name).is_of_energy;
      })) {
    fail("--energy {}: nothing that is minimized is of energy; leave it out, or --minimize energy_mj or edp",
         a.energy.text());
  }
  for (const std::string& name : a.minimize) {
    minimize.push_back(explore::find_objective(name));
    if (minimize.back().is_of_energy && !a.energy.given()) {
      fail("--minimize: {} is by an energy model; name one with --energy, such as --energy 45nm", name);
    }
  }
  explore::Database database(db);
  explore::Certificate c{{space.text(), a.workloads, a.minimize, a.method().version, a.effort, a.energy.text(), a.seed},
                         {}};
  if (a.part.fit() != nullptr) c.question.part = a.part.fit()->part();
  if (!a.how.is_exact()) return run_search(a, space, minimize, database, c.question);
  c.result =
      a.run(space, database, [&](const std::vector<explore::Workload>& workloads, explore::SweepOptions options) {
        options.energy = a.energy.model();
        c.question.inputs = explore::inputs_of(space, workloads);
        return explore::explore(space, workloads, minimize, database, options);
      });
  if (c.result.stopped) return tell_stopped();
  const uint64_t undecided = c.result.undecided.designs;
  Json json = to_json(c, space);
  if (undecided == 0) {
    write_file(certificate_file, json.dump() + "\n");
  } else {
    json["undecided"] = undecided;
  }
  const auto partly = static_cast<uint64_t>(std::ranges::count_if(
      c.result.ruled_out, [](const explore::RuledOut& ruled_out) { return !ruled_out.measured.empty(); }));
  std::string text = wrapped(
      fmt::format("{}, {}: {} measured, {} ruled out when some of their programs were, {} by "
                  "what they take at least. {} run. {}",
                  counted(space.size(), "point"), counted(c.result.designs, "design"), c.result.measured.size(), partly,
                  c.result.designs - c.result.measured.size() - partly - undecided, were(c.result.programs, "program"),
                  undecided == 0
                      ? fmt::format("{0} proves it; `vantage explore --verify {0}` checks that.", certificate_file)
                      : "Nothing is proved, and no proof is written."),
      0);
  uint64_t rejected = 0;
  for (const auto& [rejection, points] : c.result.rejections) rejected += points;
  if (rejected > 0) {
    text += fmt::format("{}:\n{}",
                        rejected == 1 ? "1 point is no design" : fmt::format("{} points are no designs", rejected),
                        rejections_text(c.result.rejections));
  }
  print_found(a, std::move(json), text, c.result.measured, space);
  return status_of(c.result.undecided);
}

}  // namespace

void add_explore(CLI::App& app, int& status) {
  auto a = std::make_shared<ExploreArguments>();
  CLI::App* command = app.add_subcommand("explore", kExplore);
  command->add_option("space", a->space, "the designs: a JSON file (docs/sweeps.md), or a name from configs/spaces")
      ->type_name("NAME|FILE")
      ->check(such_as(space_names()));
  command->add_option("--minimize", a->minimize, "what designs are to have little of, separated by commas")
      ->type_name("OBJECTIVES")
      ->delimiter(',')
      ->check(one_of(objective_names()))
      ->capture_default_str();
  a->how.add_to(*command);
  a->add_to(*command);
  command->add_option("--db", a->db, "the database of results, which is made or gone on with; without it SPACE.sqlite")
      ->type_name("FILE")
      ->check(not_empty());
  auto* certificate =
      command->add_option("--certificate", a->certificate, "where the proof goes; without it SPACE.front.json")
          ->type_name("FILE")
          ->check(not_empty());
  command->add_option("--verify", a->verify, "check this proof instead: every bound is computed anew")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes(certificate);
  a->energy.add_to(*command, "the model that energy_mj and edp are by");
  a->part.add_to(*command, "look only at designs that fit this FPGA, by estimate; others count as no designs");
  a->synth.add_to(*command, "then tell what the designs of the front take, and how fast they may be clocked");
  command
      ->add_option("--measure-again", a->again,
                   "with --verify: run so many of the designs that were measured again, half of them of the front")
      ->check(whole_number(0, 1'000'000))
      ->capture_default_str();
  add_json_flag(*command, a->json);
  // The proof has the question.
  for (const char* name :
       {"--workloads", "--minimize", "--search", "--seed", "--energy", "--part", "--synth", "--db"}) {
    command->get_option("--verify")->excludes(command->get_option(name));
  }
  command->footer(
      "Examples:\n"
      "  vantage explore shapes-of-256-macs --minimize cycles,scratchpad_bytes\n"
      "  vantage explore space.json --workloads conv:C2 --minimize ms,macs,bus_bytes\n"
      "  vantage explore space.json --minimize ms,luts,energy_mj --energy 45nm\n"
      "  vantage explore vast.json --method evolve --designs 500 --minimize ms,luts\n"
      "  vantage explore space.json --minimize ms,luts --part xc7z020 --synth\n"
      "  vantage explore --verify space.front.json");
  command->callback([a, command, &status] {
    if (a->verify.empty() && a->space.empty()) fail("a SPACE is missing, or --verify FILE");
    if (a->verify.empty() && command->get_option("--measure-again")->count() > 0) {
      fail("--measure-again is of a proof's designs; name the proof with --verify, or leave it out");
    }
    if (!a->verify.empty() && !a->space.empty()) {
      fail("{}: --verify has the space of the proof; leave one of the two out", a->space);
    }
    a->how.check(!a->certificate.empty(), !a->verify.empty());
    a->check();
    status = a->verify.empty() ? run_explore(*a) : verify_front(*a, a->verify, a->again, a->json);
  });
}

}  // namespace vantage::cli
