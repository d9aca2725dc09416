// SPDX-License-Identifier: Apache-2.0
// Named assertions, checked at every clock edge outside reset: by simulators as they run, by yosys-smtbmc for all
// inputs (FORMAL). Synthesis sees nothing of them.
`ifndef VTA_ASSERT_SVH
`define VTA_ASSERT_SVH

`ifdef FORMAL
`define VTA_ASSERT(name_, cond_) \
  always @(posedge clk_i) if (rst_ni) name_: assert (cond_);
`elsif SYNTHESIS
`define VTA_ASSERT(name_, cond_)
`else
`define VTA_ASSERT(name_, cond_) \
  always @(posedge clk_i) if (rst_ni && !(cond_)) begin \
    $display("assertion failed: %m.%s at %0t", `"name_`", $time); \
    $stop; \
  end
`endif

// Named assertions of constants, checked at elaboration by every tool: what the generated package says of the structure
// must be so. Among a module's items.
`ifdef VERILATOR
`define VTA_STATIC_ASSERT(name_, cond_) \
  if (!(cond_)) begin : g_``name_ \
    $error("%m: the package says otherwise"); \
  end
`else
`define VTA_STATIC_ASSERT(name_, cond_) \
  if (!(cond_)) begin : g_``name_ \
    static_assertion_failed name_ (); \
  end
`endif

`endif  // VTA_ASSERT_SVH
