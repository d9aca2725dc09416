// SPDX-License-Identifier: Apache-2.0
// Instructions of the compute stage retire in the order in which they were issued, at most one a cycle, each when its engine
// has ended it. Engines end their own instructions in order, so counting what each has ended is enough.

`include "vta_assert.svh"

module vta_retire #(
  parameter int Depth = vta_pkg::ComputeInsns,

  localparam int CountW = $clog2(Depth + 1)
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  // An instruction is issued; REQUIRES: ready_o
  input  logic       issue_i,
  output logic       ready_o,
  input  logic [1:0] engine_i,   // 0: none, it has ended already
  input  logic       push_prev_i,
  input  logic       push_next_i,
  input  logic       finish_i,

  // Engine e + 1 ends an instruction
  input  logic [2:0] done_i,

  output logic       retire_o,
  output logic       push_prev_o,
  output logic       push_next_o,
  output logic       finish_o,
  output logic       in_flight_o
);

  logic       valid, push_prev, push_next, finish;
  logic [1:0] engine;
  logic [3:0] ended;
  logic [2:0] consume;

  vta_fifo #(
    .Width  (5),
    .Depth  (Depth),
    .Latency(vta_pkg::EmptyEnd)
  ) u_order (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(issue_i),
    .ready_o(ready_o),
    .data_i ({engine_i, push_prev_i, push_next_i, finish_i}),
    .valid_o(valid),
    .ready_i(retire_o),
    .data_o ({engine, push_prev, push_next, finish}),
    .count_o()
  );

  assign ended[0]    = 1'b1;
  assign retire_o    = valid && ended[engine];
  assign push_prev_o = retire_o && push_prev;
  assign push_next_o = retire_o && push_next;
  assign finish_o    = retire_o && finish;
  assign in_flight_o = valid;

  for (genvar e = 0; e < 3; e++) begin : g_engine
    // Ended and not retired
    logic [CountW-1:0] count_q;

    assign ended[e + 1] = done_i[e] || (count_q != '0);
    assign consume[e]   = retire_o && (engine == 2'(e + 1));

    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else         count_q <= count_q + CountW'(done_i[e]) - CountW'(consume[e]);
    end

    `VTA_ASSERT(NeverOverflows, count_q <= CountW'(Depth))
  end

`ifdef FORMAL
`include "vta_retire.formal.svh"
`endif

endmodule
