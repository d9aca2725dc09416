// Cuts the rows of a transfer into bursts, one a cycle. A burst never crosses a multiple of BurstBeats
// beats, and so never 4 KB.
//
// start_ready_o is high in the cycle in which the last burst is taken, so the next transfer's first burst can follow
// without a gap.

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

  logic             active_q;
  logic [BeatW-1:0] beat_q, end_q;   // the next beat, the row's last
  logic [AddressW-1:0]  row_addr_q, stride_q;
  logic [RowBytesW-1:0] row_bytes_q;
  logic [RowsW-1:0]     rows_q;      // including this one

  logic [BeatW-1:0] left;
  logic             row_last, taken, finishing;
  logic [LenW-1:0]  window;

  assign left      = end_q - beat_q;
  assign window    = LenW'(vta_pkg::BurstBeats - 1) - beat_q[LenW-1:0];
  assign row_last  = left <= BeatW'(window);
  assign taken     = burst_valid_o && burst_ready_i;
  assign finishing = taken && burst_last_o;

  assign burst_valid_o = active_q;
  assign burst_addr_o  = {beat_q, {vta_pkg::BusLog{1'b0}}};
  assign burst_len_o   = row_last ? left[LenW-1:0] : window;
  assign burst_last_o  = row_last && (rows_q == RowsW'(1));
  assign start_ready_o = !active_q || finishing;

  // The row to begin: the first of a transfer, or the one after the current
  logic             begin_row;
  logic [AddressW-1:0]  row_addr, row_end;
  logic [RowBytesW-1:0] row_bytes;

  assign begin_row = (start_valid_i && start_ready_o) || (taken && row_last);
  assign row_addr  = start_ready_o ? vta_pkg::dma_addr(dma_i) : row_addr_q + stride_q;
  assign row_bytes = start_ready_o ? vta_pkg::dma_row_bytes(dma_i) : row_bytes_q;
  assign row_end   = row_addr + AddressW'(row_bytes) - 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)            active_q <= 1'b0;
    else if (start_ready_o) active_q <= start_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (begin_row) begin
      beat_q     <= row_addr[AddressW-1:vta_pkg::BusLog];
      end_q      <= row_end[AddressW-1:vta_pkg::BusLog];
      row_addr_q <= row_addr;
    end else if (taken) begin
      beat_q <= beat_q + BeatW'(burst_len_o) + 1'b1;
    end
    if (start_ready_o) begin
      stride_q    <= vta_pkg::dma_stride(dma_i);
      row_bytes_q <= vta_pkg::dma_row_bytes(dma_i);
      rows_q      <= vta_pkg::dma_rows(dma_i);
    end else if (taken && row_last) begin
      rows_q <= rows_q - 1'b1;
    end
  end

  `VTA_STATIC_ASSERT(FirstBurstIsBehindOneRegister, vta_pkg::FirstBurst == 1)
  `VTA_ASSERT(RowsAndBytesAreNotZero, !(start_valid_i && start_ready_o) || (vta_pkg::dma_rows(dma_i) != '0 && vta_pkg::dma_row_bytes(dma_i) != '0))

endmodule
