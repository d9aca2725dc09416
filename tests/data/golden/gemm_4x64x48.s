; 1x16_i8w8a32_15_15_18_17
.config {"TARGET":"sim","HW_VER":"0.0.2","LOG_INP_WIDTH":3,"LOG_WGT_WIDTH":3,"LOG_ACC_WIDTH":5,"LOG_BATCH":0,"LOG_BLOCK":4,"LOG_UOP_BUFF_SIZE":15,"LOG_INP_BUFF_SIZE":15,"LOG_WGT_BUFF_SIZE":18,"LOG_ACC_BUFF_SIZE":17,"LOG_BLOCK_IN":4,"LOG_BLOCK_OUT":4,"LOG_BUS_WIDTH":6,"CLOCK_MHZ":100}
.tensor A inp 16 input
.tensor W wgt 12 input
.tensor bias acc 3 input
.tensor C out 12 output
.uop dst=3 src=0 wgt=0                   ; 0
.uop dst=3 src=0 wgt=0                   ; 1
.uop dst=1027 src=0 wgt=0                ; 2
.uop dst=1027 src=1024 wgt=0             ; 3
.uop dst=3 src=0 wgt=0                   ; 4
.uop dst=3 src=1 wgt=1                   ; 5
.uop dst=1027 src=1024 wgt=512           ; 6
.uop dst=1027 src=1025 wgt=513           ; 7
.uop dst=3 src=0 wgt=0                   ; 8
.uop dst=3 src=0 wgt=0                   ; 9
.uop dst=3 src=0 wgt=0                   ; 10
.uop dst=1027 src=0 wgt=0                ; 11
.uop dst=1027 src=0 wgt=0                ; 12
.uop dst=1027 src=0 wgt=0                ; 13
load.uop   sram=0 dram=uops+0 y=1 x=14 stride=14                                                     ; 0
load.acc   sram=0 dram=bias+0 y=1 x=3 stride=3                                                       ; 1
load.acc   sram=1024 dram=bias+0 y=1 x=3 stride=3                                                    ; 2
gemm.reset uop=0:1 out=1 in=6 dst=0,1 src=0,0 wgt=0,0                                                ; 3
alu.add    uop=1:2 out=3 in=2 dst=1,3 src=1,0                                                        ; 4
gemm.reset uop=2:3 out=1 in=6 dst=0,1 src=0,0 wgt=0,0                                                ; 5
alu.add    uop=3:4 out=3 in=2 dst=1,3 src=1,0                                                        ; 6
load.inp   sram=0 dram=A+0 y=2 x=2 stride=4                                                          ; 7
load.wgt   sram=0 dram=W+0 y=3 x=2 stride=4 push=next                                                ; 8
gemm       uop=4:6 out=2 in=3 dst=3,1 src=2,0 wgt=0,2 pop=prev push=prev                             ; 9
load.inp   sram=1024 dram=A+8 y=2 x=2 stride=4                                                       ; 10
load.wgt   sram=512 dram=W+0 y=3 x=2 stride=4 push=next                                              ; 11
gemm       uop=6:8 out=2 in=3 dst=3,1 src=2,0 wgt=0,2 pop=prev push=prev                             ; 12
load.inp   sram=0 dram=A+2 y=2 x=2 stride=4 pop=next                                                 ; 13
load.wgt   sram=0 dram=W+2 y=3 x=2 stride=4 push=next                                                ; 14
gemm       uop=4:6 out=2 in=3 dst=3,1 src=2,0 wgt=0,2 pop=prev                                       ; 15
load.inp   sram=1024 dram=A+10 y=2 x=2 stride=4 pop=next                                             ; 16
load.wgt   sram=512 dram=W+2 y=3 x=2 stride=4 push=next                                              ; 17
gemm       uop=6:8 out=2 in=3 dst=3,1 src=2,0 wgt=0,2 pop=prev                                       ; 18
alu.shr    uop=8:9 out=1 in=6 dst=0,1 src=0,0 imm=8                                                  ; 19
alu.max    uop=9:10 out=1 in=6 dst=0,1 src=0,0 imm=0                                                 ; 20
alu.min    uop=10:11 out=1 in=6 dst=0,1 src=0,0 imm=127 push=next                                    ; 21
store.out  sram=3 dram=C+0 y=1 x=6 stride=6 pop=prev                                                 ; 22
alu.shr    uop=11:12 out=1 in=6 dst=0,1 src=0,0 imm=8                                                ; 23
alu.max    uop=12:13 out=1 in=6 dst=0,1 src=0,0 imm=0                                                ; 24
alu.min    uop=13:14 out=1 in=6 dst=0,1 src=0,0 imm=127 push=next                                    ; 25
store.out  sram=1027 dram=C+6 y=1 x=6 stride=6 pop=prev push=prev                                    ; 26
finish pop=next                                                                                      ; 27
