// Reads the elements of a store in order and packs them into beats with byte strobes: several elements in a beat, or
// an element over several beats. A beat a cycle; a small buffer keeps them until the bus takes them.
//
// beat_last_o marks the last beat of a burst as vta_burst cuts them: at the end of a row or before a multiple of
// BurstBeats beats.

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
  input  logic [31:0]                    addr_i,
  input  logic [24:0]                    row_bytes_i,
  input  logic [16:0]                    rows_i,
  input  logic [31:0]                    stride_i,
  input  logic [15:0]                    index_i,

  // OUT elements; data follow in the next cycle
  output logic                           out_rd_en_o,
  output logic [vta_pkg::AccIndexW-1:0]  out_rd_index_o,
  input  logic [StoreLanes*OutElemW-1:0] out_rd_data_i,

  output logic                           beat_valid_o,
  input  logic                           beat_ready_i,
  output logic [BusW-1:0]                beat_data_o,
  output logic [BusW/8-1:0]              beat_strb_o,
  output logic                           beat_last_o
);

  localparam int BusLog   = vta_pkg::BusLog;
  localparam int BusBytes = 1 << BusLog;
  localparam int ElemLog  = vta_pkg::OutElemLog;
  localparam int CountW   = $clog2(BufferBeats + 1);
  localparam int LenW     = vta_pkg::BurstLenW;
  // Position within the window of BurstBeats beats that a burst does not leave
  localparam int WindowW  = BusLog + LenW;

  // Walk: one beat is read per cycle while there is room for it
  logic               active_q, read, row_done, finishing, arriving_q;
  logic [15:0]        index_q;
  logic [24:0]        left_q, row_bytes_q;
  logic [16:0]        rows_q;
  logic [WindowW-1:0] position_q, row_position_q, stride_q;  // bytes
  logic [15:0]        granule_q;
  logic [BusLog-1:0]  offset;
  logic [BusLog:0]    room, bytes;
  logic [CountW-1:0]  held;

  assign offset    = position_q[BusLog-1:0];
  assign room      = (BusLog + 1)'(BusBytes) - (BusLog + 1)'(offset);
  assign bytes     = (left_q < 25'(room)) ? left_q[BusLog:0] : room;
  assign row_done  = left_q == 25'(bytes);
  // What was read in the cycle before is not in the buffer yet
  assign read      = active_q && (32'(held) + 32'(arriving_q) < BufferBeats);
  assign finishing = read && row_done && (rows_q == 17'd1);
  assign ready_o   = !active_q || finishing;

  assign out_rd_en_o    = read;
  assign out_rd_index_o = vta_pkg::AccIndexW'(index_q);

  logic [WindowW-1:0] next_row_position;
  logic [15:0]        elements;
  logic               element_done;
  assign next_row_position = row_position_q + stride_q;

  if (ElemLog < BusLog) begin : g_several
    assign elements     = 16'(bytes) >> ElemLog;
    assign element_done = 1'b1;
  end else begin : g_part
    assign elements     = 16'(element_done);
    assign element_done = granule_q == 16'((1 << (ElemLog - BusLog)) - 1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)      active_q <= 1'b0;
    else if (ready_o) active_q <= start_i;
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      index_q        <= index_i;
      left_q         <= row_bytes_i;
      row_bytes_q    <= row_bytes_i;
      rows_q         <= rows_i;
      position_q     <= addr_i[WindowW-1:0];
      row_position_q <= addr_i[WindowW-1:0];
      stride_q       <= stride_i[WindowW-1:0];
      granule_q      <= '0;
    end else if (read) begin
      index_q   <= index_q + elements;
      granule_q <= element_done ? '0 : granule_q + 16'd1;
      if (row_done) begin
        left_q         <= row_bytes_q;
        rows_q         <= rows_q - 17'd1;
        position_q     <= next_row_position;
        row_position_q <= next_row_position;
      end else begin
        left_q     <= left_q - 25'(bytes);
        position_q <= position_q + WindowW'(bytes);
      end
    end
  end

  // A cycle later the elements arrive
  logic              last_q;
  logic [BusLog-1:0] offset_q;
  logic [BusLog:0]   bytes_q;
  logic [BusW-1:0]   beat;
  logic [BusW/8-1:0] strb;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) arriving_q <= 1'b0;
    else         arriving_q <= read;
  end

  always_ff @(posedge clk_i) begin
    offset_q <= offset;
    bytes_q  <= bytes;
    last_q   <= row_done || (position_q[BusLog +: LenW] == LenW'(vta_pkg::BurstBeats - 1));
  end

  if (ElemLog < BusLog) begin : g_shift
    assign beat = out_rd_data_i << {offset_q, 3'b000};
  end else if (ElemLog == BusLog) begin : g_whole
    assign beat = out_rd_data_i;
  end else begin : g_granule
    logic [15:0] arriving_granule_q;
    always_ff @(posedge clk_i) arriving_granule_q <= granule_q;
    assign beat = out_rd_data_i[32'(arriving_granule_q)*BusW +: BusW];
  end

  assign strb = (((BusW/8)'(1) << bytes_q) - 1'b1) << offset_q;

  vta_fifo #(
    .Width  (BusW + BusW / 8 + 1),
    .Depth  (BufferBeats),
    .Latency(vta_pkg::StorePack - 1)   // behind the register of arriving_q
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(arriving_q),
    .ready_o(),
    .data_i ({last_q, strb, beat}),
    .valid_o(beat_valid_o),
    .ready_i(beat_ready_i),
    .data_o ({beat_last_o, beat_strb_o, beat_data_o}),
    .count_o(held)
  );

  `VTA_STATIC_ASSERT(FirstReadIsBehindOneRegister, vta_pkg::FirstRead == 1)

endmodule
