// Walks the scratchpad side of loads in order: runs of zero elements, and beats of data as they come. Each cycle it
// consumes a beat or writes a zero element, without a gap between rows or transfers.
//
// A beat may hold part of an element (its granule) or several whole elements. Data are shifted so that the first element's
// first byte is bit 0.

`include "vta_assert.svh"

module vta_dma_walk #(
  parameter int TagW = 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // The next transfer, in the order in which their data come. One without rows and zeros only takes its turn.
  input  logic                       start_valid_i,
  output logic                       start_ready_o,
  input  logic [2:0]                 memory_i,
  input  logic [15:0]                index_i,
  input  logic [16:0]                zeros_first_i,
  input  logic [16:0]                zeros_between_i,
  input  logic [16:0]                zeros_last_i,
  input  logic [16:0]                rows_i,
  input  logic [24:0]                row_bytes_i,
  input  logic [vta_pkg::BusLog-1:0] offset_i,         // of the first row in its first beat, bytes
  input  logic [vta_pkg::BusLog-1:0] stride_i,         // bytes from row to row, modulo a beat
  input  logic [TagW-1:0]            tag_i,

  input  logic                       beat_valid_i,
  output logic                       beat_ready_o,
  input  logic [vta_pkg::BusW-1:0]   beat_data_i,

  // A write: one zero element, or the elements that this beat brings
  output logic                       op_valid_o,
  output logic                       op_zero_o,
  output logic [2:0]                 op_memory_o,
  output logic [15:0]                op_index_o,
  output logic [15:0]                op_granule_o,     // of the element, when it is larger than a beat
  output logic [15:0]                op_elements_o,    // that it completes
  output logic [vta_pkg::BusLog:0]   op_bytes_o,       // of data
  output logic [vta_pkg::BusW-1:0]   op_data_o,

  // In the cycle of a transfer's last write
  output logic                       done_o,
  output logic [TagW-1:0]            tag_o
);

  localparam int BusLog   = vta_pkg::BusLog;
  localparam int BusBytes = 1 << BusLog;

  logic              active_q;
  logic [2:0]        memory_q;
  logic [15:0]       index_q, granule_q;
  logic [16:0]       zeros_q, zeros_between_q, zeros_last_q, rows_q;
  logic [24:0]       left_q, row_bytes_q;   // bytes of this row to come, of every row
  logic [BusLog-1:0] offset_q, row_offset_q, stride_q;
  logic [TagW-1:0]   tag_q;

  logic              is_zero, is_data, row_done;
  logic [BusLog:0]   room, bytes;
  logic [4:0]        elem_log;
  logic [15:0]       elements, last_granule;

  always_comb begin
    case (memory_q)
      vta_pkg::MemUop:  elem_log = 5'(vta_pkg::UopElemLog);
      vta_pkg::MemWgt:  elem_log = 5'(vta_pkg::WgtElemLog);
      vta_pkg::MemInp:  elem_log = 5'(vta_pkg::InpElemLog);
      vta_pkg::MemAcc8: elem_log = 5'(vta_pkg::Acc8ElemLog);
      default:              elem_log = 5'(vta_pkg::AccElemLog);
    endcase
  end

  assign is_zero  = active_q && (zeros_q != '0);
  assign is_data  = active_q && (zeros_q == '0) && (rows_q != '0) && beat_valid_i;
  assign room     = (BusLog + 1)'(BusBytes) - (BusLog + 1)'(offset_q);
  assign bytes    = (left_q < 25'(room)) ? left_q[BusLog:0] : room;
  assign row_done = is_data && (left_q == 25'(bytes));

  // Elements that this write completes
  assign last_granule = 16'((32'd1 << elem_log) >> BusLog);
  always_comb begin
    if (is_zero)                        elements = 16'd1;
    else if (32'(elem_log) < BusLog)    elements = 16'(bytes) >> elem_log;
    else if (granule_q + 16'd1 == last_granule) elements = 16'd1;
    else                                elements = '0;
  end

  // After this cycle
  logic [16:0] rows_d, zeros_d;
  assign rows_d = rows_q - 17'(row_done);
  always_comb begin
    zeros_d = zeros_q - 17'(is_zero);
    if (row_done) zeros_d = (rows_q == 17'd1) ? zeros_last_q : zeros_between_q;
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

  always_ff @(posedge clk_i) begin
    if (start_ready_o) begin
      memory_q        <= memory_i;
      index_q         <= index_i;
      granule_q       <= '0;
      zeros_q         <= zeros_first_i;
      zeros_between_q <= zeros_between_i;
      zeros_last_q    <= zeros_last_i;
      rows_q          <= rows_i;
      left_q          <= row_bytes_i;
      row_bytes_q     <= row_bytes_i;
      offset_q        <= offset_i;
      row_offset_q    <= offset_i;
      stride_q        <= stride_i;
      tag_q           <= tag_i;
    end else if (op_valid_o) begin
      index_q <= index_q + elements;
      zeros_q <= zeros_d;
      rows_q  <= rows_d;
      if (is_data) begin
        granule_q <= (elements != '0) ? '0 : granule_q + 16'd1;
        left_q    <= row_done ? row_bytes_q : left_q - 25'(bytes);
        offset_q  <= row_done ? next_row_offset : '0;
        if (row_done) row_offset_q <= next_row_offset;
      end
    end
  end

  `VTA_STATIC_ASSERT(FirstWriteIsBehindOneRegister, vta_pkg::FirstWrite == 1)

endmodule
