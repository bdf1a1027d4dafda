//===- Printer.cpp - From a nest to .nest text ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printer.h"
#include "convopt/Nest/Text.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

static std::string str(const Nest &nest, const Bound &b) {
  if (b.divisor == 1)
    return str(nest, b.expr);
  return "ceildiv(" + str(nest, b.expr) + ", " + std::to_string(b.divisor) +
         ")";
}

static StringRef spelling(Array::Role r) {
  static const StringRef names[] = {"input", "output", "inout", "local"};
  return names[r];
}

static std::string quoted(StringRef s) {
  std::string text = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\')
      text += '\\';
    if (c == '\n')
      text += "\\n";
    else if (c == '\r')
      text += "\\r";
    else
      text += c;
  }
  return text + "\"";
}

static std::string nameOrQuoted(StringRef s) {
  return isIdentifier(s) ? s.str() : quoted(s);
}

/// `o` where iterator \p i is a current loop, else `y = 16 * y_o + y_i`.
static std::string instanceText(const Nest &nest, const Statement &s,
                                unsigned i) {
  std::string name = nest.loopNames[s.iterators[i]];
  if (s.instance[i] == IndexExpr::loop(s.iterators[i]))
    return name;
  return name + " = " + str(nest, s.instance[i]);
}

/// True where the iterators of \p s are just the loops around it.
static bool isOwnInstance(const Statement &s, ArrayRef<NodeRef> enclosing) {
  std::vector<unsigned> around;
  for (const Loop *l : select<Loop>(enclosing))
    around.push_back(l->id);
  if (around != s.iterators)
    return false;
  for (auto [id, value] : zip(s.iterators, s.instance))
    if (value != IndexExpr::loop(id))
      return false;
  return true;
}

/// True where the parser would number the loops as \p nest does.
static bool loopsAppearInOrder(const Nest &nest) {
  std::vector<unsigned> order;
  auto meet = [&](unsigned id) {
    if (!is_contained(order, id))
      order.push_back(id);
  };
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    if (const auto *l = dyn_cast<Loop>(&n))
      meet(l->id);
    if (const auto *s = dyn_cast<Statement>(&n))
      for_each(s->iterators, meet);
  });
  for (unsigned i = 0; i != order.size(); ++i)
    if (order[i] != i)
      return false;
  return order.size() == nest.loopNames.size();
}

namespace {

class NestPrinter {
public:
  NestPrinter(const Nest &nest, raw_ostream &os, PrintOptions options)
      : nest(nest), os(os), options(options) {}

  void header();
  void body(const Body &b);

private:
  void function(const Function &f);
  void argument(const Argument &a);
  void parameter(const Parameter &p);
  void launch(const Function &f);
  void param(const Param &p);
  void array(const Array &a);
  void buffer(const Buffer &b);
  void unfolding(const Array &a);
  void node(const Node &n);
  void loop(const Loop &l);
  void guard(const Guard &g);
  void statement(const Statement &s);
  void copy(const Copy &c);
  std::string bounds(ArrayRef<Bound> list, StringRef fold);
  raw_ostream &indent() { return os.indent(2 * enclosing.size()); }
  void endLine(SourceRange r);

  const Nest &nest;
  raw_ostream &os;
  PrintOptions options;
  std::vector<NodeRef> enclosing;
};

} // namespace

void NestPrinter::endLine(SourceRange r) {
  if (options.locations && r.isValid())
    os << " @" << r.line << ':' << r.column << '-' << r.endLine << ':'
       << r.endColumn;
  os << '\n';
}

void NestPrinter::argument(const Argument &a) {
  os << "argument " << nameOrQuoted(a.name) << ' ' << quoted(a.type);
  auto role = [&](StringRef word, const std::string &of) {
    os << ' ' << word;
    if (of != a.name)
      os << ' ' << of;
  };
  if (a.role == Argument::ArrayArg)
    role("array", nest.arrays[a.index].name);
  else if (a.role == Argument::ParamArg)
    role("param", nest.params[a.index].name);
  else
    os << " scalar";
  if (a.isPart())
    os << " from " << (a.launch ? a.launch->str() : quoted(a.source))
       << (a.isPresence ? " != 0" : "");
  if (!a.memory.empty())
    os << " in " << quoted(a.memory);
  if (!a.container.empty())
    os << " of " << quoted(a.container);
  if (a.numbersEach != 1)
    os << " structures " << a.numbersEach;
  if (a.elements)
    os << " variable " << a.elements << (a.isConst ? " const" : "")
       << (a.isExtern ? " extern" : "");
  os << '\n';
}

void NestPrinter::parameter(const Parameter &p) {
  os << "parameter " << nameOrQuoted(p.name) << ' ' << quoted(p.type);
  if (!p.object.empty())
    os << " object " << quoted(p.object);
  if (p.elements)
    os << ' ' << p.elements;
  os << '\n';
}

void NestPrinter::launch(const Function &f) {
  bool isDefault = f.block == Function().block;
  for (unsigned d = 0; d != 3; ++d)
    isDefault &=
        f.grid[d] == Bound() && f.gridText[d].empty() && !f.gridExact[d];
  if (isDefault)
    return;
  os << "launch grid(";
  for (unsigned d = 0; d != 3; ++d) {
    os << (d ? ", " : "") << str(nest, f.grid[d]);
    if (!f.gridText[d].empty())
      os << ' ' << quoted(f.gridText[d]);
    if (f.gridExact[d])
      os << " exact";
  }
  os << ") block(";
  for (unsigned d = 0; d != 3; ++d)
    os << (d ? ", " : "") << str(nest, f.block[d])
       << (f.blockExact[d] ? " exact" : "");
  os << ")\n";
}

void NestPrinter::function(const Function &f) {
  os << "nest " << nameOrQuoted(f.name) << " from " << quoted(nest.sourceFile);
  endLine(f.range);
  if (f.isKernel)
    os << "kernel\n";
  if (!f.templateParameters.empty())
    os << "template " << quoted(f.templateHead()) << '\n';
  for (const std::string &a : f.templateArgs)
    os << "template argument " << quoted(a)
       << (is_contained(f.typeParams, a) ? " type" : "")
       << (is_contained(f.signedParams, a) ? " signed\n" : "\n");
  for (const Parameter &p : f.parameters)
    parameter(p);
  for (const Argument &a : f.arguments)
    argument(a);
}

void NestPrinter::param(const Param &p) {
  os << "param " << p.name << ": " << p.type;
  if (p.isTemplate)
    os << " template";
  for (const auto &[k, value] : enumerate(p.enumerators))
    os << (k == 0 ? " of " : ", ") << value;
  if (p.definition)
    os << " = " << str(nest, *p.definition);
  os << '\n';
}

/// ` order(0, 2, 1)`; nothing for no numbers.
template <typename T>
static std::string listText(StringRef word, const std::vector<T> &numbers) {
  std::string text;
  for (const T &n : numbers)
    text += (text.empty() ? " " + word.str() + "(" : ", ") + std::to_string(n);
  return text.empty() ? "" : text + ")";
}

void NestPrinter::buffer(const Buffer &b) {
  os << " buffer of " << nest.arrays[b.of].name;
  static const char *const memories[] = {"", " shared", " global", " constant"};
  os << memories[b.memory];
  if (!b.fill.empty())
    os << " fill " << quoted(b.fill);
  const BufferLayout &l = b.layout;
  os << listText("stride", b.strides) << listText("order", l.order);
  for (auto [word, value, ordinary] : BufferLayout::numbersOf(l))
    if (*value != ordinary)
      os << ' ' << word << ' ' << *value;
  if (l.copyKind != BufferLayout::Threads)
    os << ' ' << BufferLayout::copyKindNames[l.copyKind];
}

/// `unfold x_s[c][p = 14 * y + x] = x[c][y][x], y = floordiv(p, 14), x = p %
/// 14`
void NestPrinter::unfolding(const Array &a) {
  const Unfolding &u = *a.buffer->unfolding;
  os << "unfold " << a.name;
  for (auto [dim, coordinate] : zip(u.dims, u.coordinates)) {
    os << '[' << nest.loopNames[dim];
    if (coordinate != IndexExpr::loop(dim))
      os << " = " << str(nest, coordinate);
    os << ']';
  }
  os << " = " << nest.arrays[a.buffer->of].name;
  for (const IndexExpr &e : u.subscripts)
    os << '[' << str(nest, e) << ']';
  for (const auto &[iterator, value] : u.iterators)
    os << ", " << nest.loopNames[iterator] << " = " << str(nest, value);
  os << '\n';
}

void NestPrinter::array(const Array &a) {
  os << "array " << a.name << ": " << a.elementType;
  for (const IndexExpr &e : a.extents)
    os << '[' << str(nest, e) << ']';
  os << ' ' << spelling(a.role);
  if (a.expandedDims)
    os << " expanded " << a.expandedDims;
  if (!a.footprint.empty())
    os << " footprint " << leastText(nest, a.footprint);
  for (const auto &[d, b] : enumerate(a.borders))
    os << (d == 0 ? " border(" : ", ") << BorderNames[unsigned(b)];
  os << (a.borders.empty() ? "" : ")");
  if (a.alias)
    os << " alias " << nest.arrays[*a.alias].name;
  if (a.buffer)
    buffer(*a.buffer);
  endLine(a.range);
}

void NestPrinter::header() {
  function(nest.function);
  for (const Param &p : nest.params)
    param(p);
  for (const Array &a : nest.arrays)
    array(a);
  auto isUnfolded = [](const Array &a) {
    return a.buffer && a.buffer->unfolding;
  };
  if (!loopsAppearInOrder(nest) || any_of(nest.arrays, isUnfolded))
    os << "loops " << join(nest.loopNames, ", ") << '\n';
  for (const Array &a : make_filter_range(nest.arrays, isUnfolded))
    unfolding(a);
  for (const ThreadMap &t : nest.function.threadMaps)
    os << "thread " << nest.loopNames[t.loop] << ' ' << quoted(t.str()) << '\n';
  launch(nest.function);
  if (nest.minBlocks)
    os << "min blocks " << nest.minBlocks << '\n';
  for (const Assumption &a : nest.assumptions) {
    os << "assume " << str(nest, a.fact);
    if (a.spanned)
      os << " of " << nest.arrays[*a.spanned].name;
    os << ' ' << quoted(a.why);
    endLine(a.range);
  }
  os << '\n';
}

std::string NestPrinter::bounds(ArrayRef<Bound> list, StringRef fold) {
  std::string text;
  for (const Bound &b : list)
    text += (text.empty() ? "" : ", ") + str(nest, b);
  return list.size() == 1 ? text : fold.str() + "(" + text + ")";
}

void NestPrinter::loop(const Loop &l) {
  os << "for " << nest.loopNames[l.id] << " in " << bounds(l.lower, "max")
     << " .. " << bounds(l.upper, "min");
  if (l.kind != LoopKind::Serial)
    os << ' ' << str(l.kind);
  if (l.kind == LoopKind::Stream)
    os << ' ' << l.streams;
  if (l.isAtomic)
    os << " atomic";
  os << " {";
  endLine(l.range);
}

void NestPrinter::guard(const Guard &g) {
  os << "if " << conjunctionText(nest, g.conditions) << " {";
  endLine(g.range);
}

void NestPrinter::statement(const Statement &s) {
  os << 'S' << s.id;
  if (!isOwnInstance(s, enclosing)) {
    os << '[';
    for (unsigned i = 0; i != s.iterators.size(); ++i)
      os << (i ? ", " : "") << instanceText(nest, s, i);
    os << ']';
  }
  os << ": " << assignmentText(nest, s);
  endLine(s.range);
}

void NestPrinter::copy(const Copy &c) {
  const Array &buffer = nest.arrays[c.buffer];
  os << (c.isStore ? "store " : "copy " + buffer.name + " = ")
     << nest.arrays[buffer.buffer->of].name;
  for (const IndexExpr &e : c.base)
    os << '[' << str(nest, e) << ']';
  if (c.from)
    os << " in " << nest.arrays[*c.from].name;
  if (c.isStore)
    os << " = " << buffer.name;
  endLine(c.range);
}

void NestPrinter::node(const Node &n) {
  if (const auto *l = dyn_cast<Loop>(&n))
    return loop(*l);
  if (const auto *g = dyn_cast<Guard>(&n))
    return guard(*g);
  if (const auto *s = dyn_cast<Statement>(&n))
    return statement(*s);
  if (const auto *c = dyn_cast<Copy>(&n))
    return copy(*c);
  if (const auto *l = dyn_cast<Local>(&n))
    os << "local " << nest.arrays[l->array].name;
  else
    os << "barrier";
  endLine(n.range);
}

void NestPrinter::body(const Body &b) {
  for (const NodeRef &n : b) {
    indent();
    node(*n);
    const auto *l = dyn_cast<Loop>(n.get());
    const auto *g = dyn_cast<Guard>(n.get());
    if (!l && !g)
      continue;
    enclosing.push_back(n);
    body(l ? l->body : g->body);
    enclosing.pop_back();
    indent() << "}\n";
  }
}

void print(const Nest &nest, raw_ostream &os, PrintOptions options) {
  NestPrinter printer(nest, os, options);
  if (!options.bodyOnly)
    printer.header();
  printer.body(nest.body);
}

} // namespace convopt
