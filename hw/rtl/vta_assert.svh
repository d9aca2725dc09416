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

`endif  // VTA_ASSERT_SVH
