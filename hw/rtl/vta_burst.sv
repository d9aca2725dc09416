// SPDX-License-Identifier: Apache-2.0
// Cuts the rows of a transfer into bursts, one a cycle. A burst never crosses a multiple of BurstBeats
// beats, and so never 4 KB.
//
// A transfer starts in a cycle in which none is under way: the next one a cycle after the last burst of the one before.

`include "vta_assert.svh"

module vta_burst (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // A transfer: its address, rows and bytes of a row (neither of them 0), bytes from row to row (vta_pkg::dma_*)
  input  logic                          start_valid_i,
  output logic                          start_ready_o,
  input  logic [vta_pkg::DmaW-1:0]      dma_i,

  // A burst: address of its first beat, beats less one
  output logic                          burst_valid_o,
  input  logic                          burst_ready_i,
  output logic [vta_pkg::AddressW-1:0]  burst_addr_o,
  output logic [vta_pkg::BurstLenW-1:0] burst_len_o,
  output logic                          burst_last_o
);

  localparam int AddressW  = vta_pkg::AddressW;
  localparam int RowBytesW = vta_pkg::DmaRowBytesW;
  localparam int RowsW     = vta_pkg::DmaRowsW;
  localparam int BeatW     = AddressW - vta_pkg::BusLog;
  localparam int LenW      = vta_pkg::BurstLenW;

  logic                 active_q;
  logic [BeatW-1:0]     beat_q, end_q;   // the next beat, the row's last
  logic [AddressW-1:0]  next_addr_q, stride_q;   // of the row after this one
  logic [RowBytesW-1:0] row_less_one_q;   // bytes of a row but one
  logic [RowsW-1:0]     rows_q;   // after this one
  logic                 last_row_q;

  // A burst ends with its row or before the next multiple of BurstBeats
  logic row_last, taken;

  assign row_last = beat_q[BeatW-1:LenW] == end_q[BeatW-1:LenW];
  assign taken    = burst_valid_o && burst_ready_i;

  assign burst_valid_o = active_q;
  assign burst_addr_o  = {beat_q, {vta_pkg::BusLog{1'b0}}};
  assign burst_len_o   = (row_last ? end_q[LenW-1:0] : LenW'(vta_pkg::BurstBeats - 1)) - beat_q[LenW-1:0];
  assign burst_last_o  = row_last && last_row_q;
  assign start_ready_o = !active_q;

  // The row to begin: the first of a transfer, or the one after the current
  logic [AddressW-1:0]  row_addr, row_end, stride;
  logic [RowBytesW-1:0] row_less_one;

  assign row_addr     = active_q ? next_addr_q : vta_pkg::dma_addr(dma_i);
  assign row_less_one = active_q ? row_less_one_q : vta_pkg::dma_row_bytes(dma_i) - 1'b1;
  assign stride       = active_q ? stride_q : vta_pkg::dma_stride(dma_i);
  assign row_end      = row_addr + AddressW'(row_less_one);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                    active_q <= 1'b0;
    else if (!active_q)             active_q <= start_valid_i;
    else if (taken && burst_last_o) active_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!active_q || (taken && row_last)) begin
      beat_q      <= row_addr[AddressW-1:vta_pkg::BusLog];
      end_q       <= (AddressW - vta_pkg::BusLog)'(row_end >> vta_pkg::BusLog);
      next_addr_q <= row_addr + stride;
    end else if (taken) begin
      beat_q <= {beat_q[BeatW-1:LenW] + 1'b1, {LenW{1'b0}}};
    end
    if (!active_q) begin
      stride_q       <= stride;
      row_less_one_q <= row_less_one;
      rows_q         <= vta_pkg::dma_rows(dma_i) - 1'b1;
      last_row_q     <= vta_pkg::dma_rows(dma_i) == RowsW'(1);
    end else if (taken && row_last) begin
      rows_q     <= rows_q - 1'b1;
      last_row_q <= rows_q == RowsW'(1);
    end
  end

  `VTA_STATIC_ASSERT(FirstBurstIsBehindOneRegister, vta_pkg::FirstBurst == 1)
  `VTA_ASSERT(RowsAndBytesAreNotZero, !(start_valid_i && start_ready_o) || (vta_pkg::dma_rows(dma_i) != '0 && vta_pkg::dma_row_bytes(dma_i) != '0))

`ifdef FORMAL
`include "vta_burst.formal.svh"
`endif

endmodule
