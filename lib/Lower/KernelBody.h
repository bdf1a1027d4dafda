//===- KernelBody.h - What one thread runs ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_KERNELBODY_H
#define CONVOPT_LIB_LOWER_KERNELBODY_H

#include "Mapping.h"
#include "Names.h"
#include "TensorCopies.h"
#include "Vectors.h"
#include "convopt/Nest/Recompute.h"
#include "convopt/Program/Stmt.h"
#include "llvm/ADT/MapVector.h"

namespace convopt::lower {

struct CopyBox;
struct CopyPartition;
struct CopyDim;
struct CopyPlace;

/// What of the file a kernel's body uses.
struct HelperNames {
  std::string vector; // a struct template of N elements
  program::CalledFunction vectorOf;
  program::CalledFunction copyAsync;   // of any size
  program::CalledFunction copyOrZeros; // likewise, or of zeros
  program::CalledFunction across;
  /// The template parameter that says that rows are aligned; none without.
  program::VariableRef aligned;
  TensorMaps tensorMaps; // parameters, by the copies that use them
};

/// True where every variable of \p e is a parameter or in \p loops.
bool onlyLoops(const IndexExpr &e, const std::set<unsigned> &loops);

/// `y_r_2` prints as `y_r`: copies of a loop stand in scopes of their own.
llvm::StringRef baseName(llvm::StringRef name);

/// A name for a place along dimension \p dim of a buffer of \p array: the
/// iterator that the dimension is mostly about, as in `y + i`.
std::string coordinateName(const Nest &nest, unsigned array, unsigned dim);

/// The same of \p buffer, whose dimensions may be coordinates.
std::string coordinateName(const Nest &nest, const Array &buffer, unsigned dim);

/// What an operation of a reduction is to an assignment.
program::Assignment::Update updateOf(Statement::Op op);

/// Calls \p f on \p node and on what it holds.
void walkFrom(const Node &node, llvm::function_ref<void(const Node &)> f);

/// Whether \p body holds what all threads of a block do together.
bool isCollective(const Nest &nest, const Body &body);

/// What each iteration of a loop of constant length has for itself.
class OwnCells {
public:
  OwnCells(const Nest &nest, const Loop &loop);

  /// Whether \p a is to a local made inside of the loop, or along a dimension
  /// that a pass added for this very loop.
  bool has(const Access &a) const;
  bool declares(unsigned array) const { return declared.count(array) != 0; }

private:
  const Nest &nest;
  const Loop &loop;
  std::set<unsigned> declared;
};

/// How many boxes the buffers hold that the body of \p l fills; 1 where none of
/// their copies is pipelined.
int64_t pipelineDepth(const Nest &nest, const Loop &l);

/// Lowers what one thread runs to a program: the thread's indices, its guard,
/// and its statements and loops.
///
/// A thread whose register tile lies wholly inside the domain runs a copy of
/// the sum without guards: the separation of full and partial tiles of isl's
/// AST generator (Grosser, Verdoolaege, Cohen, TOPLAS 2015), a choice of code
/// generation that leaves the nest alone.
class KernelBody {
public:
  KernelBody(const Nest &nest, const Mapping &mapping, Names names,
             HelperNames helpers, bool fullTiles);

  program::Kernel lower();
  /// What \p array is in the program.
  program::VariableRef variableOf(unsigned array) const;

  /// A constant named \p name.
  static program::VariableRef
  constant(std::string name, program::Type type = program::Type::integer());

private:
  /// Of loops and guards, some of what they would compare.
  using Conditions = llvm::MapVector<const Node *, std::vector<Constraint>>;

  /// What asks whether sums are what they would be by the guards.
  struct SumTest {
    const Body *run;            // what has set them and added their terms
    program::VariableRef again; // takes the answer; none: each is known
  };
  /// Which terms of a predicated sum may be inside of the predicates.
  struct Reach {
    /// What one term fulfils at least if any is inside, over the loops around
    /// the statement that sets the sum.
    std::vector<Constraint> possible;
    bool isWhole = false; // and then all of them are
  };

  /// What is known at a point of the program, and the block that it ends.
  struct Scope {
    Names names;
    program::Block *block = nullptr;
    std::set<unsigned> loops = {}; // ids of the loops around, of the grid too
    bool partial = false;    // inside the copy for tiles that are not full
    bool isCopied = false;   // by an unrolled loop around
    Conditions settled = {}; // what has been compared before
    std::set<const Node *> never = {}; // guards that do not hold
    bool isShort = false;    // nothing but tiles of sums is unrolled
    bool isAgain = false;    // the body is a part that is computed again
    /// Buffers in registers of which there are none here: what they would hold
    /// is read from the buffers that they are filled from.
    std::set<unsigned> inPlace = {};
    /// Sums that would be set here are tested; none: they are set.
    std::optional<SumTest> test = {};

    bool isInPlace(unsigned buffer) const { return inPlace.count(buffer) != 0; }
    /// Ends the block with a new statement.
    template <typename T, typename... Args> T &add(Args &&...args) {
      return program::add<T>(*block, std::forward<Args>(args)...);
    }
    void call(program::Callee callee, std::vector<program::Expr> arguments = {},
              std::string name = "") {
      add<program::CallStmt>(
          program::Expr::call({callee, std::move(name)}, std::move(arguments)));
    }
    /// The same scope in the block of a statement within.
    Scope in(program::Block &inner) const {
      Scope s = *this;
      s.block = &inner;
      return s;
    }
  };

  /// What holds of a tile that is full, and what need not be compared in it.
  struct TileTest {
    std::vector<Constraint> conditions; // over the loops around
    Conditions settled;
    std::set<const Node *> never;
  };

  /// What the kernel gets, but for what the source passes through.
  std::vector<program::VariableRef> parameters() const;
  void lowerCoordinates(Scope &s);
  void lowerBoxCorners(Scope &s);
  void lowerPartialSums(Scope &s);
  /// Declares the iterators of \p body that the loops of \p s complete.
  void lowerIterators(const Body &body, Scope &s);
  void lowerThreadGuard(Scope &s);
  void lowerThread(const Body &body, Scope &s);
  void lowerTile(const NodeRef &n, Scope &s);
  /// The copy for tiles that are not full.
  void lowerPartial(const NodeRef &n, Scope s);
  void lowerInside(const Node &n, Scope &s);
  /// The parts of \p body that may be computed again.
  std::vector<Recomputed> partsOf(const Body &body) const;
  /// Lowers what comes after element \p k of \p body, the last of one of
  /// \p parts: its sums are tested, and computed again by the guards.
  void recomputeAfter(size_t k, const Body &body,
                      llvm::ArrayRef<Recomputed> parts, Scope &s);
  /// What none of the predicates in \p run fails for, for all of a tile; none
  /// where that has no such form.
  std::vector<Constraint> insidePredicates(const Body &run,
                                           const Scope &s) const;
  Reach reachOfSum(const Body &run, unsigned sum) const;
  /// What of \p body sets one of \p sums, in the iterations that there are.
  Body settersOf(const Body &body, llvm::ArrayRef<unsigned> sums) const;
  void lowerSumTest(const Statement &st, const Scope &s);
  bool isSplit(const Loop &l) const;
  bool isSplit(unsigned array) const;
  bool declaresSplitSum(const Body &body) const;
  /// That the thread has the result of split sums, and an output.
  program::Expr resultTest() const;
  /// Whether \p n is for one of the threads that share a sum: it writes what is
  /// not the thread's, or reads the sum.
  bool isOfFirst(const Node &n) const;
  /// What the threads that run \p n fulfil; none where all do.
  program::Expr outputTest(const Node &n) const;
  /// Whether the first value of the split \p sum is the first thread's alone,
  /// so that those of the others begin as what changes no sum.
  bool startsAnew(unsigned sum) const;
  void lowerNeutral(unsigned sum, Scope &s);
  program::Block *openElements(llvm::ArrayRef<IndexExpr> extents,
                               const Scope &s, program::Block &outer,
                               std::vector<program::Expr> &at) const;
  void lowerSplit(const Loop &l, Scope &s);
  /// Adds up the parts of the split \p sum through shared memory.
  void addUpParts(unsigned sum, Scope &s);
  /// The same by exchanges, where the threads that share it are lanes of a
  /// warp.
  void addUpLanes(unsigned sum, Scope &s);
  /// Lowers what comes after element \p k of \p body, where that has the last
  /// terms of split sums.
  void addUpAfter(size_t k, const Body &body, Scope &s);
  /// Whether a thread may run \p n without having an output.
  bool isPrivate(const Node &n) const;
  bool needsZero(unsigned array) const;

  void lowerBody(const Body &body, Scope s, bool together = false);
  void lowerNode(const Node &n, Scope &s);
  void lowerGuard(const Guard &g, Scope &s, bool alone);
  void lowerLoop(const Loop &l, Scope &s);
  program::Expr endOf(const Loop &l, const Names &names) const;
  void lowerLoopItself(const Loop &l, Scope &s);
  /// `float sum = 0;` where element \p k of \p body declares what the next one
  /// sets; otherwise lowers nothing.
  bool lowerInitialised(const Body &body, size_t k, Scope &s);
  void lowerStatement(const Statement &st, Scope &s);
  std::vector<program::Expr> operandsOf(const Statement &st,
                                        const Scope &s) const;
  program::Expr valueOf(const Statement &st, const Scope &s) const;
  /// \p s with a value for each iterator of \p st.
  Scope withIterators(const Statement &st, const Scope &s) const;
  void lowerLocal(const Local &l, Scope &s);

  void lowerWidths(Scope &s);
  void lowerPitch(unsigned array, Scope &s);
  void lowerSharedBuffers(Scope &s);
  void lowerBulkBarriers(Scope &s);
  unsigned alignmentOf(const Array &a) const;
  std::vector<program::Expr> extentsOf(const Array &a) const;
  program::Expr roundOf(unsigned buffer, const Names &names) const;
  program::Expr stageOf(unsigned buffer, const Names &names) const;
  void lowerPipelined(const Loop &l, Scope &s);
  void lowerCopy(const Copy &c, Scope &s);
  /// \p isPast: places of the box may be past ends that have a border.
  void lowerThreadsCopy(const Copy &c, Scope s, bool isPast = false);
  /// The copy of boxes inside of an array with borders, and of others.
  void lowerBorderCopy(const Copy &c, Scope &s);
  void lowerBulkCopy(const Copy &c, Scope &s);
  void lowerTensorBox(const Copy &c, Scope &s);
  void lowerRanges(const Copy &c, const CopyBox &box, Scope s);
  void lowerRuns(const Copy &c, Scope s);
  program::Expr rangeOf(const Copy &c, const CopyBox &box,
                        const Scope &s) const;
  program::Expr barrierOf(const Copy &c, const Names &names) const;
  /// Waits for the asynchronous copies of one box that end at \p last.
  void lowerAsyncWaits(const Body &body, size_t last, Scope &s);
  /// Waits for what TMA has been given since the last time.
  void lowerBulkWaits(Scope &s);
  /// The block for what one thread of the block does for all.
  Scope byOneThread(Scope &s) const;
  /// \p isSingle: of single elements, whatever the layout says.
  CopyBox boxOf(const Copy &c, bool isSingle = false) const;
  /// The two sides of an access that copies.
  struct Sides {
    program::Expr memory; // the array's
    program::Expr buffer; // the place in the buffer
  };
  Sides sidesOf(const Copy &c, const CopyBox &box, const CopyPlace &p,
                const Names &names) const;
  void lowerElement(const Copy &c, const CopyBox &box, const CopyPlace &p,
                    Scope &s);
  void lowerMove(const Copy &c, const CopyBox &box, const CopyPlace &p,
                 Scope &s);
  CopyPartition partitionOf(const Copy &c, const CopyBox &box, Scope &s);
  void lowerPartitioned(const Copy &c, const CopyBox &box, CopyPlace &p,
                        Scope &s);
  program::For &openLoop(Scope &s, Var v, program::Expr first,
                         program::Expr end, program::Expr step);
  program::For &openDim(Scope &s, const CopyBox &box, const CopyDim &d,
                        CopyPlace &p, program::Expr first, program::Expr step);
  Var openTurns(Scope &s, llvm::StringRef name, int64_t extent,
                program::Expr first, const program::Expr &step);
  void openRows(Scope &s, const CopyBox &box, CopyPlace &p, program::Expr first,
                program::Expr step, const CopyPartition &partition);
  /// A test of those ends of dimension \p d of the array that the box of \p c
  /// may pass, on the element at \p p; none where it passes none.
  program::Expr endsOf(const Copy &c, const CopyBox &box, const CopyPlace &p,
                       unsigned d, const Scope &s) const;
  bool isAsync(const CopyBox &box, const Array &buffer) const;
  program::Expr asyncCopy(const CopyBox &box, const Array &buffer,
                          program::Expr to, program::Expr from,
                          const program::Expr &inside) const;
  std::vector<IndexExpr> sourceOf(const Copy &c, const CopyBox &box,
                                  const CopyPlace &p, const Names &names) const;
  program::Expr insideOf(const Copy &c, const CopyBox &box, const CopyPlace &p,
                         const Scope &s) const;
  /// Declares what place \p p of \p c, which continues past the array's ends,
  /// is an image of. Those that no window has, in a tile that reaches past all
  /// of them, get some element.
  void declareImages(const Copy &c, const CopyBox &box, CopyPlace &p, Scope &s);
  /// Declares iterators of the unfolded buffer of \p c that are functions of
  /// the coordinates in dimensions \p known.
  void declareUnfolded(const Copy &c, llvm::ArrayRef<unsigned> known,
                       CopyPlace &p, Scope &s);
  /// The element that belongs to a place of an unfolded buffer.
  std::vector<IndexExpr> unfoldedSource(const Copy &c,
                                        const CopyPlace &p) const;
  /// A test of those ends of the array that the places of the box may pass.
  program::Expr unfoldedTest(const Copy &c, const CopyPlace &p,
                             const Scope &s) const;
  /// `inputs_s[y_s][x_s]`, \p at being places in the buffer.
  program::Expr place(unsigned buffer, const std::vector<IndexExpr> &at,
                      const Names &names) const;
  program::Expr element(const Access &a, const Names &names) const;

  /// Whether \p c holds wherever \p s runs, in all iterations of \p inner.
  bool isAlways(const Constraint &c, const Scope &s,
                llvm::ArrayRef<std::shared_ptr<Loop>> inner = {}) const;
  /// What of \p conditions, which \p n compares, is still to be compared.
  std::vector<Constraint> unsettled(const Node &n,
                                    std::vector<Constraint> conditions,
                                    const Scope &s) const;
  std::vector<Constraint> unsettled(const Guard &g, const Scope &s) const;
  /// Has \p s know that \p conditions have been compared.
  static void settle(const Conditions &conditions, Scope &s);
  /// Conditions of guards inside \p l that are the same in all its iterations
  /// and come before anything that it does.
  Conditions invariantGuards(const Loop &l, const Scope &s) const;
  /// States what a launch makes sure of.
  void assertGiven(Scope &s) const;
  /// States those of \p all that are not \p compared.
  void assertRest(llvm::ArrayRef<Constraint> all,
                  llvm::ArrayRef<Constraint> compared, Scope &s) const;
  /// States that guards in \p n that \p s leaves out fail.
  void assertNever(const NodeRef &n, const Scope &s) const;
  /// What no iteration of \p l may pass without harm.
  std::vector<Constraint> neededGuard(const Loop &l) const;
  std::vector<Constraint> insideTile(const Guard &g,
                                     llvm::ArrayRef<NodeRef> enclosing) const;
  struct TileGuard;
  std::vector<TileGuard> guardsOfTile(const Loop &outer) const;
  /// No conditions where nothing below \p n needs a guard, or \p n is no loop
  /// around register tiles, which makes a copy worthwhile.
  TileTest tileTest(const Node &n, const Scope &s) const;
  program::Expr comparison(std::vector<Constraint> conditions,
                           const Scope &s) const;
  /// Declares the constant \p v; it goes where nothing uses it.
  program::Declaration &declare(Scope &s, Var v, program::Expr value);
  program::Declaration &declare(Scope &s, program::VariableRef v,
                                program::Expr value);
  /// Where \p a lies in its array, or in the buffer that it is to.
  std::vector<IndexExpr> indices(const Access &a, const Statement &st) const;
  /// Whether \p l is an index of registers, so that it must be unrolled.
  bool indexesRegisters(const Loop &l, const Scope &s) const;
  /// Whether \p l is that or passes over what registers hold a part of.
  bool passesOverRegisters(const Loop &l) const;
  bool isUnrolled(const Loop &l, const Scope &s) const;
  /// \p n with the loops of register tiles that more guards are about outside
  /// of those that fewer are about.
  NodeRef withGuardsOutside(const NodeRef &n, Scope &s) const;
  Body withGuardsOutside(const Body &body, Scope &s) const;
  int64_t guardsUnrolled(const Node &n, const Scope &s) const;
  /// Has \p s, of the copy of \p n for partial tiles, do without registers for
  /// whose indices too much would be unrolled.
  void shorten(const NodeRef &n, Scope &s) const;
  program::Expr access(const Access &a, const Statement &st,
                       const Scope &s) const;
  /// Whether \p o asks its guard before it reads.
  bool isAsked(const Operand &o) const;
  /// What \p o reads from the array itself, which may be past the ends \p
  /// asked.
  program::Expr atBorder(const Operand &o, llvm::ArrayRef<Constraint> asked,
                         const Scope &s) const;
  program::Expr operand(const Operand &o, const Statement &st,
                        const Scope &s) const;
  std::string origin(SourceRange r) const;

  const Nest &nest;
  const Mapping &mapping;
  Names root;
  std::set<unsigned> threadLoops; // grid and block loops, by id
  struct CopySite {
    const Copy *copy;
    const Loop *loop; // the innermost around the copy
  };
  std::map<unsigned, CopySite> copySites; // by buffer
  /// A buffer that TMA fills.
  struct BulkBuffer {
    /// Its loop does not say how often it has been filled, so that a variable
    /// has the phases of its barriers.
    bool isCounted = false;
    program::VariableRef full = {}, phases = {}; // the barriers, that variable
    /// The type of one of several boxes, whose member `at` is the box; empty
    /// where nothing need lie between them.
    std::string box = {};
  };
  std::map<unsigned, BulkBuffer> bulkBuffers; // by buffer
  program::VariableRef bulk; // the constant that says that TMA does it
  std::map<const Copy *, program::VariableRef> tensorMaps; // parameters
  std::vector<const Copy *> inFlight; // by TMA
  HelperNames helpers;
  std::vector<VectorCopy> vectors;
  /// How many elements an access copies, by what that is as text.
  struct Width {
    program::VariableRef constant;
    program::Expr value;
  };
  std::map<std::string, Width> widths;
  program::VariableRef widthOf(const program::Expr &value) const;
  mutable std::map<unsigned, program::VariableRef> variables; // by array
  std::map<unsigned, program::VariableRef> pitches;           // by buffer
  program::Expr thread; // its number in the block
  bool fullTiles;
  /// Says whether the thread has outputs, where threads without any must stay
  /// for the others' sake; else none.
  program::VariableRef inside;
};

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_KERNELBODY_H
