// SPDX-License-Identifier: MIT

/// The calls that a crash came out of, in words.
enum Backtrace {
  /// A line a call, from the innermost on. Reads the files of the program and its libraries.
  static func lines(_ crash: Remains.Crash) -> [String] {
    let frames = crash.frames.firstIndex(of: crash.instruction).map { Array(crash.frames[$0...]) } ?? crash.frames
    // All but the innermost are addresses to return to, which may be those of the next function.
    let places = frames.enumerated().map { $0.offset == 0 || $0.element == 0 ? $0.element : $0.element - 1 }
    let modules = places.map { place in crash.modules.first { $0.addresses.contains(place) } }
    var wanted: [String: [UInt64]] = [:]
    for case let (place, module?) in zip(places, modules) {
      wanted[module.path, default: []].append(place &- module.bias)
    }
    let found = wanted.reduce(into: [:]) { found, module in
      found[module.key] = ModuleSymbols.find(module.value, inFileAt: module.key.isEmpty ? "/proc/self/exe" : module.key)
    }
    return zip(places, modules).enumerated().compactMap { index, frame in
      let (place, module) = frame
      guard let module else { return "\(padded(index)) 0x\(String(place, radix: 16))" }
      let name = module.path.split(separator: "/").last.map(String.init) ?? "program"
      let address = place &- module.bias
      guard let symbol = found[module.path]?[address] else {
        return "\(padded(index)) \(name) + 0x\(String(address, radix: 16))"
      }
      let function = SymbolName.text(symbol.name)
      // What the compiler puts between two functions tells nobody anything.
      return function.isThunk ? nil : "\(padded(index)) \(name) \(function.text) + \(symbol.offset)"
    }
  }

  private static func padded(_ index: Int) -> String {
    index < 10 ? "  \(index)" : index < 100 ? " \(index)" : "\(index)"
  }
}
