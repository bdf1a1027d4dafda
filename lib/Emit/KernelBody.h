//===- KernelBody.h - What one thread runs ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_KERNELBODY_H
#define CONVOPT_LIB_EMIT_KERNELBODY_H

#include "Mapping.h"
#include "Names.h"
#include "TensorCopies.h"
#include "Vectors.h"
#include "llvm/ADT/MapVector.h"

namespace convopt::emit {

struct CopyBox;
struct CopyDeal;
struct CopyDim;
struct CopyPlace;

/// Names outside of the kernel that its body uses.
struct HelperNames {
  std::string vector;  // a struct template of N elements
  std::string ahead;   // a function: an asynchronous copy of any size
  std::string across;  // a function: threads to a row of a copy
  std::string aligned; // the template parameter that says that rows are aligned
  TensorMaps tensorMaps; // parameters, by the copies that use them
};

/// True where every variable of \p e is a parameter or in \p loops.
bool onlyLoops(const IndexExpr &e, const std::set<unsigned> &loops);

/// `y_r_2` prints as `y_r`: copies of a loop stand in scopes of their own.
llvm::StringRef baseName(llvm::StringRef name);

/// A name for a place along dimension \p dim of a buffer of \p array: the
/// iterator that the dimension is mostly about, as in `y + i`.
std::string coordinateName(const Nest &nest, unsigned array, unsigned dim);

/// Whether every value of \p type may be computed with.
bool isFloating(llvm::StringRef type);

/// Whether \p body holds what all threads of a block do together.
bool isCollective(const Nest &nest, const Body &body);

/// What each iteration of a loop of constant length has for itself.
class OwnCells {
public:
  OwnCells(const Nest &nest, const Loop &loop);

  /// Whether \p a is to a local made inside of the loop, or along a dimension
  /// that a pass added for this very loop.
  bool has(const Access &a) const;

private:
  const Nest &nest;
  const Loop &loop;
  std::set<unsigned> declared;
};

/// How many boxes the buffers hold that the body of \p l fills; 1 where no copy
/// runs ahead.
int64_t pipelineDepth(const Nest &nest, const Loop &l);

/// Prints the body of the kernel: the thread's indices, its guard, and its
/// statements and loops.
///
/// A thread whose register tile lies wholly inside the domain runs a copy of
/// the sum without guards: the separation of full and partial tiles of isl's
/// AST generator (Grosser, Verdoolaege, Cohen, TOPLAS 2015), a choice of code
/// generation that leaves the nest alone.
class KernelBody {
public:
  KernelBody(const Nest &nest, const Mapping &mapping, Names names,
             HelperNames helpers, bool fullTiles);

  std::string print();

private:
  /// Of loops and guards, some of what they would compare.
  using Conditions = llvm::MapVector<const Node *, std::vector<Constraint>>;

  /// What is known at a point of the text.
  struct Scope {
    Names names;
    std::set<unsigned> loops; // ids of the loops around, grid and block too
    unsigned indent = 1;
    bool partial = false;    // inside the copy for tiles that are not full
    Conditions settled = {}; // what has been compared before
    bool isShort = false;    // nothing but tiles of sums is written out
    /// Buffers in registers of which there are none here: what they would hold
    /// is read from the buffers that they are filled from.
    std::set<unsigned> inPlace = {};

    bool isInPlace(unsigned buffer) const { return inPlace.count(buffer) != 0; }
  };

  /// What holds of a tile that is full, and what need not be compared in it.
  struct TileTest {
    std::vector<Constraint> conditions; // over the loops around
    Conditions settled;
  };

  void printCoordinates(Scope &s);
  void printBoxCorners(Scope &s);
  void printPartialSums(Scope &s);
  /// Declares the iterators of \p body that the loops of \p s complete.
  void printIterators(const Body &body, Scope &s);
  void printThreadGuard(Scope &s);
  void printThread(const Body &body, Scope &s);
  void printInside(const Node &n, Scope &s);
  /// Whether a thread may run \p n without having an output.
  bool isPrivate(const Node &n) const;

  void printBody(const Body &body, Scope s, bool together = false);
  void printNode(const Node &n, Scope &s);
  void printGuard(const Guard &g, const Scope &s, bool alone);
  void printLoop(const Loop &l, const Scope &s);
  void printLoopItself(const Loop &l, const Scope &s);
  /// `float sum = 0;` where element \p k of \p body declares what the next one
  /// sets; otherwise prints nothing.
  bool printInitialised(const Body &body, size_t k, const Scope &s);
  void printStatement(const Statement &st, const Scope &s,
                      bool indented = true);
  void printLocal(const Local &l, const Scope &s);

  void printWidths(const Scope &s);
  void printSharedBuffers(const Scope &s);
  void printBulkBarriers(const Scope &s);
  std::string alignmentOf(const Array &a) const;
  std::string extentsText(const Array &a, const Names &names) const;
  std::string boxType(unsigned buffer) const;
  void printDeclarator(const Array &a, const Scope &s);
  std::string roundText(unsigned buffer, const Names &names) const;
  std::string stageText(unsigned buffer, const Names &names) const;
  void printPipelined(const Loop &l, const Scope &s);
  void printCopy(const Copy &c, const Scope &s);
  void printThreadsCopy(const Copy &c, const Scope &s);
  void printBulkCopy(const Copy &c, const Scope &s);
  void printTensorBox(const Copy &c, const Scope &s);
  void printRanges(const Copy &c, const CopyBox &box, Scope s);
  void printRuns(const Copy &c, Scope s);
  std::string rangeText(const Copy &c, const CopyBox &box,
                        const Scope &s) const;
  std::string barrierText(const Copy &c, const Names &names) const;
  /// Waits for what the engine has been given since the last time.
  void printBulkWaits(const Scope &s);
  CopyBox boxOf(const Copy &c) const;
  /// The two sides of an access that copies, as C.
  struct Sides {
    std::string memory;  // the array's
    std::string buffer;  // the place in the buffer
    std::string address; // of that place
    std::string vector;  // the type that moves; empty for one element
  };
  Sides sidesOf(const Copy &c, const CopyBox &box, const CopyPlace &p,
                const Names &names) const;
  void printElement(const Copy &c, const CopyBox &box, const CopyPlace &p,
                    const Scope &s);
  void printMove(const Copy &c, const CopyBox &box, const CopyPlace &p,
                 const Scope &s);
  CopyDeal dealOf(const Copy &c, const CopyBox &box, Scope &s);
  void printDealt(const Copy &c, const CopyBox &box, CopyPlace &p, Scope &s);
  void openLoop(Scope &s, const std::string &name, const std::string &first,
                const std::string &end, const std::string &step);
  void openDim(Scope &s, const CopyBox &box, const CopyDim &d, CopyPlace &p,
               const std::string &first, const std::string &step);
  void openRows(Scope &s, const CopyBox &box, CopyPlace &p,
                const std::string &first, const std::string &step,
                bool isNested);
  /// Ends of dimension \p d of the array that the box of \p c may pass, as
  /// conditions on the element at \p p.
  std::vector<std::string> endsOf(const Copy &c, const CopyBox &box,
                                  const CopyPlace &p, unsigned d,
                                  const Scope &s) const;
  bool isAsync(const CopyBox &box, const Array &buffer) const;
  std::string asyncText(const CopyBox &box, const Array &buffer,
                        const std::string &to, const std::string &from) const;
  std::vector<IndexExpr> sourceOf(const Copy &c, const CopyBox &box,
                                  const CopyPlace &p, const Names &names) const;
  std::string insideText(const Copy &c, const CopyBox &box, const CopyPlace &p,
                         const Scope &s) const;
  /// `inputs_s[y_s][x_s]`, \p at being places in the buffer.
  std::string place(unsigned buffer, const std::vector<IndexExpr> &at,
                    const Names &names) const;

  /// Whether \p c holds wherever the text of \p s runs.
  bool isAlways(const Constraint &c, const Scope &s) const;
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
  /// What no iteration of \p l may pass without harm.
  std::vector<Constraint> neededGuard(const Loop &l) const;
  std::vector<Constraint> insideTile(const Guard &g,
                                     llvm::ArrayRef<NodeRef> enclosing) const;
  /// No conditions where nothing below \p n needs a guard, or \p n is no loop
  /// around register tiles, which makes a copy worthwhile.
  TileTest tileTest(const Node &n, const Scope &s) const;
  std::string comparison(std::vector<Constraint> conditions,
                         const Scope &s) const;
  /// Prints `const int NAME = VALUE;`, and takes it out again at the end of
  /// the scope if nothing in it used the name.
  void declare(const Scope &s, const std::string &name,
               const std::string &value, const std::string &comment = "",
               const char *type = "int");
  /// Ends the scope whose declarations began when there were \p mark of them.
  void endScope(size_t mark);
  /// Where \p a lies in its array, or in the buffer that it is to.
  std::vector<IndexExpr> indices(const Access &a, const Statement &st) const;
  /// Whether \p l is an index of registers, so that it must be unrolled.
  bool indexesRegisters(const Loop &l, const Scope &s) const;
  /// Whether \p l is that or passes over what registers hold a part of.
  bool passesOverRegisters(const Loop &l) const;
  bool isWrittenOut(const Loop &l, const Scope &s) const;
  /// \p n with the loops of register tiles that more guards are about outside
  /// of those that fewer are about.
  NodeRef withGuardsOutside(const NodeRef &n, Scope &s) const;
  Body withGuardsOutside(const Body &body, Scope &s) const;
  int64_t guardsWrittenOut(const Node &n, const Scope &s) const;
  /// Has \p s, of the copy of \p n for partial tiles, do without registers for
  /// whose indices too much would be written out.
  void shorten(const NodeRef &n, Scope &s) const;
  std::string access(const Access &a, const Statement &st,
                     const Scope &s) const;
  std::string operand(const Operand &o, const Statement &st,
                      const Scope &s) const;
  std::string origin(SourceRange r) const;
  llvm::raw_ostream &line(const Scope &s);

  const Nest &nest;
  const Mapping &mapping;
  Names root;
  std::set<unsigned> threadLoops; // grid and block loops, by id
  struct Filling {
    const Copy *copy;
    const Loop *loop; // the innermost around the copy
  };
  std::map<unsigned, Filling> fillings; // by buffer
  /// A buffer that a copy engine fills.
  struct BulkBuffer {
    /// Its loop does not say how often it has been filled, so that a variable
    /// has the phases of its barriers.
    bool isCounted = false;
    std::string full = {}, phases = {}; // the barriers and that variable
    /// The type of one of several boxes, whose member `at` is the box; empty
    /// where nothing need lie between them.
    std::string box = {};
  };
  std::map<unsigned, BulkBuffer> bulkBuffers; // by buffer
  std::string bulk; // the constant that says that the engine does it
  std::vector<const Copy *> underWay; // by the engine, not yet waited for
  HelperNames helpers;
  std::vector<VectorCopy> vectors;
  std::map<std::string, std::string> widths; // constants, by what they hold
  std::string thread;                        // its number in the block
  bool fullTiles;
  /// The variable that says whether the thread has outputs, where threads
  /// without any must stay for the others' sake; else empty.
  std::string inside;
  std::string text;
  llvm::raw_string_ostream out{text};

  struct Declaration {
    std::string name;
    size_t begin, end; // of its line in `text`
  };
  std::vector<Declaration> declarations;
};

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_KERNELBODY_H
