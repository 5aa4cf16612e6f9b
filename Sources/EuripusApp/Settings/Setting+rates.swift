// SPDX-License-Identifier: MIT
import Euripus

/// The setting of a rate, and settings that set a second value.
extension Setting {
  /// A steady rate; 0 for no limit. The burst follows from it, in the proportion of the default.
  static func rate(
    _ name: String, _ path: Path<Rate?>, _ unit: String, _ bounds: ClosedRange<Int>, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: unit, unit: unit, expected: expected(bounds, unit), isList: false,
      show: { "\($0[keyPath: path]?.count ?? 0)" },
      set: { settings, texts in
        guard let count = texts.last.flatMap({ Int($0) }), bounds.contains(count),
          let standard = ServeSettings()[keyPath: path]
        else { return false }
        let burst = max(1, count * standard.burst / standard.count)
        settings[keyPath: path] = count == 0 ? nil : Rate(count, per: standard.period, burst: burst)
        return true
      })
  }

  /// The same setting, which also sets a second value that follows from the first.
  func also(_ follow: @escaping @Sendable (inout ServerConfiguration) -> Void) -> Setting {
    Setting(
      name: name, help: help, valueName: valueName, unit: unit, expected: expected, isList: isList, show: show,
      set: { [set] settings, texts in
        guard set(&settings, texts) else { return false }
        follow(&settings.server)
        return true
      })
  }
}
