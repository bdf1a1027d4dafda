//===- HeaderParser.cpp - The header of .nest text ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "convopt/Nest/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

std::optional<unsigned> Parsing::loop(StringRef name) {
  auto it = exprs.names.find(name);
  if (it == exprs.names.end()) {
    unsigned id = nest.loopNames.size();
    nest.loopNames.push_back(name.str());
    exprs.names[name] = loopVar(id);
    return id;
  }
  if (it->second.kind == Var::Loop)
    return it->second.id;
  cursor.fail("'" + name + "' is a parameter and cannot be a loop");
  return std::nullopt;
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
  if (!c.expectWord("nest"))
    return false;
  std::optional<std::string> name = c.nameOrString("the function's name");
  if (!name || !c.expectWord("from"))
    return false;
  std::optional<std::string> file = c.string("the source file");
  std::optional<SourceRange> range;
  if (!file || !(range = c.endLine()))
    return false;
  nest.function.name = *name;
  nest.sourceFile = *file;
  nest.function.range = *range;
  return true;
}

bool HeaderParser::kernel() {
  nest.function.isKernel = true;
  return end();
}

bool HeaderParser::templateLine() {
  bool isArgument = c.eatWord("argument");
  std::optional<std::string> text = c.string("C++ text");
  if (!text)
    return false;
  if (isArgument) {
    nest.function.templateArgs.push_back(*text);
    if (c.eatWord("type")) {
      nest.function.typeParams.push_back(*text);
      if (c.eatWord("signed"))
        nest.function.signedParams.push_back(*text);
    }
  } else if (!nest.function.templateParameters.empty()) {
    return c.fail("a nest has one template head");
  } else {
    StringRef parameters = *text;
    if (!parameters.consume_front("template <") ||
        !parameters.consume_back(">"))
      return c.fail("expected \"template <...>\"");
    nest.function.templateParameters = parameters.str();
  }
  return end();
}

bool HeaderParser::parameter() {
  std::optional<std::string> name = c.nameOrString("the parameter's name");
  std::optional<std::string> type, object;
  if (!name || !(type = c.string("the parameter's type")))
    return false;
  if (c.eatWord("object") && !(object = c.string("the object's type")))
    return false;
  Parameter p{*type, *name, object.value_or(""), 0};
  if (!c.atLineEnd()) {
    std::optional<int64_t> elements = c.integer("a number of elements");
    if (!elements || *elements < 1 || *elements > INT32_MAX)
      return elements && c.fail("a pointer points at one element or more");
    p.elements = *elements;
  }
  nest.function.parameters.push_back(std::move(p));
  return end();
}

bool HeaderParser::argument() {
  std::optional<std::string> name = c.nameOrString("the argument's name");
  std::optional<std::string> type;
  if (!name || !(type = c.string("the argument's type")))
    return false;
  Argument a;
  a.name = *name;
  a.type = *type;
  if (c.eatWord("array"))
    a.role = Argument::ArrayArg;
  else if (c.eatWord("param"))
    a.role = Argument::ParamArg;
  else if (!c.expectWord("scalar"))
    return false;
  c.skipBlanks();
  Reference target{*name, c.position()};
  if (a.role != Argument::ScalarArg && !c.peekWord().empty() &&
      c.peekWord() != "from") {
    target.name = c.peekWord().str();
    c.advance(target.name.size());
  }
  if (c.eatWord("from")) {
    std::optional<std::string> source = c.string("the argument's source");
    if (!source)
      return false;
    a.source = *source;
    if (c.eatWord("in")) {
      std::optional<std::string> memory = c.string("the object that has it");
      if (!memory)
        return false;
      a.memory = *memory;
    }
    if (c.eatWord("of")) {
      std::optional<std::string> container = c.string("the container");
      if (!container)
        return false;
      a.container = *container;
    }
    if (c.eatWord("structures")) {
      std::optional<int64_t> numbers = c.integer("a number of elements");
      if (!numbers || *numbers < 1 || *numbers > INT32_MAX)
        return numbers && c.fail("a structure has one element or more");
      a.numbersEach = *numbers;
    }
    if (c.eatWord("variable")) {
      std::optional<int64_t> elements = c.integer("a number of elements");
      if (!elements || *elements < 1)
        return elements && c.fail("a variable has one element or more");
      a.elements = *elements;
      a.isConst = c.eatWord("const");
      a.isExtern = c.eatWord("extern");
    }
  }
  a.range = c.line();
  nest.function.arguments.push_back(a);
  argumentTargets.push_back(target);
  return end();
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

bool HeaderParser::param() {
  size_t start = (c.skipBlanks(), c.position());
  std::optional<std::string> name = c.name("the parameter's name");
  if (!name)
    return false;
  if (p.exprs.names.count(*name)) {
    c.setPosition(start);
    return c.fail("'" + *name + "' is declared twice");
  }
  if (!c.expect(":"))
    return false;
  Param param;
  param.name = *name;
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
      return c.fail("expected the enumerators of '" + *name + "'");
    enumerators = rest;
  }
  if (c.eat("=") && !(param.definition = p.exprs.expr()))
    return false;
  param.range = c.line();
  p.exprs.names[*name] = paramVar(nest.params.size());
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
  std::optional<std::string> name = c.name("the array's name");
  if (!name)
    return false;
  if (p.exprs.findArray(*name)) {
    c.setPosition(start);
    return c.fail("array '" + *name + "' is declared twice");
  }
  if (!c.expect(":"))
    return false;
  Array a;
  a.name = *name;
  StringRef type = textUntil("[");
  StringRef roleWord;
  if (c.peek("[")) {
    while (c.eat("[")) {
      std::optional<IndexExpr> extent = p.exprs.expr();
      if (!extent || !c.expect("]"))
        return false;
      if (extent->asConstant().value_or(0) < 0)
        return c.fail("array '" + a.name + "' has a negative extent");
      a.extents.push_back(*extent);
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
  if (c.eatWord("expanded")) {
    std::optional<unsigned> dims = c.number("how many dimensions");
    if (!dims)
      return false;
    a.expandedDims = *dims;
  }
  if (c.eatWord("footprint")) {
    std::optional<std::vector<Bound>> least = p.exprs.bounds("min");
    if (!least)
      return false;
    for (const Bound &b : *least)
      a.footprint.push_back(
          b.divisor == 1
              ? b.expr
              : IndexExpr::floorDiv(b.expr + (b.divisor - 1), b.divisor));
  }
  if (!borders(a.borders))
    return false;
  if (c.eatWord("alias") && !(a.alias = p.exprs.array()))
    return false;
  if (c.eatWord("buffer") && !buffer(a))
    return false;
  std::optional<SourceRange> range = c.endLine();
  if (!range)
    return false;
  a.range = *range;
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
  if (!c.expectWord("of"))
    return false;
  std::optional<unsigned> of = p.exprs.array();
  if (!of)
    return false;
  a.buffer = Buffer{*of};
  for (auto [word, memory] : {std::pair("shared", Buffer::Shared),
                              std::pair("global", Buffer::Global),
                              std::pair("constant", Buffer::Constant)})
    if (c.eatWord(word))
      a.buffer->memory = memory;
  if (c.eatWord("fill")) {
    std::optional<std::string> fill =
        c.string("the constant outside the array");
    if (!fill)
      return false;
    a.buffer->fill = *fill;
  }
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
    std::optional<unsigned> n = c.number(what);
    if (!n)
      return false;
    all.push_back(T(*n));
  } while (c.eat(","));
  return c.expect(")");
}

/// `order(0, 2, 1) pitch 4 vector 4 depth 2 bulk`, or `tensor`
bool HeaderParser::layout(BufferLayout &layout) {
  if (!numbers("order", "a dimension", layout.order))
    return false;
  for (auto [word, value, ordinary] : BufferLayout::numbersOf(layout))
    if (c.eatWord(word)) {
      std::optional<int64_t> n = c.integer("a whole number");
      if (!n)
        return false;
      *value = *n;
    }
  for (auto kind : {BufferLayout::Bulk, BufferLayout::Tensor})
    if (c.eatWord(BufferLayout::copyKindNames[kind])) {
      layout.copyKind = kind;
      break;
    }
  return true;
}

bool HeaderParser::loops() {
  do {
    size_t start = (c.skipBlanks(), c.position());
    std::optional<std::string> name = c.name("a loop's name");
    if (!name)
      return false;
    if (p.exprs.names.count(*name)) {
      c.setPosition(start);
      return c.fail("'" + *name + "' is declared twice");
    }
    p.loop(*name);
  } while (c.eat(","));
  return end();
}

/// A loop that has been declared.
std::optional<unsigned> HeaderParser::declaredLoop() {
  size_t start = (c.skipBlanks(), c.position());
  std::optional<std::string> name = c.name("a loop's name");
  if (!name)
    return std::nullopt;
  auto found = p.exprs.names.find(*name);
  if (found != p.exprs.names.end() && found->second.kind == Var::Loop)
    return found->second.id;
  c.setPosition(start);
  c.fail("no loop is called '" + *name + "'");
  return std::nullopt;
}

/// `x_s[c][p = 14 * y + x] = x[c][y][x], y = floordiv(p, 14), x = p % 14`
bool HeaderParser::unfold() {
  size_t start = (c.skipBlanks(), c.position());
  std::optional<unsigned> buffer = p.exprs.array();
  if (!buffer)
    return false;
  Array &a = nest.arrays[*buffer];
  if (!a.buffer || a.buffer->unfolding) {
    c.setPosition(start);
    return c.fail("'" + a.name + "' is no buffer, or unfolded twice");
  }
  Unfolding u;
  while (c.eat("[")) {
    std::optional<unsigned> dim = declaredLoop();
    if (!dim)
      return false;
    std::optional<IndexExpr> coordinate = IndexExpr::loop(*dim);
    if (c.eat("=") && !(coordinate = p.exprs.expr()))
      return false;
    if (!c.expect("]"))
      return false;
    u.dims.push_back(*dim);
    u.coordinates.push_back(*coordinate);
  }
  if (!c.expect("="))
    return false;
  std::optional<Access> element = p.exprs.access();
  if (!element)
    return false;
  if (element->array != a.buffer->of)
    return c.fail("'" + a.name + "' is a buffer of '" +
                  nest.arrays[a.buffer->of].name + "'");
  u.subscripts = element->subscripts;
  while (c.eat(",")) {
    std::optional<unsigned> iterator = declaredLoop();
    if (!iterator || !c.expect("="))
      return false;
    std::optional<IndexExpr> value = p.exprs.expr();
    if (!value)
      return false;
    u.iterators.push_back({*iterator, *value});
  }
  a.buffer->unfolding = std::move(u);
  return end();
}

bool HeaderParser::thread() {
  size_t start = (c.skipBlanks(), c.position());
  std::optional<std::string> loop = c.name("a loop's name");
  std::optional<std::string> text;
  if (!loop || !(text = c.string("what stands for the loop")))
    return false;
  threadLoops.push_back({*loop, start});
  const auto [untiled, tile] = StringRef(*text).split(" in tiles of ");
  const auto [first, by] = untiled.split(" by ");
  nest.function.threadMaps.push_back({0, first.str(), by.str(), tile.str()});
  return end();
}

bool HeaderParser::minBlocks() {
  if (!c.expectWord("blocks"))
    return false;
  std::optional<int64_t> count = c.integer("a number of blocks");
  if (!count)
    return false;
  if (*count < 1)
    return c.fail("expected a positive number of blocks");
  nest.minBlocks = *count;
  return end();
}

bool HeaderParser::launch() {
  Function &f = nest.function;
  for (unsigned d = 0; d != 3; ++d) {
    if (d == 0 ? !c.expectWord("grid") || !c.expect("(") : !c.expect(","))
      return false;
    std::optional<Bound> extent = p.exprs.bound();
    if (!extent)
      return false;
    f.grid[d] = *extent;
    if (c.peek("\"")) {
      std::optional<std::string> text = c.string("C text");
      if (!text)
        return false;
      f.gridText[d] = *text;
    }
    f.gridExact[d] = c.eatWord("exact");
  }
  if (!c.expect(")") || !c.expectWord("block") || !c.expect("("))
    return false;
  for (unsigned d = 0; d != 3; ++d) {
    std::optional<IndexExpr> extent;
    if ((d && !c.expect(",")) || !(extent = p.exprs.expr()))
      return false;
    f.block[d] = *extent;
    f.blockExact[d] = c.eatWord("exact");
  }
  return c.expect(")") && end();
}

bool HeaderParser::assume() {
  std::optional<Constraint> fact = p.exprs.constraint();
  std::optional<std::string> why;
  std::optional<unsigned> spanned;
  if (!fact || (c.eatWord("of") && !(spanned = p.exprs.array())) ||
      !(why = c.string("the reason")))
    return false;
  std::optional<SourceRange> range = c.endLine();
  if (range)
    nest.assumptions.push_back({*fact, *why, *range, spanned});
  return range.has_value();
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
  if (Error e = checkWellFormed(p.nest))
    return e;
  return std::move(p.nest);
}

} // namespace convopt
