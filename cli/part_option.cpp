#include "cli/part_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/wrap.h"

namespace vantage::cli {

void PartOption::add_to(CLI::App& app, const std::string& meaning) {
  CLI::Option* option =
      app.add_option("--part", text_,
                     meaning + "; a JSON file, or a name from configs/parts or configs/boards (docs/area.md)")
          ->type_name("NAME|FILE")
          ->check(such_as(part_and_board_names()));
  if (!text_.empty()) option->capture_default_str();
}

void PartOption::load() {
  if (text_.empty()) return;
  fit_ = std::make_shared<const fpga::PartFit>(load_part(text_));
  if (const std::string caveat = fit_->caveat(); !caveat.empty()) {
    print_error("warning: {}: {}\n", fit_->part().name, caveat);
  }
}

DesignFit fit_of(const fpga::Part& part, const fpga::Resources& used) {
  DesignFit result{.used = used, .fits = fits(used, part)};
  result.text = fmt::format("{}: {}", result.fits ? "yes" : "no", fullest_text(used, part));
  return result;
}

DesignFit fit_of(const fpga::PartFit& fit, const isa::Config& config) {
  DesignFit result = fit_of(fit.part(), fit.estimate(config));
  result.is_extrapolated = fit.is_extrapolated(config);
  if (result.is_extrapolated) result.text += " *";
  return result;
}

std::string star_note() {
  return wrapped("* an extrapolation: the estimate was not fitted to cores like this (docs/area.md)", 0);
}

}  // namespace vantage::cli
