// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// The name of a function as a programmer knows it, from the name that the linker knows.
enum SymbolName {
  /// - Returns: the name, and whether it is of something that the compiler made to fit one function to another.
  static func text(_ symbol: String) -> (text: String, isThunk: Bool) {
    // Only Swift's are of that form.
    guard symbol.hasPrefix("$s"), let demangled = swift_demangle(symbol, symbol.utf8.count, nil, nil, 0) else {
      return (symbol, false)
    }
    defer { free(demangled) }
    let text = String(cString: demangled)
    let thunks = ["partial apply forwarder for ", "reabstraction thunk helper ", "@objc ", "protocol witness for "]
    let plain = text.replacing(#/\(([^ ()]+) in _[0-9A-F]{32}\)/#) { $0.output.1 }.replacing("Swift.", with: "")
    return (plain, thunks.contains { text.hasPrefix($0) })
  }
}
