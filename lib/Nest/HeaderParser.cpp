//===- HeaderParser.cpp - The header of .nest text ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "convopt/Nest/Text.h"

using namespace llvm;

namespace convopt {

bool Parsing::loop(unsigned &id, StringRef name) {
  auto [it, isNew] =
      exprs.names.try_emplace(name, loopVar(nest.loopNames.size()));
  if (isNew)
    nest.loopNames.push_back(name.str());
  id = it->second.id;
  return it->second.kind == Var::Loop ||
         cursor.fail("'" + name + "' is a parameter and cannot be a loop");
}

bool HeaderParser::parse() {
  c.skipLines();
  if (!title())
    return false;
  static const std::pair<StringRef, bool (HeaderParser::*)()> lines[] = {
      {"kernel", &HeaderParser::kernel},
      {"template", &HeaderParser::templateLine},
      {"parameter", &HeaderParser::parameter},
      {"argument", &HeaderParser::argument},
      {"param", &HeaderParser::param},
      {"array", &HeaderParser::array},
      {"loops", &HeaderParser::loops},
      {"unfold", &HeaderParser::unfold},
      {"thread", &HeaderParser::thread},
      {"launch", &HeaderParser::launch},
      {"min", &HeaderParser::minBlocks},
      {"assume", &HeaderParser::assume},
  };
  while (true) {
    c.skipLines();
    StringRef word = c.peekWord();
    const auto *line =
        find_if(lines, [&](const auto &l) { return l.first == word; });
    if (line == std::end(lines))
      return true;
    c.advance(word.size());
    if (!(this->*line->second)())
      return false;
  }
}

bool HeaderParser::end() {
  return c.atLineEnd() || c.fail("expected the end of the line");
}

bool HeaderParser::title() {
  return c.expectWord("nest") &&
         c.nameOrString(nest.function.name, "the function's name") &&
         c.expectWord("from") && c.string(nest.sourceFile, "the source file") &&
         c.endLine(nest.function.range);
}

bool HeaderParser::kernel() {
  nest.function.isKernel = true;
  return end();
}

bool HeaderParser::templateLine() {
  bool isArgument = c.eatWord("argument");
  std::string text;
  if (!c.string(text, "C++ text"))
    return false;
  if (isArgument) {
    nest.function.templateArgs.push_back(text);
    if (c.eatWord("type")) {
      nest.function.typeParams.push_back(text);
      if (c.eatWord("signed"))
        nest.function.signedParams.push_back(text);
    }
  } else if (!nest.function.templateParameters.empty()) {
    return c.fail("a nest has one template head");
  } else {
    StringRef parameters = text;
    if (!parameters.consume_front("template <") ||
        !parameters.consume_back(">"))
      return c.fail("expected \"template <...>\"");
    nest.function.templateParameters = parameters.str();
  }
  return end();
}

/// A number of elements, which \p what has: one or more.
bool HeaderParser::count(int64_t &to, StringRef what, int64_t most) {
  return c.integer(to, "a number of elements") &&
         ((to >= 1 && to <= most) || c.fail(what + " one element or more"));
}

bool HeaderParser::parameter() {
  Parameter &p = nest.function.parameters.emplace_back();
  int64_t elements = 0;
  if (!c.nameOrString(p.name, "the parameter's name") ||
      !c.string(p.type, "the parameter's type") ||
      (c.eatWord("object") && !c.string(p.object, "the object's type")) ||
      (!c.atLineEnd() && !count(elements, "a pointer points at", INT32_MAX)))
    return false;
  p.elements = elements;
  return end();
}

bool HeaderParser::argument() {
  Argument a;
  if (!c.nameOrString(a.name, "the argument's name") ||
      !c.string(a.type, "the argument's type"))
    return false;
  if (c.eatWord("array"))
    a.role = Argument::ArrayArg;
  else if (c.eatWord("param"))
    a.role = Argument::ParamArg;
  else if (!c.expectWord("scalar"))
    return false;
  c.skipBlanks();
  Reference target{a.name, c.position()};
  if (a.role != Argument::ScalarArg && !c.peekWord().empty() &&
      c.peekWord() != "from") {
    target.name = c.peekWord().str();
    c.advance(target.name.size());
  }
  if (c.eatWord("from") && !origin(a))
    return false;
  a.range = c.line();
  nest.function.arguments.push_back(a);
  argumentTargets.push_back(target);
  return end();
}

/// Where \p a, which is no parameter, has its value from.
bool HeaderParser::origin(Argument &a) {
  const bool isSize = a.role == Argument::ParamArg;
  if (isSize && !c.peek("\""))
    return launchSize(a);
  if (!c.string(a.source, "the argument's source"))
    return false;
  if (isSize && c.eat("!=")) {
    a.isPresence = true;
    return c.expect("0");
  }
  if ((c.eatWord("in") && !c.string(a.memory, "the object that has it")) ||
      (c.eatWord("of") && !c.string(a.container, "the container")) ||
      (c.eatWord("structures") &&
       !count(a.numbersEach, "a structure has", INT32_MAX)))
    return false;
  if (c.eatWord("variable")) {
    if (!count(a.elements, "a variable has"))
      return false;
    a.isConst = c.eatWord("const");
    a.isExtern = c.eatWord("extern");
  }
  return true;
}

bool HeaderParser::launchSize(Argument &a) {
  const size_t start = (c.skipBlanks(), c.position());
  const StringRef text = textUntil("");
  const std::optional<unsigned> dimensions[] = {std::nullopt, 0, 1, 2};
  for (std::optional<unsigned> blocks : dimensions)
    for (std::optional<unsigned> threads : dimensions)
      if (const LaunchSize size{blocks, threads};
          !text.empty() && text == size.str())
        a.launch = size;
  if (a.launch)
    return true;
  c.setPosition(start);
  return c.fail("expected the argument's source, in quotes, or a size of the "
                "launch, such as gridDim.x * blockDim.x");
}

/// The text before any of \p stops, a location, a comment or the line's end.
StringRef HeaderParser::textUntil(StringRef stops) {
  c.skipBlanks();
  StringRef rest = c.restOfLine();
  rest = rest.take_front(rest.find("//"));
  StringRef text = rest.take_until(
      [&](char ch) { return stops.contains(ch) || ch == '@' || ch == '#'; });
  c.advance(text.size());
  return text.trim();
}

/// A name that no parameter or loop has yet.
bool HeaderParser::named(std::string &name, StringRef what) {
  size_t start = (c.skipBlanks(), c.position());
  if (!c.name(name, what))
    return false;
  if (!p.exprs.names.count(name))
    return true;
  c.setPosition(start);
  return c.fail("'" + name + "' is declared twice");
}

bool HeaderParser::param() {
  Param param;
  if (!named(param.name, "the parameter's name") || !c.expect(":"))
    return false;
  auto [type, enumerators] = textUntil("=").split(" of ");
  auto [before, last] = type.rsplit(' ');
  param.isTemplate = last == "template";
  if (param.isTemplate)
    type = before.trim();
  if (type.empty())
    return c.fail("expected the parameter's type");
  param.type = type.str();
  while (!enumerators.empty()) {
    auto [value, rest] = enumerators.split(',');
    if (value.trim().getAsInteger(10, param.enumerators.emplace_back()))
      return c.fail("expected the enumerators of '" + param.name + "'");
    enumerators = rest;
  }
  if (c.eat("=") && !p.exprs.expr(param.definition.emplace()))
    return false;
  param.range = c.line();
  p.exprs.names[param.name] = paramVar(nest.params.size());
  nest.params.push_back(param);
  return end();
}

bool HeaderParser::role(StringRef word, Array &a) {
  static const StringRef roles[] = {"input", "output", "inout", "local"};
  const StringRef *role = find(roles, word);
  if (role == std::end(roles))
    return c.fail("expected the array's role: input, output, inout or local");
  a.role = Array::Role(role - std::begin(roles));
  return true;
}

bool HeaderParser::array() {
  size_t start = (c.skipBlanks(), c.position());
  Array a;
  if (!c.name(a.name, "the array's name"))
    return false;
  if (p.exprs.findArray(a.name)) {
    c.setPosition(start);
    return c.fail("array '" + a.name + "' is declared twice");
  }
  if (!c.expect(":"))
    return false;
  StringRef type = textUntil("[");
  StringRef roleWord;
  if (c.peek("[")) {
    while (c.eat("[")) {
      IndexExpr &extent = a.extents.emplace_back();
      if (!p.exprs.expr(extent) || !c.expect("]"))
        return false;
      if (extent.asConstant().value_or(0) < 0)
        return c.fail("array '" + a.name + "' has a negative extent");
    }
    roleWord = c.peekWord();
  } else {
    std::tie(type, roleWord) = type.rsplit(' ');
    type = type.trim();
  }
  if (!role(roleWord, a))
    return false;
  if (!a.extents.empty())
    c.advance(roleWord.size());
  if (type.empty())
    return c.fail("expected the type of the array's elements");
  a.elementType = type.str();
  if (c.eatWord("expanded") && !c.number(a.expandedDims, "how many dimensions"))
    return false;
  if (c.eatWord("footprint")) {
    std::vector<Bound> least;
    if (!p.exprs.bounds(least, "min"))
      return false;
    for (const Bound &b : least)
      a.footprint.push_back(
          b.divisor == 1
              ? b.expr
              : IndexExpr::floorDiv(b.expr + (b.divisor - 1), b.divisor));
  }
  if (!borders(a.borders) ||
      (c.eatWord("alias") && !p.exprs.array(a.alias.emplace())) ||
      (c.eatWord("buffer") && !buffer(a)) || !c.endLine(a.range))
    return false;
  nest.arrays.push_back(a);
  return true;
}

/// `border(none, clamp)`, or nothing.
bool HeaderParser::borders(std::vector<Border> &all) {
  if (!c.eatWord(AtBorder))
    return true;
  if (!c.expect("("))
    return false;
  do {
    const auto *name =
        find_if(BorderNames, [&](const char *word) { return c.eatWord(word); });
    if (name == std::end(BorderNames))
      return c.fail(
          "expected a border: none, clamp, reflect, symmetric or wrap");
    all.push_back(Border(name - std::begin(BorderNames)));
  } while (c.eat(","));
  return c.expect(")");
}

/// `of inputs shared fill "0.0f"`
bool HeaderParser::buffer(Array &a) {
  unsigned of = 0;
  if (!c.expectWord("of") || !p.exprs.array(of))
    return false;
  a.buffer = Buffer{of};
  for (auto [word, memory] : {std::pair("shared", Buffer::Shared),
                              std::pair("global", Buffer::Global),
                              std::pair("constant", Buffer::Constant)})
    if (c.eatWord(word))
      a.buffer->memory = memory;
  if (c.eatWord("fill") &&
      !c.string(a.buffer->fill, "the constant outside the array"))
    return false;
  return numbers("stride", "a stride", a.buffer->strides) &&
         layout(a.buffer->layout);
}

/// `order(0, 2, 1)`, or nothing.
template <typename T>
bool HeaderParser::numbers(StringRef word, const char *what,
                           std::vector<T> &all) {
  if (!c.eatWord(word))
    return true;
  if (!c.expect("("))
    return false;
  do {
    unsigned n = 0;
    if (!c.number(n, what))
      return false;
    all.push_back(T(n));
  } while (c.eat(","));
  return c.expect(")");
}

/// `order(0, 2, 1) pitch 4 vector 4 depth 2 bulk`, or `tensor`
bool HeaderParser::layout(BufferLayout &layout) {
  if (!numbers("order", "a dimension", layout.order))
    return false;
  for (auto [word, value, ordinary] : BufferLayout::numbersOf(layout))
    if (c.eatWord(word) && !c.integer(*value, "a whole number"))
      return false;
  for (auto kind : {BufferLayout::Bulk, BufferLayout::Tensor})
    if (c.eatWord(BufferLayout::copyKindNames[kind])) {
      layout.copyKind = kind;
      break;
    }
  return true;
}

bool HeaderParser::loops() {
  do {
    std::string name;
    unsigned id;
    if (!named(name, "a loop's name") || !p.loop(id, name))
      return false;
  } while (c.eat(","));
  return end();
}

/// A loop that has been declared.
bool HeaderParser::declaredLoop(unsigned &loop) {
  size_t start = (c.skipBlanks(), c.position());
  std::string name;
  if (!c.name(name, "a loop's name"))
    return false;
  auto found = p.exprs.names.find(name);
  if (found != p.exprs.names.end() && found->second.kind == Var::Loop) {
    loop = found->second.id;
    return true;
  }
  c.setPosition(start);
  return c.fail("no loop is called '" + name + "'");
}

/// `x_s[c][p = 14 * y + x] = x[c][y][x], y = floordiv(p, 14), x = p % 14`
bool HeaderParser::unfold() {
  size_t start = (c.skipBlanks(), c.position());
  unsigned buffer = 0;
  if (!p.exprs.array(buffer))
    return false;
  Array &a = nest.arrays[buffer];
  if (!a.buffer || a.buffer->unfolding) {
    c.setPosition(start);
    return c.fail("'" + a.name + "' is no buffer, or unfolded twice");
  }
  Unfolding u;
  while (c.eat("[")) {
    unsigned &dim = u.dims.emplace_back();
    if (!declaredLoop(dim))
      return false;
    IndexExpr &coordinate = u.coordinates.emplace_back(IndexExpr::loop(dim));
    if ((c.eat("=") && !p.exprs.expr(coordinate)) || !c.expect("]"))
      return false;
  }
  Access element;
  if (!c.expect("=") || !p.exprs.access(element))
    return false;
  if (element.array != a.buffer->of)
    return c.fail("'" + a.name + "' is a buffer of '" +
                  nest.arrays[a.buffer->of].name + "'");
  u.subscripts = element.subscripts;
  while (c.eat(",")) {
    auto &[iterator, value] = u.iterators.emplace_back();
    if (!declaredLoop(iterator) || !c.expect("=") || !p.exprs.expr(value))
      return false;
  }
  a.buffer->unfolding = std::move(u);
  return end();
}

bool HeaderParser::thread() {
  size_t start = (c.skipBlanks(), c.position());
  std::string loop, text;
  if (!c.name(loop, "a loop's name") ||
      !c.string(text, "what stands for the loop"))
    return false;
  threadLoops.push_back({loop, start});
  const auto [untiled, tile] = StringRef(text).split(" in tiles of ");
  const auto [first, by] = untiled.split(" by ");
  nest.function.threadMaps.push_back({0, first.str(), by.str(), tile.str()});
  return end();
}

bool HeaderParser::minBlocks() {
  if (!c.expectWord("blocks") ||
      !c.integer(nest.minBlocks, "a number of blocks"))
    return false;
  return nest.minBlocks < 1 ? c.fail("expected a positive number of blocks")
                            : end();
}

bool HeaderParser::launch() {
  Function &f = nest.function;
  for (unsigned d = 0; d != 3; ++d) {
    if (d == 0 ? !c.expectWord("grid") || !c.expect("(") : !c.expect(","))
      return false;
    if (!p.exprs.bound(f.grid[d]) ||
        (c.peek("\"") && !c.string(f.gridText[d], "C text")))
      return false;
    f.gridExact[d] = c.eatWord("exact");
  }
  if (!c.expect(")") || !c.expectWord("block") || !c.expect("("))
    return false;
  for (unsigned d = 0; d != 3; ++d) {
    if ((d && !c.expect(",")) || !p.exprs.expr(f.block[d]))
      return false;
    f.blockExact[d] = c.eatWord("exact");
  }
  return c.expect(")") && end();
}

bool HeaderParser::assume() {
  Assumption &a = nest.assumptions.emplace_back();
  return p.exprs.constraint(a.fact) &&
         (!c.eatWord("of") || p.exprs.array(a.spanned.emplace())) &&
         c.string(a.why, "the reason") && c.endLine(a.range);
}

bool HeaderParser::resolve() {
  auto fail = [&](const Reference &r, StringRef kind) {
    c.setPosition(r.position);
    return c.fail("no " + kind + " is called '" + r.name + "'");
  };
  for (auto [a, target] : zip(nest.function.arguments, argumentTargets)) {
    std::optional<unsigned> array = p.exprs.findArray(target.name);
    auto var = p.exprs.names.find(target.name);
    bool isParam = var != p.exprs.names.end() && var->second.kind == Var::Param;
    if (a.role == Argument::ArrayArg && !array)
      return fail(target, "array");
    if (a.role == Argument::ParamArg && !isParam)
      return fail(target, "parameter");
    if (a.role != Argument::ScalarArg)
      a.index = a.role == Argument::ArrayArg ? *array : var->second.id;
  }
  for (auto [map, target] : zip(nest.function.threadMaps, threadLoops)) {
    auto var = p.exprs.names.find(target.name);
    if (var == p.exprs.names.end() || var->second.kind != Var::Loop)
      return fail(target, "loop");
    map.loop = var->second.id;
  }
  return true;
}

Expected<Nest> parseNest(StringRef text) {
  Parsing p(text);
  HeaderParser header(p);
  if (!header.parse() || !BodyParser(p).parse() || !header.resolve())
    return p.cursor.takeError();
  RETURN_IF_ERROR(checkWellFormed(p.nest));
  return std::move(p.nest);
}

} // namespace convopt
