//===- Expr.h - Variables and expressions of a program ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The expressions of a kernel program: what C can say of variables, each with
/// its type and memory, without the text. Values, shared and never changed.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_PROGRAM_EXPR_H
#define CONVOPT_PROGRAM_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace convopt::program {

/// What stands beside a program in its file, in this order: types and functions
/// that helperText (lib/Emit) has the text of, or a header.
enum class Helper : uint8_t {
  Pipeline, // the header of asynchronous copies
  FloorDiv,
  Vector,
  VectorOf,
  CopyAsync,
  CopyOrZeros,
  Across,
  Bulk,
  // Of the launcher from here on.
  Algorithm, // the header <algorithm>
  Elements,
  Overlap,
  Constants,
  Streams,
  Fallback,
  Take,
  Copy,
  CopyBox,
  Pin,
  Encode,
  Symbol,
  Fetch,
};

/// A type as C spells it, and what arithmetic of it means.
struct Type {
  enum Kind : uint8_t {
    Bool,
    Int,      // 32 bits
    Unsigned, // 32 bits
    Wide,     // offsets and bytes: 64 bits, or an int where all of them fit
    Element,  // of the function's arrays: nothing is known of it but its name
    Vector,   // several elements that one access moves
    Barrier,  // an mbarrier, which counts the bytes that an engine copies
    Function, // of a thread, see LocalFunction
    Handle,   // of the host: a pointer, a stream, an error; all is in its name
  } kind = Int;
  std::string name = "int";
  std::optional<Helper> helper = {}; // that has it

  static Type boolean() { return {Bool, "bool"}; }
  static Type integer() { return {Int, "int"}; }
  static Type unsignedInteger() { return {Unsigned, "unsigned"}; }

  friend bool operator==(const Type &a, const Type &b) {
    return a.kind == b.kind && a.name == b.name;
  }
};

class Expr;

/// Where a variable lies.
enum class Memory : uint8_t {
  Register, // one for each thread
  Shared,   // one for each block
  Constant, // one for the device, which kernels read only
  Global,
};

/// A scalar, an array or a pointer to one. Identity is the object: names only
/// print, and are unique in their scope.
struct Variable {
  std::string name;
  Type type = {}; // of an element
  Memory memory = Memory::Register;
  /// Of an array, in elements; empty for a scalar.
  std::vector<Expr> extents = {};
  /// Has one subscript, whatever the extents: a parameter, or an array whose
  /// extents the compiler of the kernel does not know.
  bool isPointer = false;
  unsigned alignment = 0; // bytes; 0: that of the type
  /// Of shared memory whose size the launch gives: that memory, and where in it
  /// the array lies, in bytes. None: the array has memory of its own.
  std::vector<Expr> place = {};
  /// Names the type of one of several boxes (the first extent), where room lies
  /// between them for their alignment.
  std::string box = {};
  bool isConst = false; // has its first value for good

  bool isArray() const { return isPointer || !extents.empty(); }
};
using VariableRef = std::shared_ptr<const Variable>;

/// A variable of CUDA: `threadIdx`, `blockIdx` along 0 (x), 1 or 2 (z).
VariableRef threadIndex(unsigned dimension);
VariableRef blockIndex(unsigned dimension);
/// The dimension, where \p v is such a variable.
bool isThreadIndex(const Variable &v);
bool isBlockIndex(const Variable &v);

enum class Op : uint8_t {
  // Of two operands, by precedence.
  Mul,
  Div, // rounds to zero, as C does
  Rem,
  Add,
  Sub,
  ShiftLeft,
  ShiftRight,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  BitAnd,
  BitXor,
  And,
  Or,
  // Of one.
  Negate,
  Not,
  AddressOf,
};

/// Functions that the meaning of a program depends on. Of those without a name
/// of their own in CUDA, a call has the name.
enum class Callee : uint8_t {
  Min,
  Max,
  FloorDiv,      // (a, b): rounds down; 64 bits
  Across,        // (columns, threads): threads that go through a row of a copy
  Fill,          // (value, count): a vector of equal elements
  SyncThreadsOr, // (bool): whether it is true in any thread; all meet here
  Exchange,      // (value, distance): that of the lane of the warp whose number
                 // is this one's with the bits of the distance flipped; all
                 // lanes meet here
  Local,         // a LocalFunction
  // Statements from here on.
  SyncThreads,
  AsyncCopy,  // (to, from, bytes[, copies]): arrives by a wait of this thread;
              // zeros, with a name of its own, unless it copies
  Commit,     // what was started since the last one is a group
  WaitPrior,  // (n): until but the last n groups of this thread arrived
  BulkInit,   // (barrier)
  BulkCopy,   // (to, from, bytes, barrier)
  BulkArrive, // (barrier)
  BulkWait,   // (barrier, phase)
  TensorCopy, // (to, bytes, barrier, map, coordinates...)
  HasBulk,    // (): whether the device has the engine; a value
  // Of host code.
  Named,     // a function of CUDA, of C or of the file; for a value or not
  Construct, // (arguments...): what a declaration makes its variable of
  Launch,    // (kernel, grid, block, shared bytes, stream, arguments...)
};

/// What a call calls, under which name, and what has it.
struct CalledFunction {
  Callee callee;
  std::string name;
  std::optional<Helper> helper = {};
};

/// A C expression. A default one says that there is none.
class Expr {
public:
  enum Kind : uint8_t {
    None,
    Number,  // of `type`
    Source,  // a constant as the source has it: `-1.0f`
    Use,     // of a scalar, or of a whole array: its first element's address
    Element, // of an array: operands are subscripts; of fewer, a part of it
    Beyond,  // operands: an element, and how many elements after it
    Unary,
    Binary,
    Select, // operands: condition, value, value
    Cast,   // to `type`
    Access, // operands: an element, and how many from it on, as one `type`
    Zero,   // of `type`
    SizeOf, // in bytes, of the type of elements that `text` names
    Extent, // of an array or a part of it (the operand), in bytes
    List,   // the operands in braces
    Call,
    Formula, // source text with holes for operands (Statement::text)
  };

  Expr() = default;
  Expr(int64_t number, Type type = Type::integer());
  Expr(VariableRef v);

  static Expr source(std::string text, Type type = {Type::Element, ""});
  static Expr element(VariableRef array, std::vector<Expr> subscripts);
  static Expr beyond(Expr element, Expr offset);
  static Expr unary(Op op, Expr e);
  static Expr binary(Op op, Expr a, Expr b);
  static Expr select(Expr condition, Expr yes, Expr no);
  static Expr cast(Type type, Expr e);
  static Expr access(Type vector, Expr element, Expr count, bool isConst);
  static Expr zero(Type type);
  static Expr sizeOf(Type type);
  static Expr extent(Expr part);
  static Expr list(std::vector<Expr> items);
  /// \p result is the type of what a function has no type of its own for.
  static Expr call(CalledFunction f, std::vector<Expr> arguments,
                   Type result = {});
  static Expr formula(std::string text, std::vector<Expr> operands,
                      Type type = {Type::Element, ""});

  explicit operator bool() const { return node != nullptr; }
  Kind kind() const;
  int64_t number() const;
  const std::string &text() const; // of Source, Formula and SizeOf
  const VariableRef &variable() const;
  Op op() const;
  const CalledFunction &function() const;
  const Type &type() const;
  llvm::ArrayRef<Expr> operands() const;
  const Expr &operand(unsigned k) const { return operands()[k]; }
  bool isConstAccess() const;

  bool isNumber(int64_t n) const { return kind() == Number && number() == n; }
  /// Calls \p visit for this and all that it is made of.
  void walk(llvm::function_ref<void(const Expr &)> visit) const;

  /// Arithmetic, with what numbers make of it: `e + 0` is e.
  friend Expr operator+(const Expr &a, const Expr &b);
  friend Expr operator-(const Expr &a, const Expr &b);
  friend Expr operator*(const Expr &a, const Expr &b);
  friend Expr operator/(const Expr &a, const Expr &b);
  friend Expr operator%(const Expr &a, const Expr &b);
  /// The conjunction; with an operand that is not there, the other.
  friend Expr both(const Expr &a, const Expr &b);
  /// The disjunction, likewise.
  friend Expr either(const Expr &a, const Expr &b);

  friend bool operator==(const Expr &a, const Expr &b);

private:
  struct Node;
  explicit Expr(std::shared_ptr<const Node> node) : node(std::move(node)) {}
  static Expr make(Node node);

  std::shared_ptr<const Node> node;
};

Expr both(const Expr &a, const Expr &b);
Expr either(const Expr &a, const Expr &b);
/// The product with all of its numbers, as what they count is worth reading,
/// but for ones.
Expr product(llvm::ArrayRef<Expr> factors);

} // namespace convopt::program

#endif // CONVOPT_PROGRAM_EXPR_H
