// All of the language that functions are written and transformed in (docs/language.md): tensor expressions, the tensor
// IR with its text, verifier and interpreter, and schedules. Libraries: te, schedule, interpreter, or those of a back
// end, which has its own header of this kind: compiler/backend/cpu/cpu.h for processors.
#pragma once

#include "compiler/ir/call_extern.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/te.h"
