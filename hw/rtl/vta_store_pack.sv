// SPDX-License-Identifier: Apache-2.0
// Reads the elements of a store in order and packs them into beats with byte strobes: several elements in a beat, or
// an element over several beats. A beat a cycle; a small buffer keeps them until the bus takes them.

`include "vta_assert.svh"

module vta_store_pack #(
  parameter int BufferBeats = vta_pkg::StoreBeats,

  localparam int OutElemW   = 8 << vta_pkg::OutElemLog,
  localparam int StoreLanes = vta_pkg::OutLanes,
  localparam int BusW       = vta_pkg::BusW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  // A store, as vta_transfer_check describes it
  input  logic                           start_i,   // REQUIRES: ready_o
  output logic                           ready_o,
  input  logic [vta_pkg::DmaW-1:0]       dma_i,

  // OUT elements; data follow in the next cycle
  output logic                           out_rd_en_o,
  output logic [vta_pkg::AccIndexW-1:0]  out_rd_index_o,
  input  logic [StoreLanes*OutElemW-1:0] out_rd_data_i,

  output logic                           beat_valid_o,
  input  logic                           beat_ready_i,
  output logic [BusW-1:0]                beat_data_o,
  output logic [BusW/8-1:0]              beat_strb_o
);

  localparam int BusLog   = vta_pkg::BusLog;
  localparam int BusBytes = 1 << BusLog;
  localparam int ElemLog  = vta_pkg::OutElemLog;
  localparam int CountW   = $clog2(BufferBeats + 1);
  localparam int IndexW   = vta_pkg::DmaIndexW;
  localparam int LeftW    = vta_pkg::DmaRowBytesW;
  localparam int RowsW    = vta_pkg::DmaRowsW;
  localparam int GranuleW = vta_pkg::GranuleW;

  // Walk: one beat is read per cycle while there is room for it
  logic               active_q, read, row_done, finishing, arriving_q;
  logic [IndexW-1:0]  index_q;
  logic [LeftW-1:0]   left_q, row_bytes_q;
  logic [RowsW-1:0]   rows_q;
  logic [BusLog-1:0]  offset_q, row_offset_q, stride_q;   // bytes, within a beat
  logic [GranuleW-1:0] granule_q;
  logic [BusLog:0]    room, bytes;
  logic [CountW-1:0]  held;

  assign room      = (BusLog + 1)'(BusBytes) - (BusLog + 1)'(offset_q);
  assign bytes     = (left_q < LeftW'(room)) ? left_q[BusLog:0] : room;
  assign row_done  = left_q == LeftW'(bytes);
  // What was read in the cycle before is not in the buffer yet
  assign read      = active_q && (32'(held) + 32'(arriving_q) < BufferBeats);
  assign finishing = read && row_done && (rows_q == RowsW'(1));
  assign ready_o   = !active_q;

  assign out_rd_en_o    = read;
  assign out_rd_index_o = vta_pkg::AccIndexW'(index_q);

  logic [BusLog-1:0]  next_row_offset;
  logic [vta_pkg::ElementsW-1:0] elements;
  logic               element_done;
  assign next_row_offset = row_offset_q + stride_q;

  if (ElemLog < BusLog) begin : g_several
    assign elements     = bytes >> ElemLog;
    assign element_done = 1'b1;
  end else begin : g_part
    assign elements     = vta_pkg::ElementsW'(element_done);
    assign element_done = granule_q == GranuleW'((1 << (ElemLog - BusLog)) - 1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)        active_q <= 1'b0;
    else if (!active_q) active_q <= start_i;
    else if (finishing) active_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      index_q        <= vta_pkg::dma_index(dma_i);
      left_q         <= vta_pkg::dma_row_bytes(dma_i);
      row_bytes_q    <= vta_pkg::dma_row_bytes(dma_i);
      rows_q         <= vta_pkg::dma_rows(dma_i);
      offset_q       <= dma_i[vta_pkg::DmaAddrLsb +: BusLog];
      row_offset_q   <= dma_i[vta_pkg::DmaAddrLsb +: BusLog];
      stride_q       <= dma_i[vta_pkg::DmaStrideLsb +: BusLog];
      granule_q      <= '0;
    end else if (read) begin
      index_q   <= index_q + IndexW'(elements);
      granule_q <= element_done ? '0 : granule_q + 1'b1;
      if (row_done) begin
        left_q       <= row_bytes_q;
        rows_q       <= rows_q - 1'b1;
        offset_q     <= next_row_offset;
        row_offset_q <= next_row_offset;
      end else begin
        left_q   <= left_q - LeftW'(bytes);
        offset_q <= '0;   // the beat was filled
      end
    end
  end

  // A cycle later the elements arrive
  logic [BusLog-1:0] arriving_offset_q;
  logic [BusLog:0]   arriving_bytes_q;
  logic [BusW-1:0]   beat;
  logic [BusW/8-1:0] strb;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) arriving_q <= 1'b0;
    else         arriving_q <= read;
  end

  always_ff @(posedge clk_i) begin
    arriving_offset_q <= offset_q;
    arriving_bytes_q  <= bytes;
  end

  if (ElemLog < BusLog) begin : g_shift
    assign beat = out_rd_data_i << {arriving_offset_q, 3'b000};
  end else if (ElemLog == BusLog) begin : g_whole
    assign beat = out_rd_data_i;
  end else begin : g_granule
    logic [GranuleW-1:0] arriving_granule_q;
    always_ff @(posedge clk_i) arriving_granule_q <= granule_q;
    assign beat = out_rd_data_i[32'(arriving_granule_q)*BusW +: BusW];
  end

  assign strb = (((BusW/8)'(1) << arriving_bytes_q) - 1'b1) << arriving_offset_q;

  vta_fifo #(
    .Width  (BusW + BusW / 8),
    .Depth  (BufferBeats),
    .Latency(vta_pkg::StorePack - 1)   // behind the register of arriving_q
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(arriving_q),
    .ready_o(),
    .data_i ({strb, beat}),
    .valid_o(beat_valid_o),
    .ready_i(beat_ready_i),
    .data_o ({beat_strb_o, beat_data_o}),
    .count_o(held)
  );

  `VTA_STATIC_ASSERT(FirstReadIsBehindOneRegister, vta_pkg::FirstRead == 1)

`ifdef FORMAL
`include "vta_store_pack.formal.svh"
`endif

endmodule
