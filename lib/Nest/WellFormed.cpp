//===- WellFormed.cpp - What every nest must keep to ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Text.h"
#include "convopt/Source/CTypes.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

bool Checker::fail(const Twine &message) {
  failure = message.str();
  return false;
}

Error Checker::run() {
  seen.resize(nest.loopNames.size());
  if (names() && params() && arrays() && function() && body(nest.body))
    return Error::success();
  return refuse("well-formed", failure, place);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

bool Checker::declare(StringSet<> &taken, const std::string &name,
                      StringRef kind) {
  if (!isIdentifier(name))
    return fail(kind + " '" + name + "' is not named by an identifier");
  return taken.insert(name).second ||
         fail(kind + " '" + name + "' has a name that is taken");
}

bool Checker::names() {
  StringSet<> variables, arrays;
  for (const Param &p : nest.params)
    if (!declare(variables, p.name, "parameter"))
      return false;
  for (const std::string &l : nest.loopNames)
    if (!declare(variables, l, "loop"))
      return false;
  for (const Array &a : nest.arrays)
    if (!declare(arrays, a.name, "array"))
      return false;
  return true;
}

bool Checker::over(const IndexExpr &e, ArrayRef<unsigned> loops,
                   const Twine &what) {
  if (!e.isValid())
    return fail(what + " overflows");
  for (Var v : e.vars()) {
    bool known = v.kind == Var::Param ? v.id < nest.params.size()
                                      : v.id < nest.loopNames.size();
    if (!known)
      return fail(what + " uses a variable that the nest does not have");
    if (v.kind == Var::Loop && !is_contained(loops, v.id))
      return fail(what + " uses '" + nest.name(v) + "', which is out of scope");
  }
  return true;
}

bool Checker::overParams(const IndexExpr &e, const Twine &what) {
  return over(e, {}, what);
}

/// Why \p type cannot be printed as a type.
static std::string whyNoType(StringRef type) {
  std::string why = whyUnprintable(type);
  if (why.empty() && type.find_first_of("={;\"'") != StringRef::npos)
    why = "has a '=', '{', ';' or quote";
  std::string open; // brackets; within others than `<`, that may compare
  auto isExpression = [&] {
    return open.find_first_of("([") != std::string::npos;
  };
  for (char ch : type)
    if (ch == '(' || ch == '[' || (ch == '<' && !isExpression()))
      open += ch;
    else if (ch == ')' || ch == ']' || (ch == '>' && !isExpression())) {
      if (open.empty() ||
          open.back() != (ch == ')' ? '(' : ch == ']' ? '[' : '<'))
        return "has a '" + std::string(1, ch) + "' that closes nothing";
      open.pop_back();
    }
  if (why.empty() && !open.empty())
    why = "has a '" + open.substr(0, 1) + "' that is not closed";
  return why;
}

/// The same of one that has a name of its own.
static std::string whyNoNamedType(StringRef type) {
  if (type.find_first_of("[@*&") != StringRef::npos)
    return "has a '[', '@', '*' or '&'";
  return whyNoType(type);
}

/// Whether a name stands in the place of the `@` of \p type, and all of it is a
/// type.
bool Checker::declarator(const std::string &name, StringRef type) {
  const size_t names = type.count('@');
  if (names != 1)
    return fail("the type of argument '" + name + "' has " +
                (names == 0 ? "no '@'" : "more than one '@'") +
                " where the name stands");
  const auto [before, after] = type.split('@');
  const std::string why = whyNoType((before + name + after).str());
  return why.empty() || fail("the type of argument '" + name + "' " + why);
}

/// Whether the type of \p a is one of what it stands for.
bool Checker::argument(const Argument &a) {
  if (!declarator(a.name, a.type))
    return false;
  const StringRef type = a.type;
  const auto isPointer = [](char ch) { return ch == '*' || ch == '['; };
  const size_t levels = count_if(type, isPointer);
  if (a.role == Argument::ParamArg && levels != 0)
    return fail("size '" + a.name + "' is a pointer or an array");
  if (a.role == Argument::ArrayArg && levels == 0)
    return fail("array '" + a.name + "' is neither a pointer nor an array");
  if (a.launch && !nest.function.isKernel)
    return fail("size '" + a.name + "' is of the launch of what is no kernel");
  return true;
}

bool Checker::params() {
  for (auto [id, p] : enumerate(nest.params)) {
    place = p.range;
    std::string why = whyNoNamedType(p.type);
    if (why.empty() && (isFloating(p.type) || p.type == "void"))
      why = "is none of integers";
    if (!why.empty())
      return fail("the type of parameter '" + p.name + "' " + why);
    if (!p.definition)
      continue;
    if (!overParams(*p.definition, "the value of parameter '" + p.name + "'"))
      return false;
    for (Var v : p.definition->vars())
      if (v.id >= id)
        return fail("the value of parameter '" + p.name + "' uses '" +
                    nest.name(v) + "', which is not declared before it");
    if (!nest.expandDefinitions(*p.definition).isValid())
      return fail("the value of parameter '" + p.name +
                  "' overflows, or is too large with the values of others in "
                  "it");
  }
  return true;
}

/// Whether \p a is as the input that it is another name for.
bool Checker::isAlias(const Array &a) const {
  const Array &of = nest.arrays[*a.alias];
  return of.role == Array::Input && a.role == Array::Input && !of.alias &&
         a.elementType == of.elementType && a.extents == of.extents &&
         a.footprint == of.footprint && a.borders == of.borders;
}

bool Checker::footprint(const Array &a) {
  const std::optional<int64_t> whole = wholeOf(nest, a).asConstant();
  for (const IndexExpr &e : a.footprint) {
    if (!overParams(e, "the footprint of array '" + a.name + "'"))
      return false;
    const std::optional<int64_t> elements = nest.constantOf(e);
    if (elements && (*elements < 0 || (whole && *elements > *whole)))
      return fail("the footprint of array '" + a.name + "' is " +
                  Twine(*elements) + ", which its extents do not have");
  }
  return true;
}

bool Checker::arrays() {
  for (const Array &a : nest.arrays) {
    place = a.range;
    std::string why = whyNoNamedType(a.elementType);
    if (!why.empty())
      return fail("the element type of array '" + a.name + "' " + why);
    if (!footprint(a))
      return false;
    if (a.expandedDims > a.extents.size() || (a.expandedDims && !a.isLocal()))
      return fail("array '" + a.name + "' cannot have " +
                  Twine(a.expandedDims) + " expanded dimensions");
    if (a.alias && !isAlias(a))
      return fail("array '" + a.name + "' is no other name for '" +
                  nest.arrays[*a.alias].name +
                  "': it is to be an input with its elements");
    if (!a.borders.empty() &&
        (a.role != Array::Input || a.borders.size() != a.extents.size()))
      return fail("array '" + a.name + "' cannot have " +
                  Twine(a.borders.size()) +
                  " borders: an input has one for each dimension");
    for (auto [d, e] : enumerate(a.extents)) {
      if (!overParams(e, "an extent of array '" + a.name + "'"))
        return false;
      const int64_t elements = nest.constantOf(e).value_or(1);
      if (a.buffer && elements < 1)
        return fail("buffer '" + a.name + "' has no element");
      if (a.buffer && elements > INT32_MAX)
        return fail("a dimension of buffer '" + a.name + "' has " +
                    Twine(elements) + " elements, which an int cannot count");
      if (d < a.expandedDims && e.asConstant().value_or(0) <= 0)
        return fail("expanded dimension " + Twine(d) + " of array '" + a.name +
                    "' has no constant extent");
    }
    if (a.buffer && !buffer(a))
      return false;
  }
  return true;
}

static constexpr const char *OnlyShared = "only shared buffers have it";

/// What a number of a layout may be, and of which buffers.
struct Limit {
  int64_t most;
  const char *what;
  bool isPower = false, isOfShared = false;
};

static std::optional<LayoutFault> numberFault(const Buffer &b, size_t rank) {
  // In the order of BufferLayout::numbersOf.
  const std::array limits{
      Limit{1024, "elements"},
      Limit{16, "elements", true},
      Limit{8, "boxes", false, true},
      Limit{1024, "elements"},
      Limit{std::max<int64_t>(rank, 1), "dimensions", false, true},
      Limit{16, "elements", true, true},
      Limit{1, "", false, true}};
  for (const auto &[number, limit] :
       zip_equal(BufferLayout::numbersOf(b.layout), limits)) {
    const auto &[key, value, ordinary] = number;
    if (*value == ordinary)
      continue;
    const std::string option = std::string(key) + ":" + std::to_string(*value);
    if (limit.most == 1 && *value != 1)
      return {{option, "give 1, or leave it off"}};
    if (*value < 1 || *value > limit.most ||
        (limit.isPower && !isPowerOf2_64(*value)))
      return {{option, (limit.isPower ? "give 1, 2, 4, 8 or " : "give 1 to ") +
                           std::to_string(limit.most) + " " + limit.what}};
    if (limit.isOfShared && b.memory != Buffer::Shared)
      return {{option, OnlyShared}};
  }
  return std::nullopt;
}

std::optional<LayoutFault> faultOf(const Buffer &b, size_t rank) {
  const BufferLayout &l = b.layout;
  std::vector<unsigned> sorted = l.order;
  llvm::sort(sorted);
  if (!sorted.empty() && !equal(sorted, seq<unsigned>(rank))) {
    auto text = [](unsigned d) { return std::to_string(d); };
    return {{"order:" + join(map_range(l.order, text), "."),
             "name each of its dimensions, 0 to " + std::to_string(rank - 1) +
                 ", once"}};
  }
  if (auto fault = numberFault(b, rank))
    return fault;
  const std::string kind = BufferLayout::copyKindNames[l.copyKind],
                    linear = "linear:" + std::to_string(l.linear);
  const bool isByTma = !kind.empty(), isLinear = l.linear != 1;
  const auto inner = ArrayRef(l.order).take_back(l.linear);
  const bool isMoved =
      !inner.empty() && !equal(inner, seq<unsigned>(rank - l.linear, rank));
  using Given = std::pair<bool, std::string>;
  const Given sparse{!b.isDense(), "the stride"}, blocks{l.block != 1, "block"},
      swizzle{l.swizzle != 0, "the swizzle"}, pitch{l.pitch != 1, "the pitch"},
      asArray{isLinear, "linear"};
  // What is given, what that means, and what is then not.
  const std::tuple<Given, const char *, std::vector<Given>> needs[] = {
      {{b.unfolding.has_value(), "unfolded"},
       "threads or the launcher fill it element by element",
       {sparse, {isByTma, kind}, asArray}},
      {{b.fill == AtBorder, "a border"},
       "threads of the kernel copy element by element",
       {{isByTma, kind}, {b.isOnHost(), "launch"}, asArray}},
      {{isByTma, kind},
       "a row must lie in one piece",
       {sparse, blocks, swizzle}},
      {{isLinear, linear},
       "rows lie as in the array",
       {sparse,
        blocks,
        swizzle,
        pitch,
        {isMoved, "the order"},
        {!b.fill.empty(), "the fill"}}},
      {{l.async != 0, "async:1"},
       "threads wait for the copies of one box",
       {{l.depth != 1, "the depth"}, {isByTma, kind}}},
      {{l.copyKind == BufferLayout::Tensor, kind},
       "TMA brings a box without gaps, in the array's order",
       {pitch, {!is_sorted(l.order), "the order"}, asArray}}};
  for (const auto &[option, meaning, without] : needs)
    for (const auto &[isGiven, what] : without)
      if (option.first && isGiven)
        return {
            {option.second, std::string(meaning) + ": take " + what + " off"}};
  if (isByTma && b.memory != Buffer::Shared)
    return {{kind, OnlyShared}};
  if (isByTma && l.vector == 1)
    return {{kind, "give it a vector of 16 bytes"}};
  if (b.unfolding && b.memory == Buffer::Constant)
    return {{"unfolded", "have threads copy it to shared memory"}};
  return std::nullopt;
}

bool Checker::buffer(const Array &a) {
  if (a.buffer->of >= nest.arrays.size())
    return fail("buffer '" + a.name + "' is of no array");
  const Array &of = nest.arrays[a.buffer->of];
  if (!a.isLocal() || a.expandedDims != 0 || of.isLocal())
    return fail("buffer '" + a.name +
                "' must be a local array without expanded dimensions, of an "
                "array that is not local");
  if (a.buffer->unfolding) {
    if (!unfolding(a))
      return false;
  } else if (a.extents.size() != of.extents.size()) {
    return fail("buffer '" + a.name + "' has " + Twine(a.extents.size()) +
                " dimensions, '" + of.name + "' has " +
                Twine(of.extents.size()));
  }
  if (a.elementType != of.elementType)
    return fail("buffer '" + a.name + "' has elements of " + a.elementType +
                ", '" + of.name + "' of " + of.elementType);
  const std::vector<int64_t> &strides = a.buffer->strides;
  if ((!strides.empty() && strides.size() != a.extents.size()) ||
      any_of(strides, [](int64_t g) { return g < 1 || g > 65536; }))
    return fail("buffer '" + a.name +
                "' needs a stride of 1 to 65536 for each dimension");
  if (const auto fault = faultOf(*a.buffer, a.extents.size()))
    return fail("buffer '" + a.name + "' cannot have " + fault->option + ": " +
                fault->remedy);
  if (!linear(a))
    return false;
  if (a.buffer->fill.empty())
    return true;
  if (a.buffer->fill == AtBorder)
    return !of.borders.empty() ||
           fail("buffer '" + a.name + "' has a border, '" + of.name +
                "' has none");
  std::string why = whyNoValue(a.buffer->fill);
  return why.empty() || fail("the fill of buffer '" + a.name + "' " + why);
}

bool Checker::unfolding(const Array &a) {
  const Buffer &b = *a.buffer;
  const Unfolding &u = *b.unfolding;
  const std::string what = "unfolded buffer '" + a.name + "'";
  const size_t rank = nest.arrays[b.of].extents.size();
  if (u.dims.size() != a.extents.size() ||
      u.dims.size() != u.coordinates.size())
    return fail(what + " has " + Twine(a.extents.size()) + " dimensions and " +
                Twine(u.dims.size()) + " coordinates");
  if (u.subscripts.size() != rank)
    return fail(what + " gives " + Twine(u.subscripts.size()) +
                " subscripts to '" + nest.arrays[b.of].name + "'");
  // Every iterator is a coordinate or a function of these.
  std::vector<unsigned> known = u.dims;
  for (const auto &[iterator, value] : u.iterators) {
    const std::set<Var> vars = value.vars();
    if (vars.size() != 1 || !is_contained(u.dims, vars.begin()->id) ||
        vars.begin()->kind != Var::Loop)
      return fail("an iterator of " + what +
                  " is no function of one coordinate");
    known.push_back(iterator);
  }
  if (std::set<unsigned>(known.begin(), known.end()).size() != known.size())
    return fail(what + " names a variable twice");
  return all_of(u.subscripts, [&](const IndexExpr &e) {
    return over(e, known, "a subscript of " + what);
  });
}

bool Checker::linear(const Array &a) {
  const Array &of = nest.arrays[a.buffer->of];
  int64_t rank = a.extents.size(), linear = a.buffer->layout.linear;
  for (int64_t d = rank - linear + 1; d < rank; ++d) {
    auto box = nest.constantOf(a.extents[d]);
    auto whole = nest.constantOf(of.extents[d]);
    if (!box || !whole || *box < *whole)
      return fail("linear buffer '" + a.name +
                  "' must have the whole of dimension " + Twine(d) +
                  ", of constant extent");
  }
  return true;
}

bool Checker::function() {
  const Function &f = nest.function;
  place = f.range;
  if (StringRef(f.templateParameters).contains(';'))
    return fail("the template head is none: " + f.templateHead());
  StringSet<> arguments;
  for (const Argument &a : f.arguments) {
    place = a.range;
    if (!arguments.insert(a.name).second)
      return fail("argument '" + a.name + "' is given twice");
    if (!argument(a))
      return false;
    size_t size = a.role == Argument::ArrayArg   ? nest.arrays.size()
                  : a.role == Argument::ParamArg ? nest.params.size()
                                                 : a.index + 1;
    if (a.index >= size)
      return fail("argument '" + a.name + "' stands for nothing in the nest");
    for (const auto &[id, p] : enumerate(nest.params))
      if (p.name == a.name && (a.role != Argument::ParamArg || a.index != id))
        return fail("argument '" + a.name +
                    "' is not the parameter of this name");
    for (const auto &[id, array] : enumerate(nest.arrays))
      if (array.name == a.name && !array.isLocal() &&
          (a.role != Argument::ArrayArg || a.index != id))
        return fail("argument '" + a.name + "' is not the array of this name");
  }
  place = f.range;
  for (const std::string &t : f.typeParams)
    if (!is_contained(f.templateArgs, t))
      return fail("type '" + t + "' is no template argument");
  for (const ThreadMap &t : f.threadMaps)
    if (t.loop >= nest.loopNames.size())
      return fail("threads stand for a loop that the nest does not have");
  for (const Bound &b : f.grid)
    if (!overParams(b.expr, "the grid of the launch") ||
        (b.divisor <= 0 && !fail("the grid of the launch divides by a number "
                                 "that is not positive")))
      return false;
  for (const IndexExpr &extent : f.block)
    if (!overParams(extent, "a block extent of the launch") ||
        (extent.asConstant().value_or(1) <= 0 &&
         !fail("a block extent of the launch is not positive")))
      return false;
  for (const Assumption &a : nest.assumptions)
    if (!overParams(a.fact.expr, "an assumption") ||
        (a.spanned && *a.spanned >= nest.arrays.size() &&
         !fail("an assumption is of an array that is not declared")))
      return false;
  return true;
}

Error checkWellFormed(const Nest &nest) { return Checker(nest).run(); }

} // namespace convopt
