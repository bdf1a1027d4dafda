//===- Nest.cpp - The loop nest, a small tree of values -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Nest.h"
#include "convopt/Nest/Rows.h"

using namespace llvm;

namespace convopt {

std::optional<LoopKind> parseLoopKind(StringRef text) {
  const auto name = find(loopKindNames, text);
  return name == std::end(loopKindNames)
             ? std::nullopt
             : std::optional(static_cast<LoopKind>(name - loopKindNames));
}

std::string LaunchSize::str(StringRef grid, StringRef block) const {
  std::string text;
  if (blocks)
    text = (grid + ".").str() + "xyz"[*blocks];
  if (blocks && threads)
    text += " * ";
  if (threads)
    text += (block + ".").str() + "xyz"[*threads];
  return text;
}

std::string Argument::text() const {
  return launch ? launch->str("::gridDim", "::blockDim")
                : source + (isPresence ? " != 0" : "");
}

bool Function::hasParts() const {
  return !parameters.empty() ||
         any_of(arguments, std::mem_fn(&Argument::isPart));
}

std::vector<Parameter> Function::signature() const {
  std::vector<Parameter> all = parameters;
  if (!hasParts())
    for (const Argument &a : arguments)
      all.push_back({a.type, a.name});
  return all;
}

std::vector<std::string> Function::objectsToTest() const {
  std::vector<std::string> all;
  for (const Argument &a : arguments)
    if (!a.memory.empty() && !(isKernel && a.elements) &&
        !is_contained(all, a.memory))
      all.push_back(a.memory);
  return all;
}

std::string Function::templateHead() const {
  return templateParameters.empty() ? ""
                                    : "template <" + templateParameters + ">";
}

std::shared_ptr<Statement> mapAccesses(const Statement &s,
                                       function_ref<void(Access &)> f) {
  auto copy = std::make_shared<Statement>(s);
  f(copy->target);
  for (Operand &o : copy->operands)
    if (o.kind == Operand::Read)
      f(o.access);
  return copy;
}

bool Statement::accumulates() const {
  return isReduction() || any_of(readsOf(*this), [&](const Operand &o) {
           return o.access == target;
         });
}

bool Nest::hasName(StringRef name) const {
  return is_contained(loopNames, name) ||
         any_of(params, [&](const Param &p) { return p.name == name; }) ||
         any_of(arrays, [&](const Array &a) { return a.name == name; });
}

void addArgument(Nest &nest, unsigned array) {
  const Array &a = nest.arrays[array];
  Argument argument;
  argument.type =
      (a.role == Array::Input ? "const " : "") + a.elementType + " *@";
  argument.name = a.name;
  argument.role = Argument::ArrayArg;
  argument.index = array;
  if (nest.function.hasParts())
    nest.function.parameters.push_back({argument.type, argument.name});
  nest.function.arguments.push_back(std::move(argument));
}

/// `y_r` for the `y_r_2` that addLoopName made of it; else \p name.
static std::string unnumbered(const Nest &nest, StringRef name) {
  auto [base, number] = name.rsplit('_');
  unsigned n;
  bool made = !number.getAsInteger(10, n) && n >= 2 && number[0] != '0' &&
              is_contained(nest.loopNames, base.str());
  return (made ? base : name).str();
}

unsigned Nest::addLoopName(const std::string &name) {
  std::string unique = name;
  if (hasName(unique)) {
    std::string base = unnumbered(*this, name);
    for (unsigned n = 2; hasName(unique); ++n)
      unique = base + "_" + std::to_string(n);
  }
  loopNames.push_back(unique);
  return loopNames.size() - 1;
}

IndexExpr Nest::expandDefinitions(const IndexExpr &e) const {
  // A definition is over smaller ids, so going downwards meets each once.
  IndexExpr expanded = e;
  for (unsigned id = params.size(); id-- > 0;)
    if (params[id].definition && expanded.uses(paramVar(id)))
      expanded = expanded.substitute(paramVar(id), *params[id].definition);
  return expanded;
}

const Body *bodyOf(const Node &n) {
  if (const auto *loop = dyn_cast<Loop>(&n))
    return &loop->body;
  const auto *guard = dyn_cast<Guard>(&n);
  return guard ? &guard->body : nullptr;
}

NodeRef withBody(const Node &n, Body body) {
  auto with = [&](auto copy) {
    copy->body = std::move(body);
    return NodeRef(std::move(copy));
  };
  if (const auto *loop = dyn_cast<Loop>(&n))
    return with(std::make_shared<Loop>(*loop));
  return with(std::make_shared<Guard>(cast<Guard>(n)));
}

using Visitor = function_ref<void(const Node &, const std::vector<NodeRef> &)>;

static void walkInside(const Body &body, std::vector<NodeRef> &enclosing,
                       Visitor f) {
  for (const NodeRef &node : body) {
    f(*node, enclosing);
    const Body *inner = bodyOf(*node);
    if (!inner)
      continue;
    enclosing.push_back(node);
    walkInside(*inner, enclosing, f);
    enclosing.pop_back();
  }
}

void walk(const Body &body, Visitor f) {
  std::vector<NodeRef> enclosing;
  walkInside(body, enclosing, f);
}

std::vector<StatementPath> statements(const Nest &nest) {
  std::vector<StatementPath> result;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    if (const auto *s = dyn_cast<Statement>(&n))
      result.push_back({s, enclosing});
  });
  return result;
}

std::vector<const Loop *> loops(const Nest &nest) {
  return collect<Loop>(nest.body);
}

std::vector<Constraint> conditions(const Nest &nest) {
  std::vector<Constraint> all;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *g = dyn_cast<Guard>(&n))
      append_range(all, g->conditions);
    if (const auto *s = dyn_cast<Statement>(&n))
      for (const Operand &o : s->operands)
        append_range(all, o.guard);
  });
  return all;
}

const Copy *copyOf(const Nest &nest, unsigned buffer) {
  const Copy *found = nullptr;
  for (const Copy *c : collect<Copy>(nest.body))
    if (c->buffer == buffer)
      found = c;
  return found;
}

using Replacement = function_ref<std::optional<Body>(const NodeRef &)>;

/// \p node with \p f applied inside; the same pointer where nothing changed.
Body rewrite(const Body &body, Replacement f) {
  Body result;
  for (const NodeRef &node : body) {
    const Body *old = bodyOf(*node);
    if (std::optional<Body> replacement = f(node)) {
      append_range(result, *replacement);
      continue;
    }
    Body inner = old ? rewrite(*old, f) : Body();
    result.push_back(old && inner != *old ? withBody(*node, std::move(inner))
                                          : node);
  }
  return result;
}

Body withoutStatements(const Body &body, ArrayRef<unsigned> ids) {
  Body result = rewrite(body, [&](const NodeRef &n) -> std::optional<Body> {
    if (const Body *old = bodyOf(*n)) {
      Body left = withoutStatements(*old, ids);
      return left.empty() ? Body() : Body{withBody(*n, std::move(left))};
    }
    const auto *s = dyn_cast<Statement>(n.get());
    return s && is_contained(ids, s->id) ? std::optional(Body()) : std::nullopt;
  });
  // Locals that nothing is left to use.
  const bool isLeft =
      any_of(result, [](const NodeRef &n) { return !isa<Local>(n.get()); });
  return isLeft ? result : Body();
}

namespace {

/// Substitution of current loops in every kind of node.
class LoopSubstitution {
public:
  LoopSubstitution(const Nest &nest,
                   function_ref<std::optional<IndexExpr>(Var)> map)
      : nest(nest), map(map) {}

  NodeRef apply(const NodeRef &node) const {
    if (const auto *loop = dyn_cast<Loop>(node.get()))
      return apply(*loop);
    if (const auto *guard = dyn_cast<Guard>(node.get()))
      return apply(*guard);
    if (const auto *statement = dyn_cast<Statement>(node.get()))
      return apply(*statement);
    if (const auto *copy = dyn_cast<Copy>(node.get()))
      return apply(*copy);
    return node;
  }

  Body apply(const Body &body) const {
    Body result;
    for (const NodeRef &node : body)
      result.push_back(apply(node));
    return result;
  }

private:
  NodeRef apply(const Loop &old) const {
    auto loop = std::make_shared<Loop>(old);
    for (auto *bounds : {&loop->lower, &loop->upper})
      for (Bound &b : *bounds)
        b.expr = b.expr.substitute(map);
    loop->body = apply(old.body);
    return loop;
  }

  NodeRef apply(const Guard &old) const {
    auto guard = std::make_shared<Guard>(old);
    for (Constraint &c : guard->conditions)
      c.expr = c.expr.substitute(map);
    guard->body = apply(old.body);
    return guard;
  }

  NodeRef apply(const Statement &old) const {
    auto statement = std::make_shared<Statement>(old);
    for (IndexExpr &e : statement->instance)
      e = e.substitute(map);
    apply(statement->target);
    for (Operand &o : statement->operands)
      if (o.kind == Operand::Read)
        apply(o.access);
    return statement;
  }

  NodeRef apply(const Copy &old) const {
    auto copy = std::make_shared<Copy>(old);
    for (IndexExpr &e : copy->base)
      e = e.substitute(map);
    return copy;
  }

  void apply(Access &access) const {
    for (unsigned d = 0; d != nest.arrays[access.array].expandedDims; ++d)
      access.subscripts[d] = access.subscripts[d].substitute(map);
  }

  const Nest &nest;
  function_ref<std::optional<IndexExpr>(Var)> map;
};

} // namespace

Body substituteLoops(const Nest &nest, const Body &body,
                     function_ref<std::optional<IndexExpr>(Var)> map) {
  return LoopSubstitution(nest, map).apply(body);
}

const std::vector<IndexExpr> &coordinatesOf(const Access &a,
                                            const Array &buffer) {
  const std::optional<Unfolding> &unfolding = buffer.buffer->unfolding;
  return unfolding ? unfolding->coordinates : a.subscripts;
}

IndexExpr placeOf(const Nest &nest, const Array &buffer, size_t dim,
                  const IndexExpr &distance) {
  const int64_t stride = buffer.buffer->stride(dim);
  // The index of a loop of one iteration would leave a quotient.
  return stride == 1 ? distance
                     : IndexExpr::floorDiv(inOnlyIterations(nest, distance),
                                           IndexExpr(stride));
}

IndexExpr reachOf(const Array &buffer, size_t dim) {
  return IndexExpr(buffer.buffer->stride(dim)) * (buffer.extents[dim] - 1);
}

std::vector<unsigned> orderWithLast(unsigned rank, unsigned last) {
  std::vector<unsigned> order;
  for (unsigned d = 0; d != rank; ++d)
    if (d != last)
      order.push_back(d);
  order.push_back(last);
  return order;
}

IndexExpr wholeOf(const Nest &nest, const Array &array) {
  IndexExpr product = 1;
  for (const IndexExpr &e : array.extents)
    product = product * nest.expandDefinitions(e);
  return product;
}

std::vector<IndexExpr> shortfalls(const Nest &nest, const Array &array) {
  std::vector<IndexExpr> all;
  for (const IndexExpr &e : array.footprint)
    all.push_back(nest.expandDefinitions(e) - wholeOf(nest, array));
  return all;
}

void simplifyFootprint(const Nest &nest, Array &array) {
  IndexExpr whole = wholeOf(nest, array);
  std::vector<IndexExpr> bounds, kept;
  for (const IndexExpr &e : array.footprint) {
    IndexExpr bound = nest.expandDefinitions(e);
    bounds.push_back((bound - whole).asConstant().value_or(-1) < 0 ? bound
                                                                   : whole);
  }
  for (size_t k = 0; k != bounds.size(); ++k) {
    bool isLeast = true;
    for (size_t j = 0; j != bounds.size(); ++j) {
      int64_t more = (bounds[k] - bounds[j]).asConstant().value_or(-1);
      isLeast &= j == k || more < 0 || (more == 0 && j > k);
    }
    if (isLeast)
      kept.push_back(bounds[k] == whole ? whole : array.footprint[k]);
  }
  bool isWhole = kept.size() == 1 && kept[0] == whole;
  array.footprint = isWhole ? std::vector<IndexExpr>() : std::move(kept);
}

void readWhole(Nest &nest, unsigned array) {
  for (Assumption &a : nest.assumptions)
    if (a.spanned == array)
      a.spanned.reset();
}

IndexExpr overCurrentLoops(const Statement &s, const IndexExpr &e) {
  return e.substitute([&](Var v) -> std::optional<IndexExpr> {
    for (size_t i = 0; i != s.iterators.size(); ++i)
      if (v == loopVar(s.iterators[i]))
        return s.instance[i];
    return std::nullopt;
  });
}

std::vector<Constraint> loopConstraints(const Loop &l) {
  std::vector<Constraint> result;
  IndexExpr i = IndexExpr::loop(l.id);
  for (const Bound &b : l.lower)
    result.push_back({Constraint::NonNegative, i * b.divisor - b.expr});
  for (const Bound &b : l.upper)
    result.push_back({Constraint::NonNegative, b.expr - 1 - i * b.divisor});
  return result;
}

std::shared_ptr<const Loop> fullTile(const Nest &nest, const Loop &l) {
  auto full = std::make_shared<Loop>(l);
  if (!isBlock(l.kind) && l.kind != LoopKind::Unrolled)
    return full;
  llvm::erase_if(full->upper, [&](const Bound &b) {
    return !nest.expandDefinitions(b.expr).isConstant();
  });
  if (full->upper.empty())
    full->upper = l.upper;
  return full;
}

} // namespace convopt
