// Reads a nest from stdin with the installed library and prints it again.

#include "convopt/Nest/Text.h"
#include "llvm/Support/MemoryBuffer.h"

int main() {
  auto text = llvm::MemoryBuffer::getSTDIN();
  if (!text)
    return 1;
  llvm::Expected<convopt::Nest> nest = convopt::parseNest((*text)->getBuffer());
  if (!nest)
    return static_cast<int>(
        convopt::report(nest.takeError(), llvm::errs(), "stdin"));
  convopt::print(*nest, llvm::outs());
}
