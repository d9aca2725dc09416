// SPDX-License-Identifier: Apache-2.0
// The read DMA: transfers of every kind, their bursts taken and their data coming whenever the memory likes. Each write to a
// scratchpad must be the next that the transfers, in order, ask for.
module vta_dma_read_bench;
  `include "bench.svh"
  `include "memory.svh"

  localparam int BusBytes  = vta_pkg::BusW / 8;
  localparam int Transfers = 150;

  logic                     start_valid = 1'b0, start_ready, empty = 1'b0;
  logic [2:0]               memory = '0;
  logic [31:0]              addr = '0, stride = '0;
  logic [vta_pkg::DmaRowBytesW-1:0]     row_bytes = '0;
  logic [vta_pkg::DmaRowsW-1:0]         rows = '0;
  logic [vta_pkg::DmaZerosFirstW-1:0]   zeros_first = '0, zeros_last = '0;
  logic [vta_pkg::DmaZerosBetweenW-1:0] zeros_between = '0;
  logic [vta_pkg::DmaIndexW-1:0]        index = '0;
  logic [vta_pkg::DmaW-1:0]             dma;
  logic [7:0]               tag_in = '0, tag_out;
  logic                     burst_valid, burst_ready = 1'b0, beat_valid = 1'b0;
  logic [31:0]              burst_addr;
  logic [3:0]               burst_len;
  logic [vta_pkg::BusW-1:0] beat_data = '0, op_data;
  logic                     op_valid, op_zero, done;
  logic [2:0]               op_memory;
  logic [vta_pkg::DmaIndexW-1:0] op_index;
  logic [vta_pkg::GranuleW-1:0]  op_granule;
  logic [vta_pkg::ElementsW-1:0] op_elements;
  logic [vta_pkg::BusLog:0] op_bytes;

  vta_dma_read #(
    .TagW(8)
  ) u_dut (
    .clk_i          (clk),
    .rst_ni         (rst_n),
    .start_valid_i  (start_valid),
    .start_ready_o  (start_ready),
    .empty_i        (empty),
    .dma_i          (dma),
    .tag_i          (tag_in),
    .burst_valid_o  (burst_valid),
    .burst_ready_i  (burst_ready),
    .burst_addr_o   (burst_addr),
    .burst_len_o    (burst_len),
    .beat_valid_i   (beat_valid),
    .beat_data_i    (beat_data),
    .op_valid_o     (op_valid),
    .op_zero_o      (op_zero),
    .op_memory_o    (op_memory),
    .op_index_o     (op_index),
    .op_granule_o   (op_granule),
    .op_elements_o  (op_elements),
    .op_bytes_o     (op_bytes),
    .op_data_o      (op_data),
    .done_o         (done),
    .tag_o          (tag_out)
  );

  assign dma[vta_pkg::DmaMemoryLsb +: vta_pkg::DmaMemoryW]             = memory;
  assign dma[vta_pkg::DmaAddrLsb +: vta_pkg::DmaAddrW]                 = addr;
  assign dma[vta_pkg::DmaStrideLsb +: vta_pkg::DmaStrideW]             = stride;
  assign dma[vta_pkg::DmaRowBytesLsb +: vta_pkg::DmaRowBytesW]         = row_bytes;
  assign dma[vta_pkg::DmaRowsLsb +: vta_pkg::DmaRowsW]                 = rows;
  assign dma[vta_pkg::DmaIndexLsb +: vta_pkg::DmaIndexW]               = index;
  assign dma[vta_pkg::DmaLastIndexLsb +: vta_pkg::DmaLastIndexW]       = '1;   // of no use to the DMA
  assign dma[vta_pkg::DmaZerosFirstLsb +: vta_pkg::DmaZerosFirstW]     = zeros_first;
  assign dma[vta_pkg::DmaZerosBetweenLsb +: vta_pkg::DmaZerosBetweenW] = zeros_between;
  assign dma[vta_pkg::DmaZerosLastLsb +: vta_pkg::DmaZerosLastW]       = zeros_last;

  // Elements that are to be written, in order: {zero, memory, index, address}; each transfer's tag and elements
  logic [51:0] elements [$], element;
  logic [7:0]  tags [$];
  int          lefts [$];
  // Beats that are to be asked for; beats on their way
  logic [31:0] wanted_beats [$], beats [$];
  int          position = 0, completed, started = 0, ended = 0, size;
  logic        shown = 1'b0;
  logic [31:0] shown_addr;
  int          start_percent = 50, burst_percent = 50, beat_percent = 50;

  function automatic int elem_bytes(input logic [2:0] m);
    case (m)
      3'(vta_pkg::MemUop):  elem_bytes = 1 << vta_pkg::UopElemLog;
      3'(vta_pkg::MemWgt):  elem_bytes = 1 << vta_pkg::WgtElemLog;
      3'(vta_pkg::MemInp):  elem_bytes = 1 << vta_pkg::InpElemLog;
      3'(vta_pkg::MemAcc8): elem_bytes = 1 << vta_pkg::Acc8ElemLog;
      default:              elem_bytes = 1 << vta_pkg::AccElemLog;
    endcase
  endfunction

  // A transfer within what an instruction can say; rows a little longer than a burst now and then
  task automatic choose;
    int columns;
    case (below(5))
      0:       memory = 3'(vta_pkg::MemUop);
      1:       memory = 3'(vta_pkg::MemWgt);
      2:       memory = 3'(vta_pkg::MemInp);
      3:       memory = 3'(vta_pkg::MemAcc8);
      default: memory = 3'(vta_pkg::MemAcc);
    endcase
    size          = elem_bytes(memory);
    columns       = 1 + below((below(4) == 0) ? 20 * BusBytes / size + 2 : 4);
    // A scratchpad holds no more
    if (columns * size >= (1 << vta_pkg::DmaRowBytesW)) columns = ((1 << vta_pkg::DmaRowBytesW) - 1) / size;
    rows          = (vta_pkg::DmaRowsW)'(1 + below(4));
    row_bytes     = (vta_pkg::DmaRowBytesW)'(columns * size);
    addr          = 32'(below(1 << 20) * size);
    stride        = 32'((columns + below(3) * below(40)) * size);
    zeros_first   = (vta_pkg::DmaZerosFirstW)'(below(2) * below(6));
    zeros_between = (vta_pkg::DmaZerosBetweenW)'(below(2) * below(4));
    zeros_last    = (vta_pkg::DmaZerosLastW)'(below(2) * below(6));
    index         = (vta_pkg::DmaIndexW)'(below(4096));
    empty         = below(8) == 0;
    tag_in        = tag_in + 8'd1;
  endtask

  // What the transfer at the inputs asks for
  task automatic note;
    logic [15:0] at;
    logic [31:0] row;
    int          count;
    at    = index;
    row   = addr;
    count = 0;
    if (!empty) begin
      for (int z = 0; z < int'(zeros_first); z++) begin
        elements.push_back({1'b1, memory, at, 32'd0});
        at    = at + 16'd1;
        count = count + 1;
      end
      for (int r = 0; r < int'(rows); r++) begin
        for (int e = 0; e < int'(row_bytes); e = e + elem_bytes(memory)) begin
          elements.push_back({1'b0, memory, at, row + 32'(e)});
          at    = at + 16'd1;
          count = count + 1;
        end
        for (int b = int'(row) & -BusBytes; b < int'(row) + int'(row_bytes); b = b + BusBytes) wanted_beats.push_back(b);
        for (int z = 0; z < int'((r == int'(rows) - 1) ? zeros_last : zeros_between); z++) begin
          elements.push_back({1'b1, memory, at, 32'd0});
          at    = at + 16'd1;
          count = count + 1;
        end
        row = row + stride;
      end
    end
    tags.push_back(tag_in);
    lefts.push_back(count);
  endtask

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      start_percent = percentage();
      burst_percent = percentage();
      beat_percent  = percentage();
    end
    if (!start_valid && rst_n && (started < Transfers) && chance(start_percent)) begin
      choose();
      start_valid = 1'b1;
    end
    burst_ready = chance(burst_percent);
    beat_valid  = (beats.size() > 0) && chance(beat_percent);
    beat_data   = beat_valid ? beat_at(beats[0]) : (vta_pkg::BusW)'(random_bits());
  end

  always @(posedge clk) if (rst_n) begin
    // Writes
    completed = 0;
    if (op_valid) begin
      `CHECK(elements.size() > 0)
      element = elements[0];
      `CHECK(op_zero == element[51] && op_memory == element[50:48] && op_index == element[47:32])
      if (op_zero) begin
        `CHECK(position == 0 && op_bytes == '0)
        completed = 1;
        elements.delete(0);
      end else begin
        size = elem_bytes(op_memory);
        if (size > BusBytes) begin
          `CHECK(position == int'(op_granule) * BusBytes)
        end else begin
          `CHECK(position == 0)
        end
        for (int i = 0; i < int'(op_bytes); i++) begin
          element = elements[0];
          `CHECK(!element[51] && op_data[i*8 +: 8] == byte_at(element[31:0] + position))
          position = position + 1;
          if (position == size) begin
            position  = 0;
            completed = completed + 1;
            elements.delete(0);
          end
        end
      end
      `CHECK(int'(op_elements) == completed)
    end

    // Ends of transfers
    if (completed > 0) lefts[0] = lefts[0] - completed;
    if (done) begin
      `CHECK(tags.size() > 0 && tag_out == tags[0] && lefts[0] == 0)
      tags.delete(0);
      lefts.delete(0);
      ended = ended + 1;
    end else if (completed > 0) begin
      `CHECK(lefts[0] > 0)
    end

    // Bursts
    if (shown) begin
      `CHECK(burst_valid && burst_addr == shown_addr)
    end
    shown      = burst_valid && !burst_ready;
    shown_addr = burst_addr;
    if (beat_valid) beats.delete(0);
    if (burst_valid && burst_ready) begin
      `CHECK((burst_addr / BusBytes) % 16 + 32'(burst_len) < 16)
      for (int i = 0; i <= int'(burst_len); i++) begin
        `CHECK(wanted_beats.size() > 0 && wanted_beats[0] == burst_addr + i * BusBytes)
        beats.push_back(wanted_beats[0]);
        wanted_beats.delete(0);
      end
    end

    if (start_valid && start_ready) begin
      note();
      started = started + 1;
      start_valid <= 1'b0;
    end
    if (ended == Transfers) begin
      `CHECK(elements.size() == 0 && wanted_beats.size() == 0 && beats.size() == 0)
      pass();
    end
    `CHECK(cycle < 1000000)
  end
endmodule
