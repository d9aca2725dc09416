#include "sim/rtl/axi_rules.h"

#include <fmt/format.h>

namespace vantage::sim {

AxiViolation::AxiViolation(AxiRule rule, isa::Cycle cycle, std::string_view channel, const std::string& seen)
    : InternalError(fmt::format("the AXI4 rule {} is broken on channel {} in cycle {}: {}; {}", info(rule).name,
                                channel, cycle.number(), seen, info(rule).text)),
      rule_(rule) {}

}  // namespace vantage::sim
