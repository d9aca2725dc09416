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

  // The engines, and what needs none
  localparam logic [1:0] None   = 2'd0;
  localparam logic [1:0] Dma    = 2'd1;
  localparam logic [1:0] Gemm   = 2'd2;
  localparam logic [1:0] Vector = 2'd3;

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

  logic              slot_valid_q, slot_legal_q, may_hold_q, is_uop_load;
  logic [IndexW-1:0] slot_index_q;
  logic [InsnW-1:0]  insn_q;
  logic [1:0]        engine_q, halves_q;
  logic [vta_pkg::DmaW-1:0] dma_q;

  assign check_ready = !slot_valid_q || issue_o;
  assign is_uop_load = vta_pkg::dma_memory(dma_q) == vta_pkg::MemUop;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          slot_valid_q <= 1'b0;
    else if (flush_i)     slot_valid_q <= 1'b0;
    else if (check_ready) slot_valid_q <= check_valid;
  end

  logic check_runs_on_gemm;
  assign check_runs_on_gemm = (vta_pkg::gemm_opcode(check_insn) == vta_pkg::OpGemm) && !vta_pkg::gemm_reset(check_insn);

  always_ff @(posedge clk_i) begin
    if (check_ready && check_valid) begin
      slot_legal_q      <= check_legal;
      slot_index_q      <= check_index;
      insn_q            <= check_insn;
      halves_q          <= check_empty ? 2'b00 : check_halves;
      may_hold_q        <= check_may_hold;
      dma_q             <= check_dma;
      if (check_empty)             engine_q <= None;
      else if (check_is_transfer)  engine_q <= Dma;
      else if (check_runs_on_gemm) engine_q <= Gemm;
      else                         engine_q <= Vector;
    end
  end

  // Tokens
  logic pop_prev, pop_next, tokens_ok;
  assign pop_prev  = vta_pkg::transfer_pop_prev(insn_q);
  assign pop_next  = vta_pkg::transfer_pop_next(insn_q);
  assign tokens_ok = (!pop_prev || prev_available_i) && (!pop_next || next_available_i);

  // Hazards: halves in use by the other engines, micro-ops still to be read
  logic [1:0]           dma_halves, gemm_halves, vector_halves;
  logic                 gemm_active, vector_active;
  logic [UopIndexW-1:0] gemm_bgn, gemm_last, vector_bgn, vector_last, load_bgn, load_last;
  logic                 dma_ready, gemm_ready, vector_ready, retire_ready, engine_ok;

  logic [vta_pkg::DmaIndexW-1:0]     load_index;
  logic [vta_pkg::DmaLastIndexW-1:0] load_last_index;
  assign load_index      = vta_pkg::dma_index(dma_q);
  assign load_last_index = vta_pkg::dma_last_index(dma_q);
  assign load_bgn        = UopIndexW'(load_index);
  assign load_last       = UopIndexW'(load_last_index);

  logic overwrites_gemm, overwrites_vector;
  assign overwrites_gemm   = gemm_active && (load_bgn <= gemm_last) && (gemm_bgn <= load_last);
  assign overwrites_vector = vector_active && (load_bgn <= vector_last) && (vector_bgn <= load_last);

  always_comb begin
    case (engine_q)
      Dma: begin
        if (is_uop_load) engine_ok = dma_ready && !overwrites_gemm && !overwrites_vector;
        else             engine_ok = dma_ready && ((halves_q & (gemm_halves | vector_halves)) == '0);
      end
      Gemm:    engine_ok = gemm_ready && ((halves_q & (dma_halves | vector_halves)) == '0);
      Vector:  engine_ok = vector_ready && ((halves_q & (dma_halves | gemm_halves)) == '0);
      default: engine_ok = 1'b1;
    endcase
  end

  logic may_issue;
  assign may_issue = slot_valid_q && slot_legal_q && !halt_i && tokens_ok && retire_ready && engine_ok;

  assign issue_o      = may_issue;
  assign prev_pop_o   = issue_o && pop_prev;
  assign next_pop_o   = issue_o && pop_next;
  assign illegal_o    = slot_valid_q && !slot_legal_q;
  assign insn_index_o = slot_index_q;
  assign occupied_o   = slot_valid_q || check_occupied;
  assign token_wait_o = slot_valid_q && slot_legal_q && !tokens_ok;

  // Engines ----------------------------------------------------------------------------------------------------------

  logic                     op_valid, op_zero, dma_done;
  logic [vta_pkg::DmaMemoryW-1:0] op_memory;
  logic [vta_pkg::DmaIndexW-1:0]  op_index;
  logic [vta_pkg::GranuleW-1:0]   op_granule;
  logic [vta_pkg::ElementsW-1:0]  op_elements;
  logic [vta_pkg::BusLog:0] op_bytes;
  logic [vta_pkg::BusW-1:0] op_data;
  logic [2:0]               dma_tag;   // is a micro-op load, halves

  vta_dma_read #(
    .TagW(3)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .start_valid_i  (issue_o && (engine_q == Dma)),
    .start_ready_o  (dma_ready),
    .empty_i        (1'b0),
    .dma_i          (dma_q),
    .tag_i          ({is_uop_load, halves_q}),
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

  logic                 gemm_uop_rd_en, gemm_acc_rd_en, gemm_acc_wr_en, gemm_done;
  logic [UopIndexW-1:0] gemm_uop_rd_index;
  logic [vta_pkg::UopW-1:0] gemm_uop;
  logic [AccIndexW-1:0] gemm_acc_rd_index, gemm_acc_wr_index;
  logic [AccElemW-1:0]  gemm_acc_rd_data, gemm_acc_wr_data;
  logic [1:0]           gemm_release;

  vta_gemm_engine u_gemm (
    .clk_i,
    .rst_ni,
    .start_i         (issue_o && (engine_q == Gemm)),
    .ready_o         (gemm_ready),
    .insn_i          (insn_q),
    .halves_i        (halves_q),
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
    .active_o        (gemm_active),
    .uop_bgn_o       (gemm_bgn),
    .uop_last_o      (gemm_last),
    .step_o          (gemm_step_o),
    .release_o       (gemm_release),
    .done_o          (gemm_done)
  );

  logic                 vector_uop_rd_en, vector_acc_rd_en, vector_acc_wr_en, vector_done;
  logic [UopIndexW-1:0] vector_uop_rd_index;
  logic [vta_pkg::UopW-1:0] vector_uop;
  logic [AccIndexW-1:0] vector_acc_rd_index, vector_acc_wr_index;
  logic [AccElemW-1:0]  vector_acc_rd_data, vector_acc_wr_data;
  logic [1:0]           vector_release;

  vta_vector_engine u_vector (
    .clk_i,
    .rst_ni,
    .start_i       (issue_o && (engine_q == Vector)),
    .ready_o       (vector_ready),
    .insn_i        (insn_q),
    .halves_i      (halves_q),
    .may_hold_i    (may_hold_q),
    .uop_rd_en_o   (vector_uop_rd_en),
    .uop_rd_index_o(vector_uop_rd_index),
    .uop_i         (vector_uop),
    .acc_rd_en_o   (vector_acc_rd_en),
    .acc_rd_index_o(vector_acc_rd_index),
    .acc_i         (vector_acc_rd_data),
    .acc_wr_en_o   (vector_acc_wr_en),
    .acc_wr_index_o(vector_acc_wr_index),
    .acc_wr_data_o (vector_acc_wr_data),
    .active_o      (vector_active),
    .uop_bgn_o     (vector_bgn),
    .uop_last_o    (vector_last),
    .step_o        (alu_step_o),
    .release_o     (vector_release),
    .done_o        (vector_done)
  );

  // Halves in use, by engine
  vta_halves #(
    .Latency(vta_pkg::LoadRelease)
  ) u_dma_halves (
    .clk_i,
    .rst_ni,
    .take_i   ((issue_o && (engine_q == Dma)) ? halves_q : 2'b00),
    .release_i(dma_done ? dma_tag[1:0] : 2'b00),
    .in_use_o (dma_halves)
  );
  vta_halves u_gemm_halves (
    .clk_i,
    .rst_ni,
    .take_i   ((issue_o && (engine_q == Gemm)) ? halves_q : 2'b00),
    .release_i(gemm_release),
    .in_use_o (gemm_halves)
  );
  vta_halves u_vector_halves (
    .clk_i,
    .rst_ni,
    .take_i   ((issue_o && (engine_q == Vector)) ? halves_q : 2'b00),
    .release_i(vector_release),
    .in_use_o (vector_halves)
  );

  // Micro-op loads that have not ended: an instruction may not read its micro-ops before
  localparam int LoadsW = $clog2(vta_pkg::WaitingLoads + 2);
  logic [LoadsW-1:0] uop_loads_q;
  assign uops_pending = (uop_loads_q != '0) || (slot_valid_q && (engine_q == Dma) && is_uop_load);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) uop_loads_q <= '0;
    else uop_loads_q <= uop_loads_q + LoadsW'(issue_o && (engine_q == Dma) && is_uop_load) -
                        LoadsW'(dma_done && dma_tag[2]);
  end

  // Scratchpads ------------------------------------------------------------------------------------------------------

  logic [2:0]             uop_rd_en;
  logic [3*UopIndexW-1:0] uop_rd_index;
  logic [3*vta_pkg::UopW-1:0] uop_rd_data;

  assign uop_rd_en    = {vector_uop_rd_en, gemm_uop_rd_en, scan_rd_en};
  assign uop_rd_index = {vector_uop_rd_index, gemm_uop_rd_index, scan_rd_index};
  assign {vector_uop, gemm_uop, scan_uop} = uop_rd_data;

  vta_uop_store u_uop_store (
    .clk_i,
    .rst_ni,
    .op_valid_i   (op_valid && (op_memory == vta_pkg::MemUop)),
    .op_index_i   (UopIndexW'(op_index)),
    .op_elements_i(op_elements),
    .op_data_i    (op_data),
    .rd_en_i      (uop_rd_en),
    .rd_index_i   (uop_rd_index),
    .rd_data_o    (uop_rd_data)
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

  // Retire -----------------------------------------------------------------------------------------------------------

  vta_retire u_retire (
    .clk_i,
    .rst_ni,
    .issue_i    (issue_o),
    .ready_o    (retire_ready),
    .engine_i   (engine_q),
    .push_prev_i(vta_pkg::transfer_push_prev(insn_q)),
    .push_next_i(vta_pkg::transfer_push_next(insn_q)),
    .finish_i   (vta_pkg::transfer_opcode(insn_q) == vta_pkg::OpFinish),
    .done_i     ({vector_done, gemm_done, dma_done}),
    .retire_o,
    .push_prev_o(prev_push_o),
    .push_next_o(next_push_o),
    .finish_o,
    .in_flight_o
  );

  // Busy while the GEMM or the vector engine holds an instruction, or a load writes
  localparam int RunningW = $clog2(vta_pkg::ComputeInsns + 1);
  logic [RunningW-1:0] running_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) running_q <= '0;
    else running_q <= running_q + RunningW'(issue_o && engine_q[1]) - RunningW'(gemm_done) - RunningW'(vector_done);
  end

  assign busy_o      = op_valid || (running_q != '0);
  assign uop_bytes_o = (op_memory == vta_pkg::MemUop) ? op_bytes : '0;
  assign acc_bytes_o = (op_memory == vta_pkg::MemUop) ? '0 : op_bytes;

  // From the check into slot_valid_q, from the end of a load into uop_loads_q
  `VTA_STATIC_ASSERT(IssueIsBehindOneRegister, vta_pkg::CheckToIssue == 1)
  `VTA_STATIC_ASSERT(UopsAreReleasedBehindOneRegister, vta_pkg::LoadRelease == 1)

endmodule
