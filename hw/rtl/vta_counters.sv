// SPDX-License-Identifier: Apache-2.0
// The counters of a run, in the order of vta_pkg::Cnt*: each grows by its increment in every cycle of the run. Cleared when
// a run starts, kept after it ends.

module vta_counters #(
  localparam int N    = vta_pkg::NumCounters,
  localparam int IncW = vta_pkg::BusLog + 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               clear_i,
  input  logic               count_i,
  input  logic [N*IncW-1:0]  increments_i,

  input  logic [$clog2(N)-1:0] select_i,
  output logic [63:0]        value_o
);

  logic [N*64-1:0] values;

  for (genvar i = 0; i < N; i++) begin : g_counter
    logic [vta_pkg::CounterW-1:0] count_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)      count_q <= '0;
      else if (clear_i) count_q <= '0;
      else if (count_i) count_q <= count_q + vta_pkg::CounterW'(increments_i[i*IncW +: IncW]);
    end

    assign values[i*64 +: 64] = 64'(count_q);
  end

  assign value_o = values[32'(select_i)*64 +: 64];

endmodule
