// SPDX-License-Identifier: Apache-2.0
// The compute stage: micro-op and accumulator loads, GEMM, ALU, resets, FINISH.
//
// Instructions are checked, issued and retired in program order, one of each a cycle. In between they run on three engines
// (load, GEMM, vector) that work side by side as long as they touch different halves of the accumulator scratchpad and
// nobody overwrites micro-ops that another still reads. Tokens are popped at issue and pushed at retirement, so they leave in
// program order whatever ends first.

`include "vta_assert.svh"

module vta_compute #(
  localparam int InpElemW   = 8 << vta_pkg::InpElemLog,
  localparam int WgtElemW   = 8 << vta_pkg::WgtElemLog,
  localparam int OutElemW   = 8 << vta_pkg::OutElemLog,
  localparam int StoreLanes = vta_pkg::OutLanes
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           flush_i,
  // Drop whatever is under way. REQUIRES: no transfer is, and flush_i
  input  logic                           drop_i,
  // Issue nothing more
  input  logic                           halt_i,
  input  logic [vta_pkg::AddressW-1:0]   memory_last_i,

  // Command queue
  input  logic                           queue_valid_i,
  output logic                           queue_ready_o,
  input  logic [vta_pkg::InsnCountW-1:0] queue_index_i,
  input  logic [vta_pkg::InsnW-1:0]      queue_insn_i,

  // Tokens: prev is load, next is store
  input  logic                           prev_available_i,
  output logic                           prev_pop_o,
  output logic                           prev_push_o,
  input  logic                           next_available_i,
  output logic                           next_pop_o,
  output logic                           next_push_o,

  // Memory
  output logic                           burst_valid_o,
  input  logic                           burst_ready_i,
  output logic [vta_pkg::AddressW-1:0]   burst_addr_o,
  output logic [vta_pkg::BurstLenW-1:0]  burst_len_o,
  input  logic                           beat_valid_i,
  input  logic [vta_pkg::BusW-1:0]       beat_data_i,

  // Input and weight scratchpads
  output logic                           operands_rd_en_o,
  output logic [vta_pkg::InpIndexW-1:0]  inp_rd_index_o,
  input  logic [InpElemW-1:0]            inp_rd_data_i,
  output logic [vta_pkg::WgtIndexW-1:0]  wgt_rd_index_o,
  input  logic [WgtElemW-1:0]            wgt_rd_data_i,

  // The store stage reads OUT elements
  input  logic                           out_rd_en_i,
  input  logic [vta_pkg::AccIndexW-1:0]  out_rd_index_i,
  output logic [StoreLanes*OutElemW-1:0] out_rd_data_o,

  // What it does in this cycle
  output logic                           issue_o,
  output logic                           retire_o,
  output logic                           finish_o,   // FINISH retires
  output logic                           occupied_o,   // an instruction waits to be issued
  output logic                           in_flight_o,
  output logic                           transfers_in_flight_o,
  output logic                           token_wait_o,   // that instruction lacks nothing but tokens
  output logic                           busy_o,
  output logic [vta_pkg::BusLog:0]       uop_bytes_o,
  output logic [vta_pkg::BusLog:0]       acc_bytes_o,
  output logic                           gemm_step_o,
  output logic                           alu_step_o,
  output logic                           illegal_o,
  output logic [vta_pkg::InsnCountW-1:0] insn_index_o
);

  localparam int AccElemW     = 8 << vta_pkg::AccElemLog;
  localparam int AccIndexW    = vta_pkg::AccIndexW;
  localparam int AccLoadLanes = vta_pkg::AccLoadLanes;
  localparam int UopIndexW    = vta_pkg::UopIndexW;
  localparam int InsnW        = vta_pkg::InsnW;
  localparam int IndexW       = vta_pkg::InsnCountW;

  // Check ------------------------------------------------------------------------------------------------------------

  logic              check_valid, check_ready, check_occupied, check_legal, check_empty, check_is_transfer, uops_pending;
  logic              check_may_hold;
  logic [IndexW-1:0] check_index;
  logic [InsnW-1:0]  check_insn;
  logic [1:0]        check_halves;
  logic [vta_pkg::DmaW-1:0] check_dma;
  logic              scan_rd_en;
  logic [UopIndexW-1:0] scan_rd_index;
  logic [vta_pkg::UopW-1:0] scan_uop;

  vta_compute_check u_check (
    .clk_i,
    .rst_ni,
    .flush_i,
    .memory_last_i,
    .queue_valid_i,
    .queue_ready_o,
    .queue_index_i,
    .queue_insn_i,
    .uops_pending_i (uops_pending),
    .uop_rd_en_o    (scan_rd_en),
    .uop_rd_index_o (scan_rd_index),
    .uop_i          (scan_uop),
    .valid_o        (check_valid),
    .ready_i        (check_ready),
    .occupied_o     (check_occupied),
    .insn_index_o   (check_index),
    .insn_o         (check_insn),
    .legal_o        (check_legal),
    .empty_o        (check_empty),
    .is_transfer_o  (check_is_transfer),
    .halves_o       (check_halves),
    .may_hold_o     (check_may_hold),
    .dma_o          (check_dma)
  );

  // Issue ------------------------------------------------------------------------------------------------------------

  logic              dma_start, gemm_start, vector_start, may_hold, is_uop_load, slot_occupied, running;
  logic [InsnW-1:0]  insn;
  logic [1:0]        halves;
  logic [vta_pkg::DmaW-1:0] dma;

  logic              dma_ready, dma_done, gemm_done, vector_done;
  logic [2:0]        dma_tag;   // is a micro-op load, halves
  logic              gemm_first_step, gemm_last_step, vector_first_step, vector_last_step;
  logic [1:0]        gemm_release, vector_release;

  logic rst_n;   // also of what is dropped
  assign rst_n = rst_ni && !drop_i;

  vta_issue u_issue (
    .clk_i,
    .rst_ni             (rst_n),
    .flush_i,
    .halt_i,
    .check_valid_i      (check_valid),
    .check_ready_o      (check_ready),
    .check_index_i      (check_index),
    .check_insn_i       (check_insn),
    .check_legal_i      (check_legal),
    .check_empty_i      (check_empty),
    .check_is_transfer_i(check_is_transfer),
    .check_halves_i     (check_halves),
    .check_may_hold_i   (check_may_hold),
    .check_dma_i        (check_dma),
    .prev_available_i,
    .prev_pop_o,
    .prev_push_o,
    .next_available_i,
    .next_pop_o,
    .next_push_o,
    .dma_start_o        (dma_start),
    .gemm_start_o       (gemm_start),
    .vector_start_o     (vector_start),
    .insn_o             (insn),
    .halves_o           (halves),
    .may_hold_o         (may_hold),
    .dma_o              (dma),
    .is_uop_load_o      (is_uop_load),
    .dma_ready_i        (dma_ready),
    .dma_done_i         (dma_done),
    .dma_done_halves_i  (dma_tag[1:0]),
    .dma_done_uops_i    (dma_tag[2]),
    .gemm_first_step_i  (gemm_first_step),
    .gemm_last_step_i   (gemm_last_step),
    .gemm_release_i     (gemm_release),
    .gemm_done_i        (gemm_done),
    .vector_first_step_i(vector_first_step),
    .vector_last_step_i (vector_last_step),
    .vector_release_i   (vector_release),
    .vector_done_i      (vector_done),
    .uops_pending_o     (uops_pending),
    .issue_o,
    .retire_o,
    .finish_o,
    .occupied_o         (slot_occupied),
    .in_flight_o,
    .transfers_in_flight_o,
    .token_wait_o,
    .running_o          (running),
    .illegal_o,
    .insn_index_o
  );

  assign occupied_o = slot_occupied || check_occupied;

  // Engines ----------------------------------------------------------------------------------------------------------

  logic                     op_valid, op_zero;
  logic [vta_pkg::DmaMemoryW-1:0] op_memory;
  logic [vta_pkg::DmaIndexW-1:0]  op_index;
  logic [vta_pkg::GranuleW-1:0]   op_granule;
  logic [vta_pkg::ElementsW-1:0]  op_elements;
  logic [vta_pkg::BusLog:0] op_bytes;
  logic [vta_pkg::BusW-1:0] op_data;

  vta_dma_read #(
    .TagW(3)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .start_valid_i  (dma_start),
    .start_ready_o  (dma_ready),
    .empty_i        (1'b0),
    .dma_i          (dma),
    .tag_i          ({is_uop_load, halves}),
    .burst_valid_o,
    .burst_ready_i,
    .burst_addr_o,
    .burst_len_o,
    .beat_valid_i,
    .beat_data_i,
    .op_valid_o     (op_valid),
    .op_zero_o      (op_zero),
    .op_memory_o    (op_memory),
    .op_index_o     (op_index),
    .op_granule_o   (op_granule),
    .op_elements_o  (op_elements),
    .op_bytes_o     (op_bytes),
    .op_data_o      (op_data),
    .done_o         (dma_done),
    .tag_o          (dma_tag)
  );

  logic                 gemm_uop_rd_en, gemm_acc_rd_en, gemm_acc_wr_en;
  logic [UopIndexW-1:0] gemm_uop_rd_index;
  logic [vta_pkg::UopW-1:0] gemm_uop;
  logic [AccIndexW-1:0] gemm_acc_rd_index, gemm_acc_wr_index;
  logic [AccElemW-1:0]  gemm_acc_rd_data, gemm_acc_wr_data;

  vta_gemm_engine u_gemm (
    .clk_i,
    .rst_ni          (rst_n),
    .start_i         (gemm_start),
    .insn_i          (insn),
    .halves_i        (halves),
    .uop_rd_en_o     (gemm_uop_rd_en),
    .uop_rd_index_o  (gemm_uop_rd_index),
    .uop_i           (gemm_uop),
    .operands_rd_en_o,
    .inp_rd_index_o,
    .inp_i           (inp_rd_data_i),
    .wgt_rd_index_o,
    .wgt_i           (wgt_rd_data_i),
    .acc_rd_en_o     (gemm_acc_rd_en),
    .acc_rd_index_o  (gemm_acc_rd_index),
    .acc_i           (gemm_acc_rd_data),
    .acc_wr_en_o     (gemm_acc_wr_en),
    .acc_wr_index_o  (gemm_acc_wr_index),
    .acc_wr_data_o   (gemm_acc_wr_data),
    .step_o          (gemm_step_o),
    .first_step_o    (gemm_first_step),
    .last_step_o     (gemm_last_step),
    .release_o       (gemm_release),
    .done_o          (gemm_done)
  );

  logic                 vector_uop_rd_en, vector_acc_rd_en, vector_acc_wr_en;
  logic [UopIndexW-1:0] vector_uop_rd_index;
  logic [vta_pkg::UopW-1:0] vector_uop;
  logic [AccIndexW-1:0] vector_acc_rd_index, vector_acc_wr_index;
  logic [AccElemW-1:0]  vector_acc_rd_data, vector_acc_wr_data;

  vta_vector_engine u_vector (
    .clk_i,
    .rst_ni        (rst_n),
    .start_i       (vector_start),
    .insn_i        (insn),
    .halves_i      (halves),
    .may_hold_i    (may_hold),
    .uop_rd_en_o   (vector_uop_rd_en),
    .uop_rd_index_o(vector_uop_rd_index),
    .uop_i         (vector_uop),
    .acc_rd_en_o   (vector_acc_rd_en),
    .acc_rd_index_o(vector_acc_rd_index),
    .acc_i         (vector_acc_rd_data),
    .acc_wr_en_o   (vector_acc_wr_en),
    .acc_wr_index_o(vector_acc_wr_index),
    .acc_wr_data_o (vector_acc_wr_data),
    .step_o        (alu_step_o),
    .first_step_o  (vector_first_step),
    .last_step_o   (vector_last_step),
    .release_o     (vector_release),
    .done_o        (vector_done)
  );

  // Scratchpads ------------------------------------------------------------------------------------------------------

  vta_uop_store u_uop_store (
    .clk_i,
    .rst_ni,
    .op_valid_i       (op_valid && (op_memory == vta_pkg::MemUop)),
    .op_index_i       (UopIndexW'(op_index)),
    .op_elements_i    (op_elements),
    .op_data_i        (op_data),
    .check_rd_en_i    (scan_rd_en),
    .check_rd_index_i (scan_rd_index),
    .check_rd_data_o  (scan_uop),
    .gemm_rd_en_i     (gemm_uop_rd_en),
    .gemm_rd_index_i  (gemm_uop_rd_index),
    .gemm_rd_data_o   (gemm_uop),
    .vector_rd_en_i   (vector_uop_rd_en),
    .vector_rd_index_i(vector_uop_rd_index),
    .vector_rd_data_o (vector_uop)
  );

  logic [AccLoadLanes-1:0]          load_wr_lanes;
  logic [AccLoadLanes*AccElemW-1:0]  load_wr_data;

  vta_acc_load u_acc_load (
    .clk_i,
    .rst_ni,
    .op_valid_i   (op_valid),
    .op_memory_i  (op_memory),
    .op_zero_i    (op_zero),
    .op_granule_i (op_granule),
    .op_elements_i(op_elements),
    .op_data_i    (op_data),
    .wr_lanes_o   (load_wr_lanes),
    .wr_data_o    (load_wr_data)
  );

  vta_acc u_acc (
    .clk_i,
    .rst_ni,
    .gemm_rd_en_i     (gemm_acc_rd_en),
    .gemm_rd_index_i  (gemm_acc_rd_index),
    .gemm_rd_data_o   (gemm_acc_rd_data),
    .gemm_wr_en_i     (gemm_acc_wr_en),
    .gemm_wr_index_i  (gemm_acc_wr_index),
    .gemm_wr_data_i   (gemm_acc_wr_data),
    .vector_rd_en_i   (vector_acc_rd_en),
    .vector_rd_index_i(vector_acc_rd_index),
    .vector_rd_data_o (vector_acc_rd_data),
    .vector_wr_en_i   (vector_acc_wr_en),
    .vector_wr_index_i(vector_acc_wr_index),
    .vector_wr_data_i (vector_acc_wr_data),
    .load_wr_lanes_i  (load_wr_lanes),
    .load_wr_index_i  (AccIndexW'(op_index)),
    .load_wr_data_i   (load_wr_data),
    .store_rd_en_i    (out_rd_en_i),
    .store_rd_index_i (out_rd_index_i),
    .store_rd_data_o  (out_rd_data_o)
  );

  // Busy while the GEMM or the vector engine holds an instruction, or a load writes
  assign busy_o      = op_valid || running;
  assign uop_bytes_o = (op_memory == vta_pkg::MemUop) ? op_bytes : '0;
  assign acc_bytes_o = (op_memory == vta_pkg::MemUop) ? '0 : op_bytes;

endmodule
