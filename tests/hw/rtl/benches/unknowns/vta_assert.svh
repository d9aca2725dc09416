// SPDX-License-Identifier: Apache-2.0
// What hw/rtl/vta_assert.svh defines, for runs that begin with everything unknown: a condition that is unknown outside
// reset fails, where the RTL's own lets it pass.
`ifndef VTA_ASSERT_SVH
`define VTA_ASSERT_SVH

`define VTA_ASSERT(name_, cond_) \
  always @(posedge clk_i) if (rst_ni && (cond_) !== 1'b1) begin \
    $display("assertion failed or unknown: %m.%s at %0t", `"name_`", $time); \
    $finish; \
  end

`define VTA_STATIC_ASSERT(name_, cond_) \
  if (!(cond_)) begin : g_``name_ \
    static_assertion_failed name_ (); \
  end

`endif  // VTA_ASSERT_SVH
