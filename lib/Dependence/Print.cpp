//===- Print.cpp - The text of -emit=dependences --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Impl.h"
#include "convopt/Nest/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace convopt {

using Impl = DependenceAnalysis::Impl;

StringRef str(DependenceKind kind) {
  switch (kind) {
  case DependenceKind::Flow:
    return "flow";
  case DependenceKind::Anti:
    return "anti";
  case DependenceKind::Output:
    return "output";
  }
  llvm_unreachable("a kind of dependence");
}

static StringRef str(Direction d) {
  switch (d) {
  case Direction::Equal:
    return "=";
  case Direction::Less:
    return "<";
  case Direction::Greater:
    return ">";
  case Direction::Star:
    return "*";
  }
  llvm_unreachable("a direction");
}

static std::string joinDirections(ArrayRef<Direction> direction) {
  std::vector<StringRef> signs;
  for (Direction d : direction)
    signs.push_back(str(d));
  return join(signs, ",");
}

std::string str(ArrayRef<Direction> direction) {
  return "(" + joinDirections(direction) + ")";
}

/// A distance that varies prints as its sign, or `*`.
static std::string distanceText(const Dependence &d) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < d.distance.size(); ++i) {
    if (d.distance[i])
      parts.push_back(std::to_string(*d.distance[i]));
    else if (d.direction[i] == Direction::Less)
      parts.push_back("+");
    else if (d.direction[i] == Direction::Greater)
      parts.push_back("-");
    else
      parts.push_back("*");
  }
  return "(" + join(parts, ",") + ")";
}

static std::string loopComment(const LoopFacts &facts) {
  if (facts.parallel)
    return "parallel";
  return facts.reduction ? "sequential (reduction)" : "sequential";
}

/// The distinct direction vectors of the dependences of \p s on itself, or the
/// vector of its own iteration where it has none.
static std::string statementComment(const Impl &impl, const Statement &s) {
  std::vector<std::string> vectors;
  for (const Dependence &d : impl.rows) {
    if (d.source != s.id || d.sink != s.id)
      continue;
    std::string vector = "[" + joinDirections(d.direction) + "]";
    if (!is_contained(vectors, vector))
      vectors.push_back(std::move(vector));
  }
  if (vectors.empty()) {
    std::vector<Direction> own(s.iterators.size(), Direction::Equal);
    vectors.push_back("[" + joinDirections(own) + "]");
  }
  return join(vectors, " ");
}

namespace {

struct Line {
  std::string text;
  std::string comment;
};

} // namespace

/// The body as the nest's printer gives it, one line a node in program order,
/// with a comment for each loop and statement.
static std::vector<Line> annotatedBody(const DependenceAnalysis &analysis) {
  const Impl &impl = analysis.impl();
  std::vector<std::string> loopComments, statementComments;
  for (const LoopFacts &facts : analysis.loopFacts())
    loopComments.push_back(loopComment(facts));
  for (const OriginalStatement &s : impl.statements)
    statementComments.push_back(
        statementComment(impl, *s.occurrence->statement));

  std::string text;
  raw_string_ostream os(text);
  print(impl.nest, os, {/*locations=*/false, /*bodyOnly=*/true});
  std::vector<Line> lines;
  size_t nextLoop = 0, nextStatement = 0;
  SmallVector<StringRef> printed;
  StringRef(text).rtrim().split(printed, '\n');
  for (StringRef line : printed) {
    StringRef node = line.ltrim();
    std::string comment;
    if (node.starts_with("for ") && nextLoop < loopComments.size())
      comment = loopComments[nextLoop++];
    else if (node.size() > 1 && node[0] == 'S' && isDigit(node[1]) &&
             nextStatement < statementComments.size())
      comment = statementComments[nextStatement++];
    lines.push_back({line.str(), std::move(comment)});
  }
  return lines;
}

static void printBody(const DependenceAnalysis &analysis, raw_ostream &os) {
  std::vector<Line> lines = annotatedBody(analysis);
  size_t width = 0;
  for (const Line &line : lines)
    if (!line.comment.empty())
      width = std::max(width, line.text.size());
  for (const Line &line : lines) {
    os << line.text;
    if (!line.comment.empty())
      os.indent(width - line.text.size()) << "  // " << line.comment;
    os << '\n';
  }
}

static void printList(const Impl &impl, raw_ostream &os) {
  os << "\ndependences:" << (impl.rows.empty() ? " none\n" : "\n");
  for (const Dependence &d : impl.rows)
    os << formatv("  {0,-6} S{1} -> S{2} on {3}: direction {4}, distance {5}",
                  str(d.kind), d.source, d.sink, impl.nest.arrays[d.array].name,
                  str(d.direction), distanceText(d))
       << (d.reduction ? " [reduction]\n" : "\n");
}

namespace {

/// A row of the direction matrix and who has it.
struct MatrixRow {
  std::vector<std::string> cells; // by loop; "." where it is not common
  std::string who;

  bool operator==(const MatrixRow &o) const {
    return cells == o.cells && who == o.who;
  }
};

} // namespace

static std::vector<MatrixRow> matrixRows(const Impl &impl,
                                         ArrayRef<const Loop *> loops) {
  std::vector<MatrixRow> rows;
  for (const Dependence &d : impl.rows) {
    MatrixRow row{{},
                  formatv("S{0} -> S{1} on {2}", d.source, d.sink,
                          impl.nest.arrays[d.array].name)};
    for (const Loop *loop : loops) {
      auto at = find(d.loops, loop->id);
      row.cells.push_back(at == d.loops.end()
                              ? "."
                              : str(d.direction[at - d.loops.begin()]).str());
    }
    if (!is_contained(rows, row))
      rows.push_back(std::move(row));
  }
  return rows;
}

static void printMatrix(const Impl &impl, raw_ostream &os) {
  if (impl.rows.empty())
    return;
  std::vector<const Loop *> all = loops(impl.nest);
  os << "\ndirection matrix:\n ";
  for (const Loop *loop : all)
    os << ' ' << impl.nest.loopNames[loop->id];
  os << '\n';
  for (const MatrixRow &row : matrixRows(impl, all)) {
    os << ' ';
    for (size_t i = 0; i < all.size(); ++i)
      os << ' '
         << left_justify(row.cells[i], impl.nest.loopNames[all[i]->id].size());
    os << "   " << row.who << '\n';
  }
}

void DependenceAnalysis::print(raw_ostream &os) const {
  printBody(*this, os);
  printList(*p, os);
  printMatrix(*p, os);
}

} // namespace convopt
