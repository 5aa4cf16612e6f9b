// SPDX-License-Identifier: MIT
// What parts of a page cost, in figures that do not depend on HTTP: medians, printed as lines.

measureModules()
try measureRows()
