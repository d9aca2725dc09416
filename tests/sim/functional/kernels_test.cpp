// Which kernels a configuration gets: results cannot tell a fast kernel from a slow one, so a test must.
#include "sim/functional/kernels.h"

#include <hwy/targets.h>

#include "base/json.h"
#include "sim/functional/vnni.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"

namespace vantage::test::sim_functional_kernels_test {

using namespace vantage;

TEST_CASE("every shipped configuration of 8-bit or narrower elements gets vector kernels", "[unit]") {
  if (hwy::SupportedTargets() == HWY_SCALAR) {
    WARN("SKIPPED: this processor has no vectors that Highway knows");
    return;
  }
  for (const std::string& name : test::shipped_config_names()) {
    const auto kernels = sim::select_kernels(test::shipped_config(name));
    INFO(name << ": " << kernels.description);
    CHECK(kernels.description.starts_with(sim::has_vnni() ? "vnni" : "pairs"));
  }
}

TEST_CASE("wide elements and narrow accumulators get the scalar kernels", "[unit]") {
  Json json = isa::Config::vta_default().to_json();
  json["LOG_INP_WIDTH"] = 4;
  CHECK(sim::select_kernels(isa::Config::from_json(json, "test")).description == "scalar");
  json["LOG_INP_WIDTH"] = 3;
  json["LOG_ACC_WIDTH"] = 4;
  json["LOG_ACC_BUFF_SIZE"] = 16;
  CHECK(sim::select_kernels(isa::Config::from_json(json, "test")).description == "scalar");
}

}  // namespace vantage::test::sim_functional_kernels_test
