// Assertions of the modules below the proved one, without their names: yosys 0.23 has no two of one name in a module, and
// those in a loop of generate blocks have.
`ifndef VTA_ASSERT_BELOW
`define VTA_ASSERT_BELOW(name_, cond_) \
  always @(posedge clk_i) if (rst_ni) assert (cond_);
`endif
