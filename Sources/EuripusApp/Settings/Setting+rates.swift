// SPDX-License-Identifier: MIT
import Euripus

/// The two settings of a rate: how often, steadily, and how many at once.
extension Setting {
  /// How often, steadily; 0 for no limit.
  static func rate(
    _ name: String, _ path: Path<Rate?>, _ unit: String, _ bounds: ClosedRange<Int>, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: unit, unit: unit, expected: expected(bounds, unit), isList: false,
      show: { "\($0[keyPath: path]?.count ?? 0)" },
      set: { settings, texts in
        guard let count = texts.last.flatMap({ Int($0) }), bounds.contains(count),
          let rate = settings[keyPath: path] ?? ServeSettings()[keyPath: path]
        else { return false }
        settings[keyPath: path] = count == 0 ? nil : Rate(count, per: rate.period, burst: rate.burst)
        return true
      })
  }

  /// How many at once; without effect where there is no limit.
  static func burst(
    _ name: String, _ path: Path<Rate?>, _ unit: String, _ bounds: ClosedRange<Int>, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: unit, unit: unit, expected: expected(bounds, unit), isList: false,
      show: { "\(($0[keyPath: path] ?? ServeSettings()[keyPath: path])?.burst ?? 0)" },
      set: { settings, texts in
        guard let burst = texts.last.flatMap({ Int($0) }), bounds.contains(burst) else { return false }
        settings[keyPath: path] = settings[keyPath: path].map { Rate($0.count, per: $0.period, burst: burst) }
        return true
      })
  }
}
