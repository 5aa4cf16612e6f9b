// SPDX-License-Identifier: MIT
import Euripus

/// The setting of a rate, and settings that others follow.
extension Setting {
  /// How often, steadily; 0 for no limit. How many at once follows, as in the default.
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

  /// The same setting, after which another value is set that follows from it.
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
