; 1x16_i8w8a32_15_15_18_17
.config {"TARGET":"sim","HW_VER":"0.0.2","LOG_INP_WIDTH":3,"LOG_WGT_WIDTH":3,"LOG_ACC_WIDTH":5,"LOG_BATCH":0,"LOG_BLOCK":4,"LOG_UOP_BUFF_SIZE":15,"LOG_INP_BUFF_SIZE":15,"LOG_WGT_BUFF_SIZE":18,"LOG_ACC_BUFF_SIZE":17,"LOG_BLOCK_IN":4,"LOG_BLOCK_OUT":4,"LOG_BUS_WIDTH":6,"CLOCK_MHZ":100}
.tensor A inp 16 input
.tensor B wgt 12 input
.tensor C out 12 output
.tensor bias acc 3 input
.uop dst=0 src=0 wgt=0                   ; 0
.uop dst=0 src=0 wgt=0                   ; 1
.uop dst=0 src=1 wgt=1                   ; 2
.uop dst=1024 src=1024 wgt=0             ; 3
.uop dst=1024 src=1024 wgt=512           ; 4
.uop dst=1024 src=1025 wgt=513           ; 5
.uop dst=0 src=6 wgt=0                   ; 6
.uop dst=0 src=0 wgt=0                   ; 7
.uop dst=0 src=0 wgt=0                   ; 8
.uop dst=0 src=0 wgt=0                   ; 9
.uop dst=1024 src=1030 wgt=0             ; 10
.uop dst=1024 src=1024 wgt=0             ; 11
.uop dst=1024 src=1024 wgt=0             ; 12
.uop dst=1024 src=1024 wgt=0             ; 13
load.uop   sram=0 dram=uops+0 y=1 x=1 stride=1                                                       ; 0
gemm.reset uop=0:1 out=1 in=6 dst=0,1 src=0,1 wgt=0,0                                                ; 1
load.inp   sram=0 dram=A+0 y=2 x=2 stride=4                                                          ; 2
load.wgt   sram=0 dram=B+0 y=3 x=2 stride=4 push=next                                                ; 3
load.uop   sram=1 dram=uops+1 y=1 x=2 stride=2                                                       ; 4
gemm       uop=1:3 out=2 in=3 dst=3,1 src=2,0 wgt=0,2 pop=prev push=prev                             ; 5
load.uop   sram=3 dram=uops+3 y=1 x=1 stride=1                                                       ; 6
gemm.reset uop=3:4 out=1 in=6 dst=0,1 src=0,1 wgt=0,0                                                ; 7
load.inp   sram=1024 dram=A+8 y=2 x=2 stride=4                                                       ; 8
load.wgt   sram=512 dram=B+0 y=3 x=2 stride=4 push=next                                              ; 9
load.uop   sram=4 dram=uops+4 y=1 x=2 stride=2                                                       ; 10
gemm       uop=4:6 out=2 in=3 dst=3,1 src=2,0 wgt=0,2 pop=prev push=prev                             ; 11
load.inp   sram=0 dram=A+2 y=2 x=2 stride=4 pop=next                                                 ; 12
load.wgt   sram=0 dram=B+2 y=3 x=2 stride=4 push=next                                                ; 13
gemm       uop=1:3 out=2 in=3 dst=3,1 src=2,0 wgt=0,2 pop=prev                                       ; 14
load.inp   sram=1024 dram=A+10 y=2 x=2 stride=4 pop=next                                             ; 15
load.wgt   sram=512 dram=B+2 y=3 x=2 stride=4 push=next                                              ; 16
gemm       uop=4:6 out=2 in=3 dst=3,1 src=2,0 wgt=0,2 pop=prev                                       ; 17
load.acc   sram=6 dram=bias+0 y=1 x=3 stride=3                                                       ; 18
load.uop   sram=6 dram=uops+6 y=1 x=1 stride=1                                                       ; 19
alu.add    uop=6:7 out=2 in=3 dst=3,1 src=0,1                                                        ; 20
load.uop   sram=7 dram=uops+7 y=1 x=1 stride=1                                                       ; 21
alu.shr    uop=7:8 out=1 in=6 dst=0,1 src=0,1 imm=8                                                  ; 22
load.uop   sram=8 dram=uops+8 y=1 x=1 stride=1                                                       ; 23
alu.max    uop=8:9 out=1 in=6 dst=0,1 src=0,1 imm=0                                                  ; 24
load.uop   sram=9 dram=uops+9 y=1 x=1 stride=1                                                       ; 25
alu.min    uop=9:10 out=1 in=6 dst=0,1 src=0,1 imm=127 push=next                                     ; 26
store.out  sram=0 dram=C+0 y=2 x=3 stride=3 pop=prev                                                 ; 27
load.acc   sram=1030 dram=bias+0 y=1 x=3 stride=3                                                    ; 28
load.uop   sram=10 dram=uops+10 y=1 x=1 stride=1                                                     ; 29
alu.add    uop=10:11 out=2 in=3 dst=3,1 src=0,1                                                      ; 30
load.uop   sram=11 dram=uops+11 y=1 x=1 stride=1                                                     ; 31
alu.shr    uop=11:12 out=1 in=6 dst=0,1 src=0,1 imm=8                                                ; 32
load.uop   sram=12 dram=uops+12 y=1 x=1 stride=1                                                     ; 33
alu.max    uop=12:13 out=1 in=6 dst=0,1 src=0,1 imm=0                                                ; 34
load.uop   sram=13 dram=uops+13 y=1 x=1 stride=1                                                     ; 35
alu.min    uop=13:14 out=1 in=6 dst=0,1 src=0,1 imm=127 push=next                                    ; 36
store.out  sram=1024 dram=C+6 y=2 x=3 stride=3 pop=prev push=prev                                    ; 37
finish pop=next                                                                                      ; 38
