// SPDX-License-Identifier: Apache-2.0
// Assertions in generate loops, without their names: for yosys 0.23 those of all rounds are one.
`ifndef VTA_ASSERT_UNNAMED
`define VTA_ASSERT_UNNAMED(name_, cond_) \
  always @(posedge clk_i) if (rst_ni) assert (cond_);
`endif
