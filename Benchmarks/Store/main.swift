// SPDX-License-Identifier: MIT
// Measures the store's costs on the disk of a directory: StoreBenchmark DIRECTORY
import Glibc

guard CommandLine.arguments.count == 2 else {
  print("StoreBenchmark DIRECTORY")
  exit(64)
}
try Measurement(CommandLine.arguments[1]).run()
