//===- JsonFields.h - Structs as JSON, by their fields ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A struct's fields are listed once, in a visitor `fields(V &v, Struct &s)`
/// beside this namespace's types, that writing and reading share, so that
/// neither can forget one. Values of an enumeration are the words that
/// `namesOf` has in their order, or numbers where it has none.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_JSONFIELDS_H
#define CONVOPT_LIB_BENCH_JSONFIELDS_H

#include "llvm/Support/JSON.h"

namespace convopt::bench {

template <class T, class = void> constexpr bool hasNames = false;
template <class T>
constexpr bool hasNames<T, std::void_t<decltype(namesOf(T()))>> = true;

template <class T> llvm::json::Value toValue(T &value);
template <class T> llvm::json::Value toValue(std::vector<T> &all);
template <class T, size_t N> llvm::json::Value toValue(std::array<T, N> &all);

/// Optional fields that are not there are left out.
struct FieldWriter {
  llvm::json::Object object;

  template <class T> void operator()(llvm::StringRef name, T &value) {
    object[name] = toValue(value);
  }
  template <class T>
  void operator()(llvm::StringRef name, std::optional<T> &value) {
    if (value)
      object[name] = toValue(*value);
  }
};

template <class T> llvm::json::Value toValue(std::vector<T> &all) {
  return llvm::json::Array(
      llvm::map_range(all, [](T &value) { return toValue(value); }));
}

template <class T, size_t N> llvm::json::Value toValue(std::array<T, N> &all) {
  return llvm::json::Array(
      llvm::map_range(all, [](T &value) { return toValue(value); }));
}

template <class T> llvm::json::Value toValue(T &value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return llvm::json::fixUTF8(value);
  } else if constexpr (std::is_enum_v<T>) {
    if constexpr (hasNames<T>)
      return namesOf(value)[unsigned(value)];
    else
      return int(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else {
    FieldWriter writer;
    fields(writer, value);
    return std::move(writer.object);
  }
}

template <class T>
bool readValue(const llvm::json::Value &json, T &value, llvm::json::Path path);
template <class T>
bool readValue(const llvm::json::Value &json, std::vector<T> &all,
               llvm::json::Path path);
template <class T, size_t N>
bool readValue(const llvm::json::Value &json, std::array<T, N> &all,
               llvm::json::Path path);

/// Stops at the first field that is wrong.
struct FieldReader {
  const llvm::json::Object &object;
  llvm::json::Path path;
  bool good = true;

  template <class T> void operator()(llvm::StringRef name, T &value) {
    if (!good)
      return;
    const llvm::json::Value *field = object.get(name);
    if (!field)
      path.field(name).report("missing value");
    good = field && readValue(*field, value, path.field(name));
  }
  template <class T>
  void operator()(llvm::StringRef name, std::optional<T> &value) {
    const llvm::json::Value *field = object.get(name);
    if (good && field)
      good = readValue(*field, value.emplace(), path.field(name));
  }
};

/// For the first thing that is wrong with \p path; false.
inline bool isWrong(llvm::json::Path path, llvm::StringLiteral why) {
  path.report(why);
  return false;
}

template <class T>
bool readValue(const llvm::json::Value &json, std::vector<T> &all,
               llvm::json::Path path) {
  const llvm::json::Array *array = json.getAsArray();
  if (!array)
    return isWrong(path, "expected array");
  for (auto [i, value] : llvm::enumerate(*array))
    if (!readValue(value, all.emplace_back(), path.index(i)))
      return false;
  return true;
}

template <class T, size_t N>
bool readValue(const llvm::json::Value &json, std::array<T, N> &all,
               llvm::json::Path path) {
  std::vector<T> read;
  if (!readValue(json, read, path))
    return false;
  if (read.size() != N)
    return isWrong(path, "expected as many elements as there are");
  llvm::copy(read, all.begin());
  return true;
}

template <class T>
bool readValue(const llvm::json::Value &json, T &value, llvm::json::Path path) {
  if constexpr (std::is_enum_v<T> && hasNames<T>) {
    const llvm::ArrayRef<llvm::StringRef> names = namesOf(value);
    auto at = llvm::find(names, json.getAsString().value_or(""));
    if (at == names.end())
      return isWrong(path, "expected one of the known words");
    value = T(at - names.begin());
    return true;
  } else if constexpr (std::is_same_v<T, unsigned> || std::is_enum_v<T>) {
    int64_t wide = -1;
    if (!fromJSON(json, wide, path) || !llvm::isUInt<32>(wide))
      return isWrong(path, "expected a count");
    value = T(wide);
    return true;
  } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
    const llvm::json::Object *object = json.getAsObject();
    if (!object)
      return isWrong(path, "expected object");
    FieldReader reader{*object, path};
    fields(reader, value);
    return reader.good;
  } else {
    return llvm::json::fromJSON(json, value, path);
  }
}

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_JSONFIELDS_H
