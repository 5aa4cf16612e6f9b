// SPDX-License-Identifier: MIT
// What parts of a page cost, in figures that do not depend on HTTP: medians, printed as lines. With the name of a stored
// state and a number it writes that so often and does nothing else, for callgrind to count.

let arguments = CommandLine.arguments
if arguments.count == 3, let iterations = Int(arguments[2]) {
  try writeStored(arguments[1], iterations)
} else {
  measureModules()
  try measureRows()
  try measureStored()
}
