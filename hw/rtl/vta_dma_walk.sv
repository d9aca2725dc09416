// Walks the scratchpad side of loads in order: runs of zero elements, and beats of data as they come. Each cycle it
// consumes a beat or writes a zero element, without a gap between rows or transfers.
//
// A beat may hold part of an element (its granule) or several whole elements. Data are shifted so that the first element's
// first byte is bit 0.

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

  // In the cycle of a transfer's last write
  output logic                           done_o,
  output logic [TagW-1:0]                tag_o
);

  localparam int BusLog   = vta_pkg::BusLog;
  localparam int BusBytes = 1 << BusLog;
  localparam int IndexW   = vta_pkg::DmaIndexW;
  localparam int GranuleW = vta_pkg::GranuleW;
  localparam int ZerosW   = vta_pkg::DmaZerosFirstW;
  localparam int RowsW    = vta_pkg::DmaRowsW;
  localparam int LeftW    = vta_pkg::DmaRowBytesW;

  logic                                  active_q;
  logic [vta_pkg::DmaMemoryW-1:0]        memory_q;
  logic [IndexW-1:0]                     index_q;
  logic [GranuleW-1:0]                   granule_q;
  logic [ZerosW-1:0]                     zeros_q, zeros_last_q;
  logic [vta_pkg::DmaZerosBetweenW-1:0]  zeros_between_q;
  logic [RowsW-1:0]                      rows_q;
  logic [LeftW-1:0]                      left_q, row_bytes_q;   // bytes of this row to come, of every row
  logic [BusLog-1:0] offset_q, row_offset_q, stride_q;
  logic [TagW-1:0]   tag_q;

  logic              is_zero, is_data, row_done;
  logic [BusLog:0]   room, bytes;
  logic [vta_pkg::ElemLogW-1:0]  elem_log;
  logic [vta_pkg::ElementsW-1:0] elements;
  logic [GranuleW-1:0]           last_granule;

  assign elem_log = vta_pkg::elem_log(memory_q);
  assign is_zero  = active_q && (zeros_q != '0);
  assign is_data  = active_q && (zeros_q == '0) && (rows_q != '0) && beat_valid_i;
  assign room     = (BusLog + 1)'(BusBytes) - (BusLog + 1)'(offset_q);
  assign bytes    = (left_q < LeftW'(room)) ? left_q[BusLog:0] : room;
  assign row_done = is_data && (left_q == LeftW'(bytes));

  // Elements that this write completes
  assign last_granule = GranuleW'(((32'd1 << elem_log) >> BusLog) - 32'd1);
  always_comb begin
    if (is_zero)                        elements = vta_pkg::ElementsW'(1);
    else if (32'(elem_log) < BusLog)    elements = bytes >> elem_log;
    else if (granule_q == last_granule) elements = vta_pkg::ElementsW'(1);
    else                                elements = '0;
  end

  // After this cycle
  logic [RowsW-1:0]  rows_d;
  logic [ZerosW-1:0] zeros_d;
  assign rows_d = rows_q - RowsW'(row_done);
  always_comb begin
    zeros_d = zeros_q - ZerosW'(is_zero);
    if (row_done) zeros_d = (rows_q == RowsW'(1)) ? zeros_last_q : ZerosW'(zeros_between_q);
  end

  assign done_o        = active_q && (rows_d == '0) && (zeros_d == '0);
  assign tag_o         = tag_q;
  assign start_ready_o = !active_q || done_o;
  assign beat_ready_o  = is_data;

  assign op_valid_o   = is_zero || is_data;
  assign op_zero_o    = is_zero;
  assign op_memory_o  = memory_q;
  assign op_index_o   = index_q;
  assign op_granule_o = granule_q;
  assign op_elements_o = elements;
  assign op_bytes_o   = is_data ? bytes : '0;
  assign op_data_o    = beat_data_i >> {offset_q, 3'b000};

  always_ff @(posedge clk_i) begin
    if (!rst_ni)            active_q <= 1'b0;
    else if (start_ready_o) active_q <= start_valid_i;
  end

  logic [BusLog-1:0] next_row_offset;
  assign next_row_offset = row_offset_q + stride_q;

  logic [vta_pkg::AddressW-1:0] addr, stride;
  assign addr   = vta_pkg::dma_addr(dma_i);
  assign stride = vta_pkg::dma_stride(dma_i);

  always_ff @(posedge clk_i) begin
    if (start_ready_o) begin
      memory_q        <= vta_pkg::dma_memory(dma_i);
      index_q         <= vta_pkg::dma_index(dma_i);
      granule_q       <= '0;
      zeros_q         <= vta_pkg::dma_zeros_first(dma_i);
      zeros_between_q <= vta_pkg::dma_zeros_between(dma_i);
      zeros_last_q    <= vta_pkg::dma_zeros_last(dma_i);
      rows_q          <= vta_pkg::dma_rows(dma_i);
      left_q          <= vta_pkg::dma_row_bytes(dma_i);
      row_bytes_q     <= vta_pkg::dma_row_bytes(dma_i);
      offset_q        <= addr[BusLog-1:0];
      row_offset_q    <= addr[BusLog-1:0];
      stride_q        <= stride[BusLog-1:0];
      tag_q           <= tag_i;
    end else if (op_valid_o) begin
      index_q <= index_q + IndexW'(elements);
      zeros_q <= zeros_d;
      rows_q  <= rows_d;
      if (is_data) begin
        granule_q <= (elements != '0) ? '0 : granule_q + 1'b1;
        left_q    <= row_done ? row_bytes_q : left_q - LeftW'(bytes);
        offset_q  <= row_done ? next_row_offset : '0;
        if (row_done) row_offset_q <= next_row_offset;
      end
    end
  end

  `VTA_STATIC_ASSERT(FirstWriteIsBehindOneRegister, vta_pkg::FirstWrite == 1)

endmodule
