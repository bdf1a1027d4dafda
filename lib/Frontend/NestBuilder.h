//===- NestBuilder.h - From a function to a nest ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Builds the nest of one function, or refuses at a source location. Its parts
/// are in files of their own: IndexBuilder (what an index is), Conditions,
/// Places (what a pointer points at), RhsBuilder (right-hand sides),
/// LoopBuilder, Moving (what loops move), Statements and Assignments. Threads.h
/// and Resolve.h finish what it builds.
///
/// Functions that can refuse record the first refusal and return nothing.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_NESTBUILDER_H
#define CONVOPT_LIB_FRONTEND_NESTBUILDER_H

#include "Containers.h"
#include "LineMap.h"
#include "Threads.h"
#include "Truths.h"
#include "VariableUse.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Support/Refusal.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/SaveAndRestore.h"

namespace convopt {

struct HalfConversion;
struct SumTerm;
struct TileIndex;

/// A conjunction, and a disjunction of those that exclude one another.
using Conjunction = std::vector<Constraint>;
using Pieces = std::vector<Conjunction>;

/// Whether \p all are about one value that cannot be in all of them.
bool contradict(llvm::ArrayRef<Constraint> all);
/// Adds to \p all what \p n, a loop or a guard, says of what is in it.
void addKnown(const Node &n, Conjunction &all);

/// An element of an array, or a pointer to one: fewer subscripts than the array
/// has dimensions point at a sub-array.
struct ArrayPlace {
  unsigned array;
  std::vector<IndexExpr> subscripts;
  unsigned rows = 0; // dimensions that the last subscript counts in, as well
};

/// Something that must hold for index arithmetic in C to be what it is in
/// mathematics, to be proved once all bounds are known.
struct Obligation {
  IndexExpr expr{}; // >= 0
  std::vector<std::shared_ptr<Loop>> loops;
  std::vector<Constraint> guards;
  SourceRange where;
  std::string why;
  std::string remedy = "use int, or check the value first";
  /// Of what is divided: nothing has to hold where this is zero, for there the
  /// quotient is exact.
  std::optional<IndexExpr> remainder;
  /// Of what is divided with a sign: where it is negative, the remainder is by
  /// the divisor less than `remainder`, and no conversion has changed that.
  bool mayTurn = false;
  /// The parameter whose definition needs it; dropped with that parameter.
  std::optional<unsigned> param;
};

/// A parameter that has parts or a structure of the file, or a part of one.
struct Object {
  static constexpr size_t ofFile = SIZE_MAX;

  std::string text;       // of C, over the parameters
  bool isPointer = false; // `text` points at it
  /// Of C, the whole that it is in and that others may write; empty where it is
  /// the function's own.
  std::string memory = {};
  size_t parameter = 0;      // in Function::parameters, or ofFile
  clang::QualType type = {}; // of what it is, or points at
};

/// What a name of the source stands for at the current statement.
struct Binding {
  enum Kind : uint8_t {
    Value,     // `index`
    Thread,    // hardware indices: `number` in Threads
    Condition, // `pieces` where it holds, `otherwise` where not
    Pointer,   // `place`
    Element,   // what a reference to the element `place` is
    Alias,     // what a pointer or a reference to `variable` is
    Part,      // `object`
    Local,     // local array `number`
    Constant,  // a value that stays: `text` with `operands`
    Extreme,   // the least, or with `isMax` the greatest, of `several`
    Fields,    // a structure: each field is a variable (Records.h)
    Changed,   // assigned in a loop that has ended or goes on
  } kind = Changed;
  IndexExpr index;
  std::vector<Obligation> divided; // of `index`, due where it is used
  std::vector<IndexExpr> several;
  bool isMax = false;
  unsigned number = 0;
  Pieces pieces, otherwise;
  ArrayPlace place;
  Object object;
  const clang::ValueDecl *variable = nullptr;
  std::string text;              // as Statement::text
  std::vector<Operand> operands; // of what no loop changes, sizes alone

  Binding(Kind kind = Changed) : kind(kind) {}
  Binding(IndexExpr value) : kind(Value), index(std::move(value)) {}
  Binding(Kind kind, ArrayPlace at) : kind(kind), place(std::move(at)) {}
  Binding(Object part) : kind(Part), object(std::move(part)) {}
  Binding(const clang::ValueDecl *of) : kind(Alias), variable(of) {}
};

/// An array as the source declares it.
struct SourceArray {
  std::vector<IndexExpr> innerExtents;   // of all dimensions but the first
  clang::QualType element = {};          // its type
  std::optional<int64_t> outermost = {}; // extent, where it is declared
  int64_t numbersEach = 1;               // in a structure that it is made of
  bool hasFields = false; // its last dimension, found for a flat array
  bool isFlat() const { return innerExtents.empty(); }
};

/// Whether \p e is one of several, in a nest that is being built.
bool isChosen(const IndexExpr &e);

/// Whether \p p is a reference to a number that it does not change.
bool isConstReference(const clang::ParmVarDecl *p);

/// What a parameter of type \p type leads to.
clang::QualType objectType(clang::QualType type);

/// The statements of \p s, which may be null: of a block, or itself; then
/// \p rest.
llvm::SmallVector<const clang::Stmt *>
statementsOf(const clang::Stmt *s,
             llvm::ArrayRef<const clang::Stmt *> rest = {});

/// Does \p s return whatever happens?
bool alwaysReturns(const clang::Stmt *s);
/// Does \p s return in some case?
bool mayReturn(const clang::Stmt *s);

class NestBuilder {
public:
  /// \p lines is where the lines of the text stand in the source.
  NestBuilder(clang::ASTContext &ast, const clang::FunctionDecl *function,
              LineMap lines = {});

  /// The nest, its accesses as the source has them: flat pointers have one
  /// subscript, and threads have no loops yet.
  llvm::Error build();

  /// \p stem, or with a number that no array has.
  std::string freshArrayName(const std::string &stem) const;

  Nest nest;
  Threads threads;
  std::vector<SourceArray> sourceArrays; // by array id
  std::vector<Obligation> obligations;
  /// Statements that stand for the initialiser of a local's declaration.
  std::set<unsigned> initialisers;
  /// Loops and locals of around that each iteration sets before it uses them.
  std::set<std::pair<unsigned, unsigned>> setFirst;
  /// Statements whose value has the type of what they set.
  std::set<unsigned> unconverted;
  /// Statements that add to what other threads may add to as well.
  std::set<unsigned> atomics;
  /// Statements that are a case of one of the source's, each in a guard of its
  /// own, and the first of them.
  std::map<unsigned, unsigned> caseOf;
  /// The statements in each guard of branches of which one is always taken.
  std::vector<std::vector<std::vector<unsigned>>> sides;
  /// How many elements containers have, by Argument::container, where the nest
  /// asks or the type says.
  std::map<std::string, IndexExpr> containerSizes;
  /// Variables that are declared with an index of loops as their value.
  std::vector<std::pair<std::string, IndexExpr>> indices;

  SourceRange range(clang::SourceRange r) const;

  /// An integer that is a public field of a parameter by value.
  struct SizePart {
    std::string text; // of C, over the parameters
    size_t parameter; // in Function::parameters
    clang::QualType type;
  };
  /// Those that the nest does not read.
  std::vector<SizePart> sizeParts() const;
  /// Makes \p part a parameter of the nest.
  IndexExpr take(const SizePart &part);
  /// Makes \p size of the kernel's launch a parameter of the nest, called
  /// \p wish or like it.
  IndexExpr takeOfLaunch(LaunchSize size, llvm::StringRef wish);

private:
  // Refusals.
  /// Where nothing was refused yet; \p rule is of Diagnostics.h.
  bool fail(llvm::StringRef rule, clang::SourceRange where,
            const llvm::Twine &message, const llvm::Twine &remedy = "");
  /// As `fail`, where a value is returned.
  std::nullopt_t none(llvm::StringRef rule, clang::SourceRange where,
                      const llvm::Twine &message,
                      const llvm::Twine &remedy = "") {
    fail(rule, where, message, remedy);
    return std::nullopt;
  }
  /// Runs \p f and forgets its refusal.
  template <class F> auto attempt(F f) {
    std::optional<Refusal> saved = std::move(pending);
    size_t obliged = obligations.size();
    llvm::SaveAndRestore hoists(mayHoist, false), resumes(mayResume, false);
    pending.reset();
    auto result = f();
    pending = std::move(saved);
    if (!result)
      obligations.resize(obliged);
    return result;
  }

  // Further reasons, of statements after a refused one (Resume.cpp).
  bool isLost(const clang::Stmt *s);
  bool resumeAfter(const clang::Stmt *s);

  // Signature (Signature.cpp).
  bool signature();
  bool templateParameters();
  bool parameter(const clang::ParmVarDecl *p);
  void enumerated(const IndexExpr &value, const clang::ParmVarDecl *p);
  bool arrayParameter(const clang::ParmVarDecl *p, clang::QualType type,
                      Argument &argument);
  std::optional<std::vector<IndexExpr>> innerExtents(clang::QualType &type,
                                                     clang::SourceRange where);
  std::string spelling(clang::QualType type, llvm::StringRef name = "") const;
  /// The type of a parameter of the nest, by a name that says whether it has
  /// negative values.
  std::string sizeType(clang::QualType type) const;

  // Parts of parameters (Objects.cpp).
  bool hasParts(const clang::ParmVarDecl *p) const;
  bool objectParameter(const clang::ParmVarDecl *p);
  std::optional<Object> object(const clang::Expr *e);
  Parameter *parameterOf(const Object &o);
  /// Has no caller made for the parameter of \p o, a part of which cannot be
  /// set from outside.
  void keepFromSetting(const Object &o);
  std::optional<Object> partOf(const clang::Expr *e);
  std::optional<Object> field(const clang::MemberExpr *member);
  std::optional<Object> elementOf(const clang::Expr *array,
                                  const clang::Expr *by);
  std::optional<Binding> part(const clang::Expr *e);
  std::string nameOf(llvm::StringRef text) const;
  std::string nameOf(const clang::ParmVarDecl *p) const;
  /// An argument of the nest, for \p part of a parameter, or what \p a says
  /// of that or of the launch. Its name is made from \p wish, or from the
  /// part's text.
  Binding addPart(const Object &part, clang::QualType type,
                  clang::SourceRange where, llvm::StringRef wish = "",
                  Argument a = {});
  Binding addArray(const Object &part, clang::QualType type,
                   clang::QualType element, clang::SourceRange where,
                   llvm::StringRef wish = "");
  std::optional<Binding> arrayField(const clang::MemberExpr *member);
  std::optional<IndexExpr> presence(const clang::Expr *e);
  bool isStored(clang::QualType type) const;
  Argument &partArgument(llvm::StringRef text);
  void finishParameters();

  // Containers of the standard library (Containers.cpp).
  std::optional<ArrayPlace> dataOf(const Object &of, ContainerType type,
                                   clang::SourceRange where);
  IndexExpr sizeOf(const Object &of, const ContainerType &type,
                   clang::SourceRange where);
  std::optional<IndexExpr> sizeOfEmpty(const clang::Expr *e);
  std::optional<ArrayPlace> dataByMethod(const clang::Expr *e);
  std::optional<ArrayPlace> containerData(const clang::Expr *e, bool isChecked);
  bool isRow(const clang::Expr *e) const;
  std::optional<ArrayPlace> rowData(const clang::Expr *e);
  std::optional<ArrayPlace> elementOfContainer(const ContainerElement &e);
  std::optional<Binding> containerPart(const clang::CXXMemberCallExpr *call);

  // Variables of the file (Globals.cpp).
  std::optional<std::pair<std::string, std::string>>
  whyNotTaken(const clang::VarDecl *v, clang::QualType type) const;
  std::optional<Object> objectOfFile(const clang::ValueDecl *d);
  /// Makes \p d, where it is a variable of the file, an argument of the nest.
  bool bindGlobal(const clang::ValueDecl *d, clang::SourceRange where);
  std::optional<Binding> globalOfTemplate(const clang::UnresolvedLookupExpr *e);
  /// The argument for \p v, which `text` names.
  Binding takeGlobal(const clang::VarDecl *v, clang::QualType type,
                     clang::QualType element, std::string text);
  std::nullopt_t refusePrivate(const clang::FieldDecl *f,
                               const clang::MemberExpr *member, bool isCopied);
  bool refuseRecords(const clang::Expr *e);
  std::optional<Object> arrayOfParts(const clang::Expr *e);
  std::optional<ArrayPlace> containerOfFile(const clang::Expr *e);

  // Indices (IndexBuilder.cpp).
  std::optional<IndexExpr> index(const clang::Expr *e);
  std::optional<IndexExpr> indexOfName(const clang::ValueDecl *d,
                                       const clang::Expr *at);
  std::optional<IndexExpr> indexOfBinary(const clang::BinaryOperator *b);
  // Multiples of the index of a thread (ThreadTiles.cpp).
  std::optional<IndexExpr> overThreads(const IndexExpr &value,
                                       const llvm::Twine &name,
                                       SourceRange where);
  std::optional<IndexExpr> overDimensions(const IndexExpr &value,
                                          SourceRange where);
  std::optional<IndexExpr> indexOfThreads(const clang::Expr *e);
  bool namesHardware(const clang::Stmt *s) const;
  std::optional<std::pair<hardware::Kind, unsigned>>
  hardwareOf(const clang::MemberExpr *member) const;
  // Indices of threads in parts (ThreadSums.cpp).
  std::optional<TileIndex> tileIndex(llvm::ArrayRef<SumTerm> terms);
  std::optional<IndexExpr> indexOfTerms(llvm::ArrayRef<SumTerm> terms,
                                        const TileIndex &tile);
  std::optional<IndexExpr> indexOfCast(const clang::CastExpr *cast);
  std::optional<IndexExpr> quotient(const IndexExpr &num, const IndexExpr &den,
                                    const clang::Expr *e);
  std::optional<IndexExpr> indexOfMember(const clang::MemberExpr *m);
  std::optional<IndexExpr> indexOfTable(const clang::ArraySubscriptExpr *s);
  std::optional<IndexExpr> hardwareIndex(const clang::MemberExpr *member);
  std::optional<IndexExpr> sizeOfLaunch(const IndexExpr &e);
  // Floating point that rounds nothing (RealIndices.cpp).
  struct Real;
  std::optional<IndexExpr> indexOfReal(const clang::Expr *e);
  std::optional<Real> real(const clang::Expr *e);
  std::optional<Real> rounded(const clang::CallExpr *call);
  std::optional<IndexExpr> towardsZero(const Real &r, const clang::Expr *e);
  std::optional<IndexExpr> constant(const clang::Expr *e) const;
  void oblige(const IndexExpr &e, clang::SourceRange where,
              const llvm::Twine &why);
  void oblige(Obligation o);
  std::vector<Obligation> takeDivided(size_t since);
  bool isPlainInteger(clang::QualType type, clang::SourceRange where);
  /// Whether \p type is an integer that is narrower than int.
  bool isNarrow(clang::QualType type) const;
  void obligeFits(const IndexExpr &e, clang::QualType type,
                  clang::SourceRange where);

  // Conditions (Conditions.cpp).
  std::optional<Pieces> pieces(const clang::Expr *e, bool negated);
  bool isLogical(const clang::BinaryOperator *b) const;
  std::optional<Pieces> comparison(const clang::BinaryOperator *b,
                                   bool negated);
  std::optional<Pieces> choice(const clang::ConditionalOperator *c,
                               bool negated);
  Pieces holds(const IndexExpr &flag, bool negated) const;
  std::optional<Pieces> compared(const IndexExpr &l, const IndexExpr &r,
                                 clang::BinaryOperatorKind op,
                                 clang::SourceRange where);
  /// What loops and guards around, and the parts of a condition before, say.
  Conjunction known() const;
  /// Whether \p e, computed without a sign, looks as if it wrapped.
  bool mayWrap(const IndexExpr &e) const;
  /// Whether \p all cannot hold here.
  bool isImpossible(Conjunction all) const;
  /// What \p f gives where one of \p pieces is known to hold.
  template <class F> auto under(const Pieces &pieces, F f) {
    size_t known = evaluatedUnder.size();
    if (pieces.size() == 1)
      llvm::append_range(evaluatedUnder, pieces.front());
    auto result = f();
    evaluatedUnder.resize(known);
    return result;
  }

  // Pointers (Places.cpp).
  std::optional<ArrayPlace> pointer(const clang::Expr *e);
  std::optional<ArrayPlace> offset(const clang::Expr *base,
                                   const clang::Expr *index, bool negated);
  void obligeOffset(const clang::Expr *by, const IndexExpr &e);
  std::optional<ArrayPlace> element(const clang::Expr *e);
  std::optional<Access> access(const clang::Expr *e);
  bool isElement(const ArrayPlace &p) const;
  Access elementAt(ArrayPlace p) const;
  // Pointers of other types than their arrays (Views.cpp).
  bool isViewed(clang::QualType type, unsigned array) const;
  bool isFlatPointer(unsigned array) const;
  bool isView(clang::QualType type, unsigned array) const;
  std::optional<ArrayPlace> viewed(const clang::CastExpr *cast);
  IndexExpr asMultiple(const IndexExpr &e, Var v, int64_t size,
                       SourceRange where);
  std::optional<IndexExpr> inElements(IndexExpr e, const clang::Expr *base,
                                      unsigned array);

  // Right-hand sides (RhsBuilder.cpp).
  bool rhs(const clang::Expr *e, Statement &s);
  bool rhsOfName(const clang::ValueDecl *d, const clang::Expr *at,
                 Statement &s);
  bool rhsOfConstant(const clang::Expr *at, llvm::StringRef name, Statement &s);
  bool rhsOfPart(const Binding &part, clang::QualType type, Statement &s);
  bool rhsOfRead(const clang::Expr *e, Statement &s);
  bool isReadBefore(const Access &a) const;
  bool refuseMaybeRead(unsigned array, clang::SourceRange where);
  bool rhsOfMember(const clang::MemberExpr *m, Statement &s);
  bool rhsOfCall(const clang::CallExpr *call, Statement &s);
  bool converted(const clang::Expr *e, clang::QualType to, Statement &s);
  bool rhsOfArgument(const clang::Expr *argument, Statement &s);
  bool rhsOfHalf(const HalfConversion &c, Statement &s);
  bool rhsOfCast(const clang::Expr *cast, clang::QualType written,
                 const clang::Expr *sub, Statement &s);
  bool rhsOfConditional(const clang::ConditionalOperator *c, Statement &s);
  bool rhsOfChosen(const clang::ConditionalOperator *c, Statement &s);
  std::string number(const clang::Expr *e) const;
  bool guardedRead(const clang::ConditionalOperator *c, Statement &s);
  bool rhsOfSign(char sign, const clang::Expr *value, Statement &s);
  bool rhsOfMinMax(const clang::CallExpr *call,
                   llvm::ArrayRef<const clang::Expr *> all, bool isMin,
                   Statement &s);
  bool rhsOfClamp(const clang::CallExpr *call, Statement &s);
  bool rhsOfBinary(const clang::Expr *lhs, const clang::Expr *rhs,
                   llvm::StringRef op, Statement &s);
  void addOperand(Operand o, Statement &s);
  void addConstant(const Binding &constant, Statement &s);
  std::string literal(const clang::Expr *e) const;

  // Calls of functions with a visible body (Inline.cpp, InlineValue.cpp).
  /// A function whose body stands in the place of its call.
  struct Call {
    const clang::FunctionDecl *function;
    std::string name;
    SourceRange where;
    bool isValue;         // it is called for its value, else for what it does
    size_t loops, arrays; // `open` and the nest's arrays when it was entered
    std::optional<Object> object = {}; // of a method
    bool chooses = false; // one of several values that it returns is read
    bool hasFields = false; // of a method: the object's are variables
    /// What these were where the call stands.
    std::map<const clang::ValueDecl *, Binding> outer = {};
  };
  static std::string nameOf(const clang::CallExpr *call,
                            const clang::FunctionDecl *callee);
  bool enter(const clang::CallExpr *call, const clang::FunctionDecl *callee,
             bool isValue);
  void leave();
  bool isOfFields(const clang::ParmVarDecl *p, const clang::Expr *value);
  bool runCall(const clang::CallExpr *call, const clang::FunctionDecl *callee);
  std::optional<Binding>
  argument(const clang::ParmVarDecl *p, const clang::Expr *value,
           llvm::function_ref<bool(const Operand &)> isWritten);
  std::optional<Binding> standsFor(const clang::VarDecl *v,
                                   const clang::Expr *value);
  bool isPlaceOfRecords(const clang::VarDecl *v, const clang::Expr *value);
  std::optional<Binding> refersTo(const clang::VarDecl *v,
                                  const clang::Expr *value);
  const clang::Expr *returned(const clang::FunctionDecl *callee);
  const clang::Expr *valueOf(llvm::ArrayRef<const clang::Stmt *> body);
  const clang::Expr *chosen(const clang::IfStmt *i,
                            llvm::ArrayRef<const clang::Stmt *> rest);
  bool hoist(const clang::Stmt *s);
  bool setsOwnIndex(const clang::Stmt *s);
  bool setsUnset(const clang::Stmt *s);
  bool bindText(const clang::VarDecl *v, const clang::Expr *init);
  bool mayChange(const clang::VarDecl *v, clang::SourceRange where);
  bool mayChange(unsigned array, clang::SourceRange where);
  bool lambda(const clang::VarDecl *v, const clang::CXXRecordDecl *type);
  /// What \p f makes of the expression that \p call returns, its parameters
  /// and variables bound; nothing where that is refused. Only where \p hoists
  /// may statements of the body run before the current one.
  template <class F>
  auto inlined(const clang::CallExpr *call, const clang::FunctionDecl *callee,
               bool hoists, F f) {
    llvm::SaveAndRestore outer(mayHoist, hoists && mayHoist && !underCondition);
    decltype(f(call->getCallee())) result{};
    if (enter(call, callee, /*isValue=*/true)) {
      if (const clang::Expr *value = returned(callee))
        result = f(value);
      leave();
    }
    return result;
  }
  const clang::ValueDecl *named(const clang::Expr *e) const;
  /// The same of `({ int n = a; n > b ? n : b; })`.
  template <class F>
  auto inStatements(const clang::StmtExpr *e, bool hoists, F f) {
    llvm::SaveAndRestore outer(mayHoist, hoists && mayHoist && !underCondition);
    const clang::Expr *value = lastOf(e);
    return value ? f(value) : decltype(f(e)){};
  }
  const clang::Expr *lastOf(const clang::StmtExpr *e);

  // Loops (LoopBuilder.cpp).
  struct HeaderEnd {
    const clang::Expr *bound;        // exclusive after `slack` is added
    std::optional<IndexExpr> solved; // the bound, of `i + n < bound`
    int64_t slack = 0;
    bool isExit = false; // of the body
  };
  struct Header {
    const clang::VarDecl *variable = nullptr;
    const clang::Expr *init = nullptr; // read before the loop moves anything
    int64_t step = 1;
    std::optional<IndexExpr> size; // of a step that is none, towards `step`
    std::vector<HeaderEnd> ends;             // the first that is reached counts
    bool isMet = false;                      // not passed: `i != bound`
    bool runsOnce = false;                   // before its condition is asked
    /// What the header moves as well, before the step and after it.
    std::vector<const clang::Expr *> before, after;
    /// `if (...) break;` before all that does something.
    std::vector<const clang::IfStmt *> exits;
    llvm::SmallVector<const clang::Stmt *> body; // without those that are ends

    /// From one iteration to the next.
    IndexExpr distance() const {
      return size ? *size * IndexExpr(step) : IndexExpr(step);
    }
  };
  /// Exits that are no end of their loop, as where a dilation multiplies it.
  std::set<const clang::IfStmt *> lateExits;
  const clang::ForStmt *asFor(const clang::Stmt *s) const;
  const clang::ForStmt *withStep(const clang::Stmt *s, const clang::Expr *c,
                                 const clang::Stmt *body) const;
  bool forLoop(const clang::ForStmt *f, bool runsOnce);
  // Loops over ranges (RangeLoops.cpp).
  struct Range;
  std::optional<Range> rangeOf(const clang::Expr *e);
  std::optional<Range> rangeOfList(const clang::InitListExpr *list);
  bool bindOfRange(const clang::VarDecl *v, Range r, const IndexExpr &i);
  bool rangeLoop(const clang::CXXForRangeStmt *s);
  bool header(const clang::ForStmt *f, Header &h);
  bool setInHeader(const Header &h, const clang::Expr *value,
                   llvm::function_ref<bool()> set);
  bool headerInit(const clang::ForStmt *f, Header &h);
  bool headerStep(const clang::ForStmt *f, Header &h);
  bool headerCondition(const clang::Expr *condition, Header &h, bool negated);
  bool headerExit(const clang::Expr *condition, Header &h);
  bool endsLoop(const clang::IfStmt *i);
  void takeExits(const clang::ForStmt *f, Header &h) const;
  std::optional<IndexExpr> endOfMultiple(const clang::BinaryOperator *c,
                                         const IndexExpr &difference, Var v,
                                         clang::BinaryOperatorKind &op);
  std::optional<HeaderEnd> solveCondition(const clang::BinaryOperator *c,
                                          const Header &h,
                                          clang::BinaryOperatorKind &op);
  bool setBounds(const Header &h, const std::vector<IndexExpr> &start, Loop &l,
                 IndexExpr &value);
  bool countSteps(const Header &h, llvm::ArrayRef<IndexExpr> start,
                  llvm::ArrayRef<IndexExpr> ends, Loop &l, IndexExpr &value);

  // Loops whose iterations threads share (StrideLoops.cpp).
  struct Stride {
    const clang::VarDecl *variable = nullptr;
    const clang::Expr *start = nullptr; // null: where it is
    const clang::Expr *condition = nullptr, *by = nullptr;
    llvm::SmallVector<const clang::Stmt *> body;
  };
  std::optional<Stride> strideOf(const clang::Stmt *s);
  bool strideLoop(const Stride &l);
  std::optional<IndexExpr> threadIndex(const clang::Expr *e);
  IndexExpr asLaunched(IndexExpr e) const;
  void forgetThreads(const ThreadDigit &d);
  bool isBounded(const IndexExpr &value) const;
  bool isShared(hardware::Kind kind, unsigned dimension) const;

  // Variables of structures, one for each field (RecordVariables.cpp).
  bool isSplit(const clang::VarDecl *v) const;
  bool isRecordChanged(const clang::VarDecl *v) const;
  bool withRecord(const clang::Expr *value,
                  llvm::function_ref<bool(const clang::Expr *)> f);
  bool recordVariable(const clang::VarDecl *v, const clang::Expr *init);
  std::optional<Binding> fieldFor(const clang::VarDecl *v,
                                  const clang::Expr *value, bool isReference);
  bool bindFields(
      const clang::Expr *value,
      llvm::ArrayRef<const clang::FieldDecl *> fields,
      llvm::function_ref<const clang::VarDecl *(const clang::FieldDecl *)> v,
      bool isReference, bool isCopied,
      std::map<const clang::VarDecl *, Binding> &bound);
  const clang::VarDecl *splitMember(const clang::MemberExpr *m) const;
  bool crosses(llvm::ArrayRef<const clang::FieldDecl *> fields,
               llvm::ArrayRef<Access> targets, const clang::Expr *value);
  const clang::Expr *copied(const clang::Expr *value,
                            llvm::ArrayRef<const clang::FieldDecl *> fields,
                            clang::SourceRange where);
  bool assignRecord(const clang::Expr *target, const clang::Expr *value,
                    clang::SourceRange where);
  // Arrays of structures (Views.cpp).
  std::optional<ArrayPlace> recordsAt(const clang::Expr *e);
  std::optional<ArrayPlace> recordsOf(const Object &o, clang::QualType to,
                                      clang::SourceRange where);
  std::optional<ArrayPlace> fieldAt(const clang::MemberExpr *m);

  // Sizes that one thread computes for its block (SharedSizes.cpp).
  bool sharedVariable(const clang::VarDecl *v);
  bool isOfFirstThread(const clang::Expr *condition);
  bool setsShared(const clang::IfStmt *i);
  bool setShared(const clang::IfStmt *i);
  /// Whether nothing was written before that \p call, a barrier, orders.
  bool isBarrier(const clang::CallExpr *call);

  // The least and the greatest of several values (Extremes.cpp).
  using Several = std::vector<IndexExpr>;
  std::optional<Several> extremes(const clang::Expr *e, bool isMax);
  std::optional<Several> extremesOfCall(const clang::CallExpr *call,
                                        bool isMax);
  std::optional<Several> extremesOfChoice(const clang::ConditionalOperator *c,
                                          bool isMax);
  std::optional<Several> extremesOfSum(const clang::BinaryOperator *b,
                                       bool isMax);
  bool bindExtreme(const clang::VarDecl *v, const clang::Expr *value);
  bool rhsOfExtreme(const Binding &b, Statement &s);

  // Indices that are one of several (Choices.cpp).
  struct Case;
  using Values = std::vector<std::pair<Conjunction, IndexExpr>>;
  std::vector<Case> casesOf(llvm::ArrayRef<IndexExpr> all, SourceRange where);
  std::optional<Conjunction> inCase(const Conjunction &all, const Case &c,
                                    clang::SourceRange where);
  std::optional<Pieces> withoutChoices(const Pieces &all,
                                       clang::SourceRange where);
  IndexExpr addChoice(const Values &values, clang::SourceRange where);
  IndexExpr choiceOf(Values all);
  IndexExpr withJoinedChoices(const IndexExpr &e, SourceRange where);
  IndexExpr chosenOf(llvm::ArrayRef<IndexExpr> all, bool isMax,
                     clang::SourceRange where);
  std::optional<IndexExpr> indexOfChoice(const clang::ConditionalOperator *c);
  std::optional<IndexExpr> chosenByCall(const clang::CallExpr *call);
  std::optional<IndexExpr> chosenIndex(const clang::Expr *e);
  const clang::Expr *valueAfter(const clang::Stmt *s,
                                const clang::Expr *&target);
  bool setsIndex(const clang::IfStmt *i);
  bool addCases(const Statement &s);
  void finishChoices();

  // Variables that are true or false (Truths.cpp).
  std::optional<Binding> truth(const clang::Expr *value);
  bool bindTruth(const clang::VarDecl *v, const clang::Expr *value);
  bool decide(const clang::Expr *condition);
  std::optional<IndexExpr> indexOfTruth(const clang::Expr *e);
  std::optional<IndexExpr> indexOfMask(const clang::BinaryOperator *b);
  std::optional<IndexExpr> indexOfCircle(const clang::BinaryOperator *b);
  std::optional<IndexExpr> indexOfTurn(const clang::ConditionalOperator *c);
  void refuseData(const clang::ValueDecl *d, const clang::Expr *ref);

  // Variables that loops move (Moving.cpp).
  struct Moving {
    const clang::ValueDecl *variable;
    Binding start;
    Var unknown; // its value when an iteration starts
  };
  /// What \p loop assigns has an unknown value when an iteration starts.
  std::vector<Moving> startMoving(const clang::Stmt *loop);
  std::string loopsWithin(const Moving &m, const Loop &loop) const;
  /// Gives the unknowns their values in \p loop, whose body was read, and the
  /// variables those after it.
  bool leadsElsewhere(const Moving &m);
  bool finishMoving(const std::vector<Moving> &all, Loop &loop);
  /// Refuses (too-large) a loop within too many others.
  bool isWithinDepth(clang::SourceRange loop);
  /// Has \p lowerBody fill the body of \p loop, in a scope of its own. What
  /// \p moving become is known after it.
  bool withinLoop(const std::shared_ptr<Loop> &loop,
                  const std::vector<Moving> &moving,
                  llvm::function_ref<bool()> lowerBody);
  const IndexExpr *valueAtEnd(const Moving &m);
  std::optional<IndexExpr>
  setByEach(const Moving &m, llvm::ArrayRef<Moving> all, const Loop &loop);
  std::optional<IndexExpr> distanceOf(const Moving &m, const Loop &loop);
  Binding movedBy(Binding start, const IndexExpr &distance, const Loop &loop,
                  const clang::ValueDecl *v) const;
  void replaceUnknowns(const std::map<Var, IndexExpr> &values, Loop &loop);
  /// \p e is used at \p at, and so are the unknowns in it.
  void noteUnknown(const IndexExpr &e, clang::SourceRange at);
  bool move(const clang::VarDecl *v, const IndexExpr &by,
            clang::SourceRange where);
  /// Whether \p d is a pointer or an index.
  bool isMoving(const clang::ValueDecl *d) const;
  /// Of `v++` and `++v`, where \p e is such and is seen to: from the value of
  /// `v` to that of \p e.
  std::optional<IndexExpr> offsetWithin(const clang::Expr *e) const;
  /// Moves what \p full moves somewhere within, after \p read has read it.
  bool readWithSteps(const clang::Expr *full, llvm::function_ref<bool()> read);

  // Statements (Statements.cpp, Assignments.cpp).
  bool statement(const clang::Stmt *s);
  bool list(llvm::ArrayRef<const clang::Stmt *> statements);
  bool listFrom(llvm::ArrayRef<const clang::Stmt *> statements, bool listTail);
  /// Afterwards variables of around have the values of \p s where it always
  /// runs, and else none that is known.
  bool nested(const clang::Stmt *s, Body &body, bool alwaysRuns);
  bool nested(llvm::ArrayRef<const clang::Stmt *> statements, Body &body,
              bool alwaysRuns);
  void forgetAssigned(const clang::Stmt *s);
  bool refuseStatement(const clang::Stmt *s);
  bool declaration(const clang::DeclStmt *d);
  bool variable(const clang::VarDecl *v, const clang::Expr *init);
  bool dataVariable(const clang::VarDecl *v, const clang::Expr *init);
  unsigned addLocal(const std::string &name, const std::string &type,
                    std::vector<IndexExpr> extents, clang::SourceRange where);
  bool initialise(Access target, const clang::Expr *value,
                  clang::QualType element, clang::SourceRange where);
  bool bindConstant(const clang::VarDecl *v, const clang::Expr *init);
  bool mayBeHidden(llvm::StringRef name) const;
  bool bindValue(const clang::VarDecl *v, const clang::Expr *value);
  bool bindPointer(const clang::VarDecl *v, const clang::Expr *value);
  void bindThreadValue(const clang::VarDecl *v, const IndexExpr &value);
  bool expression(const clang::Expr *e);
  bool chainedAssignment(const clang::BinaryOperator *b);
  bool assignment(const clang::Expr *target, const clang::Expr *value,
                  clang::BinaryOperatorKind op, const clang::Expr *whole);
  clang::Expr *loaded(const clang::Expr *target) const;
  const clang::Expr *updated(const clang::Expr *target,
                             const clang::Expr *value,
                             clang::BinaryOperatorKind op,
                             const clang::Expr *whole);
  std::optional<Access> written(const clang::Expr *target,
                                clang::SourceRange where);
  void noteConversion(const clang::Expr *value, clang::QualType to);
  /// Whether \p e, which ends the program where a condition does not hold, may
  /// be left out (UserAssertions.cpp); none where it is something else.
  std::optional<bool> assertion(const clang::Expr *e);
  bool isSameElement(const clang::Expr *e, const Access &element);
  const clang::CallExpr *fusedSum(const clang::Expr *value, Statement &s);
  bool rhsOfProduct(const clang::CallExpr *fused, Statement &s);
  bool store(Access target, const clang::Expr *value,
             clang::BinaryOperatorKind op, clang::SourceRange where);
  bool atomicAdd(const clang::CallExpr *call);
  bool increment(Access target, bool up, clang::SourceRange where);
  bool conditional(const clang::IfStmt *i);
  bool branches(const Pieces &yes, llvm::function_ref<bool()> then,
                const Pieces &no, llvm::function_ref<bool()> otherwise,
                clang::SourceRange where);
  // Choices among values (DataBranches.cpp).
  bool chosenByData(const clang::IfStmt *i);
  bool chosenSeveral(const clang::IfStmt *i, const Statement &outer);
  bool setWhere(const clang::Stmt *one, Statement when);
  void noteSet(const clang::Stmt *one);
  /// An element that is read where data say so, and is there since the nest
  /// writes it in any case, or reads it in another iteration.
  struct DataRead {
    Access access;
    std::vector<std::shared_ptr<Node>> around;
    clang::SourceRange where;
  };
  bool isTouched(const DataRead &read) const;
  bool isMet(const DataRead &read);
  bool finishDataReads();
  bool refuseMissing(const Access &target, clang::SourceRange where);
  bool chosenValue(const clang::Stmt *s, const Access &target, Statement &out);
  bool mustBranch(const clang::ConditionalOperator *c, bool isWhole);
  bool storeChosen(const Access &target, const clang::ConditionalOperator *c,
                   clang::BinaryOperatorKind op, clang::SourceRange where);
  // Switch.cpp
  bool choice(const clang::SwitchStmt *s);
  const clang::Stmt *branchesOf(const clang::SwitchStmt *s,
                                llvm::ArrayRef<const clang::Stmt *> rest);
  bool exitIf(const clang::IfStmt *i, bool isElse,
              llvm::ArrayRef<const clang::Stmt *> first,
              llvm::ArrayRef<const clang::Stmt *> rest);
  const clang::IfStmt *
  withoutExit(const clang::IfStmt *i, bool isElse,
              llvm::ArrayRef<const clang::Stmt *> rest) const;
  void noteSides(llvm::ArrayRef<NodeRef> guards, size_t live);
  bool exitWithin(const clang::IfStmt *i,
                  llvm::ArrayRef<const clang::Stmt *> rest);
  bool branch(const Pieces &p, llvm::function_ref<bool()> content,
              clang::SourceRange where, bool isCheck = true);
  bool addStatement(Statement s);
  bool atTop() const { return open.empty(); }
  bool storesToArrays(const Body &body) const;
  size_t threadBounds() const;

  clang::ASTContext &ast;
  const clang::FunctionDecl *function;
  LineMap lines;
  VariableUse use;
  Truths truths;
  std::optional<Refusal> pending;
  std::vector<Refusal> refused;          // of statements before
  std::set<const clang::VarDecl *> lost; // that these set
  bool mayResume = true;
  std::map<const clang::ValueDecl *, Binding> scope;
  /// What \p d, which may be null, is bound to, if that is of kind \p kind;
  /// else null.
  const Binding *bound(const clang::ValueDecl *d, Binding::Kind kind) const {
    auto it = scope.find(d);
    return it != scope.end() && it->second.kind == kind ? &it->second : nullptr;
  }
  /// Where the variable \p v is, or the one that it is another name of.
  auto findVariable(const clang::ValueDecl *v) {
    const Binding *alias = bound(v, Binding::Alias);
    return scope.find(alias ? alias->variable : v);
  }
  std::vector<std::shared_ptr<Node>> open; // loops and guards around
  Body *current = nullptr;
  unsigned nextStatement = 0;
  /// While an index of threads is read: hardware indices are allowed, and
  /// names stand for their definitions.
  bool threadMode = false;
  std::optional<unsigned> definedParam; // while its definition is read
  /// What holds where the current part of a condition is evaluated.
  Conjunction evaluatedUnder;
  /// What calls return that conditions begin with, and that were run before.
  std::map<const clang::CallExpr *, Binding> decided;
  /// How many `?:` and `&&` around decide whether an expression is evaluated.
  unsigned underCondition = 0;
  /// Elements that are there whatever these decide, as what they ask is.
  std::vector<Access> existing;
  std::vector<DataRead> dataReads;
  bool mayBeTouched = false; // reads are such
  /// What a branch that data take has set variables to, up to here.
  std::map<const clang::VarDecl *, const clang::Expr *> setTo;
  /// A part of a parameter that the nest reads.
  struct Part {
    Binding binding;
    clang::QualType type;
    bool isReadInLoops;
    std::string memory; // as Object::memory
  };
  std::map<std::string, Part> parts; // by their text
  bool inLoops = false;              // a loop has begun
  std::vector<Call> calls;           // that the current expression stands in
  /// Statements may be added that run before what is being read.
  bool mayHoist = true;
  std::vector<Values> choices; // by the ids of their unknowns
  bool mayChoose = true;       // else an index of several values is none
  unsigned unknowns = 0;       // that loops had so far
  std::map<unsigned, clang::SourceRange> unknownUses; // the first, by id
  std::set<const clang::UnaryOperator *> steps;       // `v++` that are seen to
  /// Nothing follows the current statement in its loop, or in the function.
  bool tail = true;
  /// At the top of a kernel, arrays are written after the current statement.
  bool storesFollow = false;
  std::vector<ThreadDigit> sharing; // of the loops around that threads share
  /// One more than the calls around the innermost of them; 0 outside of all.
  unsigned sharedIn = 0;
  /// A kernel's guard has ended: what follows runs in every thread.
  bool afterGuard = false;
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_NESTBUILDER_H
