// SPDX-License-Identifier: Apache-2.0
// Walks the scratchpad side of loads in order: runs of zero elements, and beats of data as they come. Each cycle it
// consumes a beat or writes a zero element, without a gap between rows or transfers.
//
// A beat may hold part of an element (its granule) or several whole elements. Data are shifted so that the first element's
// first byte is bit 0.
//
// What ends with a write is known before it: flags tell the last zero of a run, the last beat of a row and the last row,
// and the row after the present one is worked out ahead. The writes themselves are registered (WalkToWrite).

`include "vta_assert.svh"

module vta_dma_walk #(
  parameter int TagW = 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  // The next transfer, in the order in which their data come. One without rows and zeros only takes its turn.
  input  logic                           start_valid_i,
  output logic                           start_ready_o,
  // Addresses modulo a beat are enough.
  input  logic [vta_pkg::DmaW-1:0]       dma_i,
  input  logic [TagW-1:0]                tag_i,

  input  logic                           beat_valid_i,
  output logic                           beat_ready_o,
  input  logic [vta_pkg::BusW-1:0]       beat_data_i,

  // A write: one zero element, or the elements that this beat brings
  output logic                           op_valid_o,
  output logic                           op_zero_o,
  output logic [vta_pkg::DmaMemoryW-1:0] op_memory_o,
  output logic [vta_pkg::DmaIndexW-1:0]  op_index_o,
  output logic [vta_pkg::GranuleW-1:0]   op_granule_o,   // of the element, when it is larger than a beat
  output logic [vta_pkg::ElementsW-1:0]  op_elements_o,   // that it completes
  output logic [vta_pkg::BusLog:0]       op_bytes_o,   // of data
  output logic [vta_pkg::BusW-1:0]       op_data_o,

  // In the cycle of a transfer's last write, or of its turn when it has none
  output logic                           done_o,
  output logic [TagW-1:0]                tag_o
);

  localparam int BusLog   = vta_pkg::BusLog;
  localparam int BusBytes = 1 << BusLog;
  localparam int IndexW   = vta_pkg::DmaIndexW;
  localparam int GranuleW = vta_pkg::GranuleW;
  localparam int ZerosW   = vta_pkg::DmaZerosFirstW;
  localparam int RowsW    = vta_pkg::DmaRowsW;
  localparam int RowW     = vta_pkg::DmaRowBytesW;
  localparam int BeatsW   = RowW + 1 - BusLog;

  // Walk -------------------------------------------------------------------------------------------------------------

  // At a transfer's next write: zeros, or a row's beats, or neither when it has none
  logic                           active_q, in_zeros_q, in_row_q;
  logic [vta_pkg::DmaMemoryW-1:0] memory_q;
  logic [IndexW-1:0]              index_q;
  logic [TagW-1:0]                tag_q;

  // Zeros of the run after this one; whether there are runs between the rows and behind them
  logic [ZerosW-1:0]                    zeros_q, zeros_last_q;
  logic [vta_pkg::DmaZerosBetweenW-1:0] zeros_between_q;
  logic                                 zeros_end_q, between_q, behind_q;

  // Rows after this one, and whether it is the last or none is left
  logic [RowsW-1:0] rows_q;
  logic             last_row_q, no_row_q;

  // A row: its first byte's place in its first beat, its beats but one, the bytes of its last beat up to its end
  logic [BusLog-1:0]   offset_q, next_offset_q, stride_q;
  logic [BeatsW-1:0]   beats_q, next_beats_q;
  logic [BusLog:0]     tail_q, next_tail_q;
  logic                row_end_q, next_row_end_q;
  logic [RowW-1:0]     row_bytes_q;
  logic [GranuleW-1:0] granule_q;

  logic                           is_zero, is_data, zeros_end, row_done, done;
  logic [BusLog:0]                bytes;
  logic [vta_pkg::ElemLogW-1:0]   elem_log;
  logic [vta_pkg::ElementsW-1:0]  elements;
  logic [GranuleW-1:0]            last_granule;

  assign is_zero   = in_zeros_q;
  assign is_data   = in_row_q && beat_valid_i;
  assign zeros_end = is_zero && zeros_end_q;
  assign row_done  = is_data && row_end_q;
  assign bytes     = (row_end_q ? tail_q : (BusLog + 1)'(BusBytes)) - (BusLog + 1)'(offset_q);

  assign done = (active_q && !in_zeros_q && !in_row_q) || (zeros_end && no_row_q) ||
                (row_done && last_row_q && !behind_q);
  assign start_ready_o = !active_q || done;
  assign beat_ready_o  = is_data;

  // Elements that this write completes
  assign elem_log     = vta_pkg::elem_log(memory_q);
  assign last_granule = GranuleW'(((32'd1 << elem_log) >> BusLog) - 32'd1);
  always_comb begin
    if (is_zero)                        elements = vta_pkg::ElementsW'(1);
    else if (32'(elem_log) < BusLog)    elements = bytes >> elem_log;
    else if (granule_q == last_granule) elements = vta_pkg::ElementsW'(1);
    else                                elements = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)            active_q <= 1'b0;
    else if (start_ready_o) active_q <= start_valid_i;
  end

  // Where a row ends that begins at `offset` in its first beat: bytes from that beat's begin, less one
  logic [BusLog-1:0] first_offset, second_offset, third_offset, start_stride;
  logic [RowW-1:0]   start_bytes;
  logic [RowW:0]     first_end, second_end, third_end;

  assign start_bytes   = vta_pkg::dma_row_bytes(dma_i);
  assign start_stride  = dma_i[vta_pkg::DmaStrideLsb +: BusLog];
  assign first_offset  = dma_i[vta_pkg::DmaAddrLsb +: BusLog];
  assign second_offset = first_offset + start_stride;
  assign third_offset  = next_offset_q + stride_q;
  assign first_end     = (RowW + 1)'(start_bytes) + (RowW + 1)'(first_offset) - 1'b1;
  assign second_end    = (RowW + 1)'(start_bytes) + (RowW + 1)'(second_offset) - 1'b1;
  assign third_end     = (RowW + 1)'(row_bytes_q) + (RowW + 1)'(third_offset) - 1'b1;

  logic has_first, has_rows;
  assign has_first = vta_pkg::dma_zeros_first(dma_i) != '0;
  assign has_rows  = vta_pkg::dma_rows(dma_i) != '0;

  always_ff @(posedge clk_i) begin
    if (start_ready_o) begin
      in_zeros_q      <= start_valid_i && has_first;
      in_row_q        <= start_valid_i && !has_first && has_rows;
      memory_q        <= vta_pkg::dma_memory(dma_i);
      tag_q           <= tag_i;
      index_q         <= vta_pkg::dma_index(dma_i);
      granule_q       <= '0;
      zeros_q         <= vta_pkg::dma_zeros_first(dma_i) - 1'b1;
      zeros_end_q     <= vta_pkg::dma_zeros_first(dma_i) == ZerosW'(1);
      zeros_between_q <= vta_pkg::dma_zeros_between(dma_i);
      zeros_last_q    <= vta_pkg::dma_zeros_last(dma_i);
      between_q       <= vta_pkg::dma_zeros_between(dma_i) != '0;
      behind_q        <= vta_pkg::dma_zeros_last(dma_i) != '0;
      rows_q          <= vta_pkg::dma_rows(dma_i) - 1'b1;
      last_row_q      <= vta_pkg::dma_rows(dma_i) == RowsW'(1);
      no_row_q        <= !has_rows;
      stride_q        <= start_stride;
      row_bytes_q     <= start_bytes;
      offset_q        <= first_offset;
      beats_q         <= first_end[RowW:BusLog];
      row_end_q       <= first_end[RowW:BusLog] == '0;
      tail_q          <= (BusLog + 1)'(first_end[BusLog-1:0]) + 1'b1;
      next_offset_q   <= second_offset;
      next_beats_q    <= second_end[RowW:BusLog];
      next_row_end_q  <= second_end[RowW:BusLog] == '0;
      next_tail_q     <= (BusLog + 1)'(second_end[BusLog-1:0]) + 1'b1;
    end else begin
      if (is_zero || is_data) index_q <= index_q + IndexW'(elements);
      if (is_zero) begin
        zeros_q     <= zeros_q - 1'b1;
        zeros_end_q <= zeros_q == ZerosW'(1);
        if (zeros_end_q) begin
          in_zeros_q <= 1'b0;
          in_row_q   <= 1'b1;
        end
      end
      if (is_data) begin
        granule_q <= (elements != '0) ? '0 : granule_q + 1'b1;
        offset_q  <= '0;
        beats_q   <= beats_q - 1'b1;
        row_end_q <= beats_q == BeatsW'(1);
      end
      if (row_done) begin
        offset_q       <= next_offset_q;
        beats_q        <= next_beats_q;
        row_end_q      <= next_row_end_q;
        tail_q         <= next_tail_q;
        next_offset_q  <= third_offset;
        next_beats_q   <= third_end[RowW:BusLog];
        next_row_end_q <= third_end[RowW:BusLog] == '0;
        next_tail_q    <= (BusLog + 1)'(third_end[BusLog-1:0]) + 1'b1;
        rows_q         <= rows_q - 1'b1;
        last_row_q     <= rows_q == RowsW'(1);
        no_row_q       <= last_row_q;
        in_zeros_q     <= last_row_q || between_q;
        in_row_q       <= !(last_row_q || between_q);
        zeros_q        <= (last_row_q ? zeros_last_q : ZerosW'(zeros_between_q)) - 1'b1;
        zeros_end_q    <= last_row_q ? zeros_last_q == ZerosW'(1) : zeros_between_q == vta_pkg::DmaZerosBetweenW'(1);
      end
    end
    if (!rst_ni) begin
      in_zeros_q <= 1'b0;
      in_row_q   <= 1'b0;
    end
  end

  // Write ------------------------------------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      op_valid_o <= 1'b0;
      done_o     <= 1'b0;
    end else begin
      op_valid_o <= is_zero || is_data;
      done_o     <= done;
    end
  end

  always_ff @(posedge clk_i) begin
    op_zero_o     <= is_zero;
    op_memory_o   <= memory_q;
    op_index_o    <= index_q;
    op_granule_o  <= granule_q;
    op_elements_o <= elements;
    op_bytes_o    <= is_data ? bytes : '0;
    op_data_o     <= beat_data_i >> {offset_q, 3'b000};
    tag_o         <= tag_q;
  end

  `VTA_STATIC_ASSERT(FirstWalkIsBehindOneRegister, vta_pkg::FirstWalk == 1)
  `VTA_STATIC_ASSERT(WritesAreBehindOneRegister, vta_pkg::WalkToWrite == 1)
  `VTA_ASSERT(ZerosOrRows, !(in_zeros_q && in_row_q))

`ifdef FORMAL
`include "vta_dma_walk.formal.svh"
`endif

endmodule
