//===- Options.h - Options that every tool has ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a tool's user can say about device, schedule, legality and remarks.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_OPTIONS_H
#define CONVOPT_SCHEDULE_OPTIONS_H

#include "convopt/Legality/Legality.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Request.h"
#include "llvm/Support/CommandLine.h"

namespace convopt {

/// The options of a tool, each of which sets a variable once it is parsed. An
/// object and not static: making one clears what libraries, or a command line
/// before, have registered.
class CommandLine {
public:
  /// Of \p tool, whose -help begins with \p overview and ends with \p examples.
  CommandLine(const char *tool, const char *overview, const char *examples);
  ~CommandLine() { llvm::cl::ResetCommandLineParser(); }

  /// `-name=`, which -help shows as \p shown and of which it says \p help. \p
  /// more are modifiers of LLVM's.
  template <class Option, class... More>
  Option &declare(llvm::StringRef name, llvm::StringRef help,
                  llvm::StringRef shown, const More &...more) {
    auto option = std::make_unique<Option>(name, llvm::cl::desc(help),
                                           llvm::cl::value_desc(shown),
                                           llvm::cl::cat(category), more...);
    Option &result = *option;
    options.push_back(std::move(option));
    return result;
  }
  /// The same, which sets \p value.
  template <class T, class... More>
  llvm::cl::opt<T> &add(llvm::StringRef name, T &value, llvm::StringRef help,
                        llvm::StringRef shown = "", const More &...more) {
    return declare<llvm::cl::opt<T>>(
        name, help, shown, llvm::cl::callback([&](const T &v) { value = v; }),
        more...);
  }
  template <class T, class... More>
  llvm::cl::opt<T> &add(llvm::StringRef name, std::optional<T> &value,
                        llvm::StringRef help, llvm::StringRef shown = "",
                        const More &...more) {
    return declare<llvm::cl::opt<T>>(
        name, help, shown, llvm::cl::callback([&](const T &v) { value = v; }),
        more...);
  }
  /// The same, which may be repeated, and adds to \p values.
  template <class T, class... More>
  llvm::cl::list<T> &add(llvm::StringRef name, std::vector<T> &values,
                         llvm::StringRef help, llvm::StringRef shown = "",
                         const More &...more) {
    return declare<llvm::cl::list<T>>(
        name, help, shown,
        llvm::cl::callback([&](const T &v) { values.push_back(v); }), more...);
  }
  /// `-name=` that sets \p value to one of \p values, which refusals list.
  template <class T>
  void add(llvm::StringRef name, T &value, llvm::StringRef help,
           const llvm::cl::ValuesClass &values) {
    const auto &parser = add(name, value, help, "", values).getParser();
    for (unsigned k = 0; k != parser.getNumOptions(); ++k)
      choices[name].push_back(parser.getOption(k));
  }

  /// Parses \p arguments, the tool's name first. Refuses (rule "usage") what
  /// does not parse; `-help` and `-version` print and exit with 0.
  llvm::Error parse(llvm::ArrayRef<const char *> arguments);

private:
  llvm::Error checkChoices(llvm::ArrayRef<const char *> arguments) const;

  const char *tool, *overview;
  std::string title;
  llvm::cl::OptionCategory category;
  llvm::cl::extrahelp examples;
  std::vector<std::unique_ptr<llvm::cl::Option>> options;
  /// The values of options that take few.
  std::map<llvm::StringRef, std::vector<llvm::StringRef>> choices;
};

/// The values of the shared options, but for the schedule's file.
struct SharedOptions {
  std::string arch = "sm_90";
  ScheduleRequest request; // -tile, -reg, -staging and -boundary
  LegalityOptions legality;
  bool printAfterAll = false;
  std::vector<std::string> printAfter;
  RemarkFilter remarks;

  void addTo(CommandLine &line);
  /// Refuses (rule "usage") an unknown pass and a malformed remark filter.
  llvm::Error check() const;
  /// What -print-after and -print-after-all ask for, on \p os.
  PrintHook hook(llvm::raw_ostream &os) const;
};

/// What -boundary= and -algorithm= may be, for each place where they may stand.
llvm::cl::ValuesClass boundaryValues();
llvm::cl::ValuesClass algorithmValues();

/// Adds what schedules may change of results, and what proofs may take.
void addLegality(CommandLine &line, LegalityOptions &options);
/// Adds `-arch=`, which sets \p arch.
void addArch(CommandLine &line, std::string &arch);
/// Adds `-tile=` and `-reg=`.
void addTiles(CommandLine &line, ScheduleRequest &request);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_OPTIONS_H
