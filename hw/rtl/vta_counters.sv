// SPDX-License-Identifier: Apache-2.0
// The counters of a run, in the order of vta_pkg::Cnt*: each grows in every cycle of the run by what happens in it. Cleared
// when a run starts, kept after it ends.
//
// Stages are numbered 0 load, 1 compute, 2 store. In a cycle a stage is busy, or has something under way that waits for
// memory, or waits for a token, or is idle.

module vta_counters #(
  localparam int N      = vta_pkg::NumCounters,
  localparam int BytesW = vta_pkg::BusLog + 1   // of a cycle
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 clear_i,
  input  logic                 count_i,

  // What happens in this cycle
  input  logic [2:0]           busy_i,
  input  logic [2:0]           in_flight_i,
  input  logic [2:0]           token_wait_i,
  input  logic [BytesW-1:0]    inp_bytes_i,
  input  logic [BytesW-1:0]    wgt_bytes_i,
  input  logic [BytesW-1:0]    acc_bytes_i,
  input  logic [BytesW-1:0]    uop_bytes_i,
  input  logic [BytesW-1:0]    out_bytes_i,
  input  logic                 gemm_step_i,
  input  logic                 alu_step_i,
  input  logic                 fetch_beat_i,

  input  logic [$clog2(N)-1:0] select_i,
  output logic [63:0]          value_o
);

  logic [2:0]          waits_memory, waits_token;
  logic [N*BytesW-1:0] increments;

  assign waits_memory = ~busy_i & in_flight_i;
  assign waits_token  = ~busy_i & ~in_flight_i & token_wait_i;

  assign increments[vta_pkg::CntCycles*BytesW +: BytesW]            = BytesW'(1);
  assign increments[vta_pkg::CntLoadBusy*BytesW +: BytesW]          = BytesW'(busy_i[0]);
  assign increments[vta_pkg::CntLoadTokenWait*BytesW +: BytesW]     = BytesW'(waits_token[0]);
  assign increments[vta_pkg::CntLoadMemoryWait*BytesW +: BytesW]    = BytesW'(waits_memory[0]);
  assign increments[vta_pkg::CntComputeBusy*BytesW +: BytesW]       = BytesW'(busy_i[1]);
  assign increments[vta_pkg::CntComputeTokenWait*BytesW +: BytesW]  = BytesW'(waits_token[1]);
  assign increments[vta_pkg::CntComputeMemoryWait*BytesW +: BytesW] = BytesW'(waits_memory[1]);
  assign increments[vta_pkg::CntStoreBusy*BytesW +: BytesW]         = BytesW'(busy_i[2]);
  assign increments[vta_pkg::CntStoreTokenWait*BytesW +: BytesW]    = BytesW'(waits_token[2]);
  assign increments[vta_pkg::CntStoreMemoryWait*BytesW +: BytesW]   = BytesW'(waits_memory[2]);
  assign increments[vta_pkg::CntInpLoadNbytes*BytesW +: BytesW]     = inp_bytes_i;
  assign increments[vta_pkg::CntWgtLoadNbytes*BytesW +: BytesW]     = wgt_bytes_i;
  assign increments[vta_pkg::CntAccLoadNbytes*BytesW +: BytesW]     = acc_bytes_i;
  assign increments[vta_pkg::CntUopLoadNbytes*BytesW +: BytesW]     = uop_bytes_i;
  assign increments[vta_pkg::CntOutStoreNbytes*BytesW +: BytesW]    = out_bytes_i;
  assign increments[vta_pkg::CntGemmCounter*BytesW +: BytesW]       = BytesW'(gemm_step_i);
  assign increments[vta_pkg::CntAluCounter*BytesW +: BytesW]        = BytesW'(alu_step_i);
  assign increments[vta_pkg::CntInsnLoadNbytes*BytesW +: BytesW]    =
      fetch_beat_i ? BytesW'(1 << vta_pkg::BusLog) : '0;

  logic [N*64-1:0] values;

  for (genvar i = 0; i < N; i++) begin : g_counter
    logic [vta_pkg::CounterW-1:0] count_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)      count_q <= '0;
      else if (clear_i) count_q <= '0;
      else if (count_i) count_q <= count_q + vta_pkg::CounterW'(increments[i*BytesW +: BytesW]);
    end

    assign values[i*64 +: 64] = 64'(count_q);
  end

  assign value_o = values[32'(select_i)*64 +: 64];

endmodule
