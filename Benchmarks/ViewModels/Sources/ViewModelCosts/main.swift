// SPDX-License-Identifier: MIT
// Prints the costs of parts of a page as lines of medians, which do not depend on HTTP. With the name of a stored state
// and a number it only writes that state so many times, for callgrind to count.

let arguments = CommandLine.arguments
if arguments.count == 3, let iterations = Int(arguments[2]) {
  try writeStored(arguments[1], iterations)
} else {
  measureModules()
  try measureRows()
  try measureStored()
}
