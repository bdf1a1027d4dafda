//===- Nest.h - The loop nest, a small tree of values -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The model that every pass works on. A Nest is an immutable value: passes
/// take one and give another, sharing the children that did not change.
/// docs/NestFormat.md is its textual form.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_NEST_H
#define CONVOPT_NEST_NEST_H

#include "convopt/Nest/IndexExpr.h"
#include "convopt/Support/SourceRange.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"

namespace convopt {

/// What sources and .nest text are refused beyond: loops and guards around a
/// statement, and characters of a right-hand side, an operand being `$0`.
/// Analysis of more than that would take minutes, or the stack.
inline constexpr size_t MaxLoopDepth = 24, MaxTextSize = 1 << 16;

/// The most streams that launches are spread over.
inline constexpr unsigned MaxStreams = 64;
/// The most iterations that a loop is unrolled for: code for more of them would
/// take a compiler minutes.
inline constexpr int64_t MaxUnrolledTrips = 1024;

/// How a loop's iterations are run. Expanded only at emission.
enum class LoopKind : uint8_t {
  Serial,
  GridX, // several loops may share one grid dimension: outermost is slowest
  GridY,
  GridZ,
  BlockX, // at most one loop each
  BlockY,
  BlockZ,
  Unrolled,
  Vector,
  Launch, // the host runs it: an iteration is one launch or more, in order
  Stream, // the same, the launches spread over streams
};

/// What nests and schedules call the kinds, in their order.
inline constexpr llvm::StringLiteral loopKindNames[] = {
    "serial",  "grid.x",   "grid.y", "grid.z", "block.x", "block.y",
    "block.z", "unrolled", "vector", "launch", "stream"};

inline llvm::StringRef str(LoopKind k) {
  return loopKindNames[static_cast<unsigned>(k)];
}
/// The kind that is called \p text; none where none is.
std::optional<LoopKind> parseLoopKind(llvm::StringRef text);

inline bool isGrid(LoopKind k) {
  return k >= LoopKind::GridX && k <= LoopKind::GridZ;
}
inline bool isBlock(LoopKind k) {
  return k >= LoopKind::BlockX && k <= LoopKind::BlockZ;
}
inline bool isParallel(LoopKind k) { return isGrid(k) || isBlock(k); }
/// Of these, 0 for x, 1 for y and 2 for z.
inline unsigned dimensionOf(LoopKind k) {
  return unsigned(k) - unsigned(isGrid(k) ? LoopKind::GridX : LoopKind::BlockX);
}
/// Whether the host runs the loop, around the launches of the kernel.
inline bool isHost(LoopKind k) {
  return k == LoopKind::Launch || k == LoopKind::Stream;
}

struct Node;
using NodeRef = std::shared_ptr<const Node>;
using Body = std::vector<NodeRef>;

struct Node {
  enum class Kind : uint8_t { Loop, Statement, Guard, Local, Barrier, Copy };
  const Kind nodeKind;
  SourceRange range;

protected:
  Node(Kind k, SourceRange r) : nodeKind(k), range(r) {}
};

/// One of a loop's bounds: `ceil(expr / divisor)`. Dividing here and not in
/// the expression keeps every bound a linear constraint:
/// `i < ceil(e / d)` is `d * i < e`.
struct Bound {
  IndexExpr expr;
  int64_t divisor = 1; // positive

  friend bool operator==(const Bound &a, const Bound &b) {
    return a.divisor == b.divisor && a.expr == b.expr;
  }
};

/// `for name in max(lower) .. min(upper)`, upper exclusive, step 1. Bounds are
/// over parameters and enclosing (current) loops. Neither list is empty.
struct Loop : Node {
  unsigned id; // index into Nest::loopNames; unique in the tree
  LoopKind kind = LoopKind::Serial;
  unsigned streams = 1; // of kind Stream: how many
  /// Of loops whose threads or blocks share sums (Nest/SplitSum.h): each adds
  /// its part to the output by an atomic operation, in no order.
  bool isAtomic = false;
  std::vector<Bound> lower, upper;
  Body body;

  explicit Loop(unsigned id, SourceRange r = {})
      : Node(Kind::Loop, r), id(id) {}
  static bool classof(const Node *n) { return n->nodeKind == Kind::Loop; }

  auto bounds() const { return llvm::concat<const Bound>(lower, upper); }
};

/// `array[subscripts]`. Of an array that the source declares, subscripts are
/// over the statement's *original* iterators and parameters, and no pass ever
/// changes them; of a local array that a pass expanded, the dimensions that
/// the pass added (the leading `Array::expandedDims`) are over current loops.
struct Access {
  unsigned array = 0; // index into Nest::arrays
  std::vector<IndexExpr> subscripts;
  /// The buffer in which the element is found, where a pass staged it; the
  /// access stays one to `array`, so dependences do not change.
  std::optional<unsigned> buffer = std::nullopt;

  friend bool operator==(const Access &a, const Access &b) {
    return a.array == b.array && a.subscripts == b.subscripts &&
           a.buffer == b.buffer;
  }
};

/// What Operand::otherwise and Buffer::fill are in place of a constant where
/// the array has borders.
inline constexpr const char *AtBorder = "border";

/// One thing that a statement's right-hand side reads.
struct Operand {
  enum Kind : uint8_t {
    Read,  // `access`, or `otherwise` where `guard` does not hold
    Index, // the value of `index` as data
  } kind = Read;
  Access access = {};
  IndexExpr index = {};
  /// Conjunction over original iterators; empty: always read. C operators
  /// short-circuit, so the read happens only where it holds.
  std::vector<Constraint> guard = {};
  /// Text of a constant, or AtBorder: what the border of the array has there.
  /// Empty without a guard.
  std::string otherwise = {};
  /// The statement runs only where the guard holds: it is predicated on it.
  /// Reading `otherwise` is how generated code may do without asking, if what
  /// comes of it is the same to the last bit, or is computed again.
  bool isPredicate = false;
  /// Conjunction over original iterators: where it holds the source reads the
  /// element, whatever guards around the statement say, as it names the value
  /// before it tests them. Not in the text of a nest: that computes the same.
  std::optional<std::vector<Constraint>> readBefore = std::nullopt;

  friend bool operator==(const Operand &a, const Operand &b) {
    return a.kind == b.kind && a.access == b.access && a.index == b.index &&
           a.guard == b.guard && a.otherwise == b.otherwise &&
           a.isPredicate == b.isPredicate;
  }
};

/// `target = rhs` or a reduction `target op= rhs`, kept apart: a reduction
/// also reads its target.
///
/// The right-hand side is C source text in which `$0`, `$1`, ... stand for the
/// operands (and `$$` for a dollar), so that conversions, epilogues and calls
/// of pure functions mean in the emitted code what they meant in the source.
/// Each operand is used once and numbered in the order of its use, the text is
/// one line, and an iterator's value is an operand of kind Index, never a word.
struct Statement : Node {
  enum class Op : uint8_t { Assign, Add, Sub, Mul, Max, Min };

  unsigned id; // names the original statement, S<id>; copies keep it
  Op op = Op::Assign;
  /// Of a sum of products, the function by which the source adds one to the
  /// target, rounding once: `target = fmaf(a, b, target)`, whose text is
  /// `a * b` and whose op is Add. Empty where the operator adds.
  std::string fused = {};
  Access target;
  std::string text;
  std::vector<Operand> operands;
  /// The original loops around the statement, outermost first (ids), and the
  /// value of each as a function of the current loops around it: the
  /// statement's place in time can be derived after any transformation
  /// (Feautrier's iteration vector).
  std::vector<unsigned> iterators;
  std::vector<IndexExpr> instance;

  explicit Statement(unsigned id, SourceRange r = {})
      : Node(Kind::Statement, r), id(id) {}
  static bool classof(const Node *n) { return n->nodeKind == Kind::Statement; }

  bool isReduction() const { return op != Op::Assign; }
  /// Whether the new value of the target is made of the old one: a reduction,
  /// or an assignment that reads it, as `m = fmaxf(m, x[i])` does, whose
  /// iterations keep their order.
  bool accumulates() const;
};

/// `if (conjunction) body`, over parameters and current loops.
struct Guard : Node {
  std::vector<Constraint> conditions;
  Body body;

  explicit Guard(SourceRange r = {}) : Node(Kind::Guard, r) {}
  static bool classof(const Node *n) { return n->nodeKind == Kind::Guard; }
};

/// Declares a local array (a scalar has no dimensions). Its scope is the rest
/// of the body that holds it; every execution of the declaration makes a new,
/// uninitialised array.
struct Local : Node {
  unsigned array;

  explicit Local(unsigned array, SourceRange r = {})
      : Node(Kind::Local, r), array(array) {}
  static bool classof(const Node *n) { return n->nodeKind == Kind::Local; }
};

/// All threads of a block wait for one another.
struct Barrier : Node {
  explicit Barrier(SourceRange r = {}) : Node(Kind::Barrier, r) {}
  static bool classof(const Node *n) { return n->nodeKind == Kind::Barrier; }
};

/// Fills a buffer with the box of its array that begins at `base`: element
/// `base + k` of the array comes to place k of the buffer, for every k within
/// the buffer's extents; `base + g * k` in a dimension of stride g. A box may
/// reach past the array's ends. All threads of a block fill a shared buffer
/// together, each thread its own registers, and the launcher the memory of the
/// device: such a copy stands outside of all loops but those that the host
/// runs.
///
/// A store goes the other way: the elements of the box that the array has come
/// from the buffer.
struct Copy : Node {
  unsigned buffer;             // an array with `Array::buffer`
  std::vector<IndexExpr> base; // over parameters and current loops
  /// The buffer to copy from, or to store to, where the array is staged there;
  /// else the array.
  std::optional<unsigned> from;
  bool isStore = false;

  explicit Copy(unsigned buffer, SourceRange r = {})
      : Node(Kind::Copy, r), buffer(buffer) {}
  static bool classof(const Node *n) { return n->nodeKind == Kind::Copy; }
};

/// A run-time size, a template parameter, or a name for an expression of
/// earlier parameters (`H_out = H - K + 1`). All are integers.
struct Param {
  std::string name;
  std::string type = "int"; // C spelling
  bool isTemplate = false;
  std::optional<IndexExpr> definition; // over parameters with smaller ids
  /// The enumerators of the type, if that is an enumeration, of a template
  /// parameter: in ascending order, each once.
  std::vector<int64_t> enumerators = {};
  SourceRange range = {};
};

/// A fact that the transformations rely on and that the source does not
/// prove; the launcher checks it at run time, before anything is computed.
struct Assumption {
  Constraint fact; // over parameters
  std::string why; // one line, for remarks: "column of 'x' stays in its row"
  SourceRange range = {}; // of the expression that needs it
  /// Where the fact does not hold, the source touches less of this array than
  /// it spans. Copies of what it spans need the fact, the nest itself does not.
  std::optional<unsigned> spanned = {};
  /// Whatever launches the kernel sees to it: nothing asks.
  bool isGiven = false;
};

/// Assumption::why of what the source asserts: where it does not hold, the
/// program ends.
inline constexpr char assertedWhy[] = "an assertion holds";

/// How a buffer is laid out and filled; nothing of it changes what is computed.
struct BufferLayout {
  /// Storage order of the dimensions, the last contiguous; empty: as in the
  /// array.
  std::vector<unsigned> order = {};
  /// A row takes a multiple of this many elements.
  int64_t pitch = 1;
  /// Elements that one access of a copy moves along a row.
  int64_t vector = 1;
  /// Boxes that the buffer holds at once. With more than one, copies are
  /// asynchronous: while one is read, the next `depth - 1` arrive.
  int64_t depth = 1;
  /// How it is filled: by threads or by TMA (sm_90 and later; elsewhere threads
  /// do it), in units of a vector.
  enum CopyKind : uint8_t {
    Threads,
    Bulk, // by TMA: what is contiguous in array and buffer, where vectors could
    Tensor, // by TMA: the box as one, with zeros for what is not in the array
  } copyKind = Threads;
  /// Rows are cut into blocks of this many elements, and the first blocks of
  /// all rows lie before the second ones.
  int64_t block = 1;
  /// How many innermost dimensions lie as in the array, which the box has
  /// whole: what it holds beyond the array's ends, where nothing of worth is
  /// read, has no place of its own. Of shared buffers.
  int64_t linear = 1;
  /// The units of a row, of this many elements, change places with one another,
  /// in each row differently, so that a column lies in all banks; 0: they keep
  /// them. Of shared buffers.
  int64_t swizzle = 0;
  /// 1: copies of one box are asynchronous, too: a thread has all of its
  /// elements under way at once, in no registers, and waits for them. Of shared
  /// buffers.
  int64_t async = 0;

  /// The numbers by their names in text, each with what it is ordinarily.
  template <typename Layout> static auto numbersOf(Layout &l) {
    return std::array{std::tuple("pitch", &l.pitch, 1),
                      std::tuple("vector", &l.vector, 1),
                      std::tuple("depth", &l.depth, 1),
                      std::tuple("block", &l.block, 1),
                      std::tuple("linear", &l.linear, 1),
                      std::tuple("swizzle", &l.swizzle, 0),
                      std::tuple("async", &l.async, 0)};
  }

  /// Whether threads copy asynchronously, where elements allow it.
  bool isAsync() const { return depth != 1 || async != 0; }

  /// Whether a row does not lie in one piece.
  bool tearsRows() const { return block != 1 || swizzle != 0; }

  /// The kinds of copies by their names in text.
  static constexpr std::array<const char *, 3> copyKindNames{"", "bulk",
                                                             "tensor"};

  friend bool operator==(const BufferLayout &a, const BufferLayout &b) {
    auto x = numbersOf(a), y = numbersOf(b);
    return a.order == b.order && a.copyKind == b.copyKind &&
           std::equal(x.begin(), x.end(), y.begin(), [](auto p, auto q) {
             return *std::get<1>(p) == *std::get<1>(q);
           });
  }
};

/// What a buffer holds in place of a box of its array: an element for each
/// iteration that reads one, as often as it is read. The buffer of an image has
/// the columns of a matrix then (im2col: Chellapilla, Puri and Simard, High
/// Performance Convolutional Neural Networks for Document Processing, 2006).
/// Along a subscript that is a coordinate itself, it has each element once.
struct Unfolding {
  /// By dimension of the buffer, the variable of its coordinate: an iterator of
  /// the statement that reads, or a name of its own, for fused iterators or for
  /// a subscript.
  std::vector<unsigned> dims;
  /// The coordinates of what an instance reads, over its iterators.
  std::vector<IndexExpr> coordinates;
  /// Iterators that are no coordinates, as functions of these.
  std::vector<std::pair<unsigned, IndexExpr>> iterators;
  /// Which element lies at coordinates, over these and `iterators`.
  std::vector<IndexExpr> subscripts;

  friend bool operator==(const Unfolding &a, const Unfolding &b) {
    return a.dims == b.dims && a.coordinates == b.coordinates &&
           a.iterators == b.iterators && a.subscripts == b.subscripts;
  }
};

/// What makes a local array a buffer: a copy of a box of another array.
struct Buffer {
  enum Memory : uint8_t {
    Registers, // of a thread
    Shared,    // by the threads of a block
    Global,    // memory of the device that the launcher allocates
    Constant,  // the device's constant memory
  };

  unsigned of; // the array whose elements it holds
  Memory memory = Registers;
  /// Source text of the constant that elements outside of the array read as, or
  /// AtBorder; empty where none of them is read.
  std::string fill = {};
  BufferLayout layout = {};
  /// By dimension, how many elements of the array lie from one place of the
  /// buffer to the next; empty: one.
  std::vector<int64_t> strides = {};
  /// Where set, boxes are of coordinates, and so is Copy::base.
  std::optional<Unfolding> unfolding = {};

  int64_t stride(size_t dim) const {
    return strides.empty() ? 1 : strides[dim];
  }
  bool isDense() const {
    return llvm::all_of(strides, [](int64_t g) { return g == 1; });
  }

  /// Whether the launcher fills it, before the kernel starts.
  bool isOnHost() const { return memory == Global || memory == Constant; }
};

/// How an array continues past its ends in one dimension: with its last element
/// (Clamp), mirrored at that (Reflect: c b | a b c | b a) or beside it
/// (Symmetric: b a | a b c | c b), or with its other end (Wrap).
enum class Border : uint8_t { None, Clamp, Reflect, Symmetric, Wrap };
/// By Border, as `.nest` has them.
inline constexpr const char *BorderNames[] = {"none", "clamp", "reflect",
                                              "symmetric", "wrap"};

struct Array {
  enum Role : uint8_t { Input, Output, InOut, LocalArray };

  std::string name;
  std::string elementType; // C spelling without qualifiers: "float", "ElTp"
  Role role = Input;
  /// Row-major extents, over parameters. A flat pointer is delinearised into
  /// these; where an outermost extent is not known it is the smallest that
  /// holds every access.
  std::vector<IndexExpr> extents;
  /// How many elements from the base the nest touches at most (one more than
  /// the largest offset): the least of these, over parameters. None: the
  /// product of the extents. With rows that are longer than what is touched of
  /// the last one it is less, and of bounds that cannot be compared each may be
  /// the least.
  std::vector<IndexExpr> footprint;
  /// How many leading dimensions passes added (scalar and array expansion).
  unsigned expandedDims = 0;
  /// Of a local array that staging made; its extents are those of the box.
  std::optional<Buffer> buffer = std::nullopt;
  SourceRange range = {};
  /// By dimension, what reads whose Operand::otherwise is AtBorder find past
  /// the ends; empty: nothing does. Of inputs.
  std::vector<Border> borders = {};
  /// Of a second name for an input, which some of its reads have: the input.
  std::optional<unsigned> alias = std::nullopt;

  bool isLocal() const { return role == LocalArray; }
};

/// A number that a kernel's launch gives, along one of CUDA's dimensions, 0 for
/// x: of blocks, of the threads of a block, or of both, which is their product.
struct LaunchSize {
  std::optional<unsigned> blocks = {}, threads = {};

  /// `gridDim.x * blockDim.x`, of a launch of \p grid and \p block.
  std::string str(llvm::StringRef grid = "gridDim",
                  llvm::StringRef block = "blockDim") const;
};

/// What the nest takes: one parameter of the source function, in order, or a
/// part of one.
struct Argument {
  std::string type; // C spelling with a `@` where the name stands, as in
                    // "const float *@" or "float @[64][64]"
  std::string name;
  enum Role : uint8_t { ArrayArg, ParamArg, ScalarArg } role = ScalarArg;
  unsigned index = 0; // array or parameter id; scalars are passed through
  /// C text over the function's parameters, such as "shape->dims[1]"; empty
  /// where it is a parameter itself, or of the launch.
  std::string source = {};
  /// Of a parameter that is 1 where the pointer `source` leads to an array and
  /// 0 where it is null: nothing can be assigned to it.
  bool isPresence = false;
  /// Of a kernel without a bounds check, one output for each thread, where
  /// nothing else says how many these are. Nothing can be assigned to it.
  std::optional<LaunchSize> launch = {};
  /// The object that holds the part, such as "*shape", where the nest may write
  /// there while it reads the part; else empty.
  std::string memory = {};
  /// Of a variable of the file, which `source` names, its elements; else 0. A
  /// kernel's is memory of the device.
  int64_t elements = 0;
  bool isConst = false; // such a variable, which keeps its first value
  bool isExtern = false; // such a variable, which another file defines
  /// The object, such as "x", that `source` gives the elements or the number of
  /// elements of ("x.data()", "x.size()"): who calls the function sets these
  /// and not the source. Else empty.
  std::string container = {};
  /// Of an array of structures, the elements that one has; else 1. Memory has
  /// whole ones, which the source may read where the nest reads one element.
  int64_t numbersEach = 1;
  SourceRange range = {};

  /// Whether it is an array of the file.
  bool isGlobalArray() const { return role == ArrayArg && elements != 0; }
  bool isPart() const { return !source.empty() || launch; }
  /// C text that is its value, where it is a part: `bias != 0`, and of a launch
  /// `::gridDim.x`, which no parameter can be meant by.
  std::string text() const;
};

/// One parameter as the source has it.
struct Parameter {
  std::string type; // as Argument::type
  std::string name;
  /// The type of an object whose parts can be assigned, so that a caller can be
  /// made; empty where there is none, and of what is an argument itself.
  std::string object = {};
  unsigned elements = 0; // of the array that a pointer points at; 0: no pointer
};

/// What stands for a parallel loop in a CUDA kernel: text such as
/// "blockIdx.x * blockDim.x + threadIdx.x", for remarks and comments.
struct ThreadMap {
  unsigned loop;
  std::string text; // of the first iteration
  /// Of however many threads that share the loop, the step: "gridDim.x".
  std::string by = {};
  /// Of threads that have several iterations each, one after another: how many.
  std::string tile = {};

  /// "blockIdx.x by gridDim.x in tiles of 4"
  std::string str() const {
    return text + (by.empty() ? "" : " by " + by) +
           (tile.empty() ? "" : " in tiles of " + tile);
  }
};

/// The function that the nest was read from.
struct Function {
  std::string name;
  bool isKernel = false;    // __global__
  std::string templateParameters;        // "class ElTp, int radius" or ""
  std::vector<std::string> templateArgs; // {"ElTp", "radius"}
  std::vector<std::string> typeParams;   // those of them that are types
  /// Those of the types that C++ computes with in a signed integer type in some
  /// instance that the file makes.
  std::vector<std::string> signedParams = {};
  std::vector<Argument> arguments;
  /// Where arguments are parts of some; else empty.
  std::vector<Parameter> parameters = {};
  /// Whether some are no parameters of the source's function.
  bool hasParts() const;
  /// What the source's function takes, in order.
  std::vector<Parameter> signature() const;
  /// Each Argument::memory once that the host knows the address of.
  std::vector<std::string> objectsToTest() const;
  /// "template <class ElTp, int radius>" or ""
  std::string templateHead() const;
  /// Kernels only: loops that threads stand for, and the smallest launch that
  /// covers them, as extents over parameters.
  std::vector<ThreadMap> threadMaps;
  std::array<Bound, 3> grid; // ceil(expr / divisor) blocks in x, y, z
  std::array<IndexExpr, 3> block{1, 1, 1};
  /// Kernels whose thread map packs two loops into one grid dimension need a
  /// product; then `gridText` has the C text over parameters, else empty.
  std::array<std::string, 3> gridText;
  /// Set where the kernel has no guard along a grid dimension, so that a larger
  /// launch would compute more than the nest.
  std::array<bool, 3> gridExact{};
  /// The same of blocks whose threads alone, without their blocks, are a loop.
  std::array<bool, 3> blockExact{};
  SourceRange range;
};

/// A nest with everything needed to print, check and emit it.
struct Nest {
  Function function;
  std::string sourceFile; // base name, for comments and messages
  std::vector<Param> params;
  std::vector<Array> arrays;
  std::vector<std::string> loopNames; // by loop id, original and new
  std::vector<Assumption> assumptions;
  /// Blocks that are to reside on a multiprocessor at once, so that the
  /// compiler gives a thread no more registers than that leaves; 0: its choice.
  int64_t minBlocks = 0;
  Body body;

  /// The printed name of a variable.
  std::string name(Var v) const {
    return v.kind == Var::Loop ? loopNames.at(v.id) : params.at(v.id).name;
  }
  /// Whether a loop, a parameter or an array is called \p name.
  bool hasName(llvm::StringRef name) const;
  /// A fresh loop id printed as \p name, made unique with a number.
  unsigned addLoopName(const std::string &name);
  /// \p e with every defined parameter replaced by its definition.
  IndexExpr expandDefinitions(const IndexExpr &e) const;
  /// The value of \p e where that makes it constant.
  std::optional<int64_t> constantOf(const IndexExpr &e) const {
    return expandDefinitions(e).asConstant();
  }
};

/// What \p n, a loop or a guard, holds; null: it is neither.
const Body *bodyOf(const Node &n);
/// The same loop or guard with another body.
NodeRef withBody(const Node &n, Body body);

/// Calls \p f on every node in program order, with the loops and guards
/// around it, outermost first.
void walk(
    const Body &body,
    llvm::function_ref<void(const Node &, const std::vector<NodeRef> &)> f);

/// \p e, over the original iterators of \p s, as a function of the current
/// loops.
IndexExpr overCurrentLoops(const Statement &s, const IndexExpr &e);

/// What places in \p buffer are counted by for \p a: its subscripts, or the
/// coordinates of an unfolded buffer.
const std::vector<IndexExpr> &coordinatesOf(const Access &a,
                                            const Array &buffer);
/// The place in dimension \p dim of \p buffer of what lies \p distance
/// elements behind the beginning of its box.
IndexExpr placeOf(const Nest &nest, const Array &buffer, size_t dim,
                  const IndexExpr &distance);
/// The order in which dimension \p last of \p rank is contiguous, and the
/// others lie as they do.
std::vector<unsigned> orderWithLast(unsigned rank, unsigned last);
/// How far the last element of the box of \p buffer lies behind the first.
IndexExpr reachOf(const Array &buffer, size_t dim);

/// Elements of \p array with its extents, definitions expanded.
IndexExpr wholeOf(const Nest &nest, const Array &array);
/// What must not be negative for \p array to be touched as far as its extents
/// reach: each bound of its footprint less their product.
std::vector<IndexExpr> shortfalls(const Nest &nest, const Array &array);
/// Leaves out of the footprint of \p array what is known not to be the least:
/// bounds that are greater than another, or than the product of the extents, by
/// a constant. A footprint that says no more than the extents goes.
void simplifyFootprint(const Nest &nest, Array &array);

/// From here on \p nest may read all that \p array spans: facts that only
/// copies of it need (Assumption::spanned) become facts that the nest needs.
void readWhole(Nest &nest, unsigned array);

/// Every statement with what encloses it, in program order.
struct StatementPath {
  const Statement *statement;
  std::vector<NodeRef> enclosing; // loops and guards, outermost first
};
std::vector<StatementPath> statements(const Nest &nest);

/// Loops of the tree in program order.
std::vector<const Loop *> loops(const Nest &nest);

/// Of \p nodes, such as what encloses a statement, those of kind \p T, as
/// pointers.
template <typename T> auto select(llvm::ArrayRef<NodeRef> nodes) {
  return llvm::map_range(
      llvm::make_filter_range(
          nodes, [](const NodeRef &n) { return llvm::isa<T>(n.get()); }),
      [](const NodeRef &n) { return llvm::cast<T>(n.get()); });
}

/// All of kind \p T in \p body, however deep, in program order.
template <typename T> std::vector<const T *> collect(const Body &body) {
  std::vector<const T *> result;
  walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *t = llvm::dyn_cast<T>(&n))
      result.push_back(t);
  });
  return result;
}

/// The conditions of all guards and reads, in program order: each over what it
/// is over in its node.
std::vector<Constraint> conditions(const Nest &nest);

/// The last copy that fills \p buffer or stores what it holds; null: there is
/// none.
const Copy *copyOf(const Nest &nest, unsigned buffer);

/// The operands of \p s that are elements of arrays. A reduction reads its
/// target, too, which is none of them.
inline auto readsOf(const Statement &s) {
  return llvm::make_filter_range(
      s.operands, [](const Operand &o) { return o.kind == Operand::Read; });
}

/// Whether any of them is an element of \p array.
inline bool reads(const Statement &s, unsigned array) {
  return llvm::any_of(
      readsOf(s), [&](const Operand &o) { return o.access.array == array; });
}

/// The target of \p s, then what it reads.
inline std::vector<const Access *> accessesOf(const Statement &s) {
  std::vector<const Access *> result{&s.target};
  for (const Operand &o : readsOf(s))
    result.push_back(&o.access);
  return result;
}

/// Whether any of them is an element of \p array.
inline bool touches(const Statement &s, unsigned array) {
  return s.target.array == array || reads(s, array);
}

/// Whether any statement of \p body does.
inline bool touches(const Body &body, unsigned array) {
  return llvm::any_of(collect<Statement>(body),
                      [&](const Statement *s) { return touches(*s, array); });
}

/// A copy of \p s with \p f applied to its target and to everything it reads.
std::shared_ptr<Statement> mapAccesses(const Statement &s,
                                       llvm::function_ref<void(Access &)> f);

/// Whether any of \p exprs, such as subscripts, uses \p loop.
inline bool anyUses(llvm::ArrayRef<IndexExpr> exprs, unsigned loop) {
  return llvm::any_of(
      exprs, [&](const IndexExpr &e) { return e.uses(loopVar(loop)); });
}
/// The same of the subscripts of \p a.
inline bool uses(const Access &a, unsigned loop) {
  return anyUses(a.subscripts, loop);
}

/// A copy of \p body in which each node for which \p f returns a body is
/// replaced by it; other nodes are rebuilt only where a descendant changed.
/// \p f sees a node before its children.
Body rewrite(const Body &body,
             llvm::function_ref<std::optional<Body>(const NodeRef &)> f);

/// The same where \p f is about nodes of kind \p T alone.
template <typename T>
Body rewriteEach(const Body &body,
                 llvm::function_ref<std::optional<Body>(const T *)> f) {
  return rewrite(body, [&](const NodeRef &n) -> std::optional<Body> {
    const auto *t = llvm::dyn_cast<T>(n.get());
    return t ? f(t) : std::nullopt;
  });
}

/// Adds to \p nest an argument that \p array comes by, after all others: memory
/// of the device that a launcher takes.
void addArgument(Nest &nest, unsigned array);

/// \p body without the statements numbered \p ids, and without loops and guards
/// that hold nothing besides.
Body withoutStatements(const Body &body, llvm::ArrayRef<unsigned> ids);

/// Replaces current-loop variables in bounds, guards, instances and the
/// expanded subscripts of local arrays throughout \p body.
Body substituteLoops(const Nest &nest, const Body &body,
                     llvm::function_ref<std::optional<IndexExpr>(Var)> map);

/// The constraints that \p l puts on its iterator:
/// `divisor * i - expr >= 0` for lower bounds, `expr - 1 - divisor * i >= 0`
/// for upper ones (with the ceiling of lower bounds exact for integers).
std::vector<Constraint> loopConstraints(const Loop &l);

/// \p l with the iterations of a full tile: of the upper bounds of a block or
/// unrolled loop, the constant ones where there are any. Threads and unrolled
/// iterations that a partial tile does not have run what does no harm.
std::shared_ptr<const Loop> fullTile(const Nest &nest, const Loop &l);

} // namespace convopt

#endif // CONVOPT_NEST_NEST_H
