// SPDX-License-Identifier: MIT
import Euripus

/// A thing that an operator can set: its name, its places, its meaning, its possible values and its value.
///
/// Each is a row of the one table (``Setting/table``). The options of the command line, the variables of the
/// environment, `config` and the operator's page all come from this table, so that they cannot contradict each
/// other.
struct Setting: Sendable {
  /// The name, in words with hyphens. `max-body` is the option `--max-body`, and `EURIPUS_MAX_BODY` in the
  /// environment.
  let name: String
  /// Its meaning, in a sentence without a full stop.
  let help: String
  /// The name of a value in a help text.
  let valueName: String
  /// The unit of a number; empty for none.
  let unit: String
  /// The possible values, in words for people.
  let expected: String
  /// Whether it has several values. As options each is given by itself; in the environment they are divided by
  /// commas.
  let isList: Bool
  /// Gives the setting's value in some settings, as text.
  let show: @Sendable (ServeSettings) -> String
  /// Sets the value. Returns `false` if the texts stand for none.
  let set: @Sendable (inout ServeSettings, [String]) -> Bool
  /// Whether a value may have a password in it. A message about an impossible one does not repeat it.
  var mayHavePassword = false
  /// The variable by which hosting platforms set it, without the program's name in it; `nil` for none.
  var platformVariable: String?

  var option: String { "--\(name)" }
  var variable: String { Self.prefix + name.uppercased().replacing("-", with: "_") }
  /// Its name at the source of its value.
  func place(_ source: SettingSource) -> String {
    switch source {
    case .environment: variable
    case .platform: platformVariable ?? variable
    case .option, .app, .standard: option
    }
  }
  var defaultText: String { show(StandardSettings.current) }

  static let prefix = "EURIPUS_"

  /// The same setting, which a platform's variable sets as well.
  func alsoRead(from platformVariable: String) -> Setting {
    var setting = self
    setting.platformVariable = platformVariable
    return setting
  }

  /// Its value with the unit.
  func text(_ settings: ServeSettings) -> String {
    let value = show(settings)
    return unit.isEmpty || value.isEmpty ? value : "\(value) \(unit)"
  }
}

extension Setting {
  /// The property of the settings that has the value.
  typealias Path<Value> = any WritableKeyPath<ServeSettings, Value> & Sendable

  /// A text.
  static func text(
    _ name: String, _ path: Path<String>, _ valueName: String, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: valueName, unit: "", expected: "a text", isList: false,
      show: { $0[keyPath: path] },
      set: { settings, texts in
        guard let text = texts.last, !text.isEmpty else { return false }
        settings[keyPath: path] = text
        return true
      })
  }

  /// A text that may be absent, and is by default.
  static func text(
    _ name: String, _ path: Path<String?>, _ valueName: String, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: valueName, unit: "", expected: "a text", isList: false,
      show: { $0[keyPath: path] ?? "" },
      set: { settings, texts in
        guard let text = texts.last, !text.isEmpty else { return false }
        settings[keyPath: path] = text
        return true
      })
  }

  /// One text or several, of some form.
  static func texts(
    _ name: String, _ path: Path<[String]>, _ valueName: String, _ expected: String, _ help: String,
    where isOne: @escaping @Sendable (String) -> Bool
  ) -> Setting {
    Setting(
      name: name, help: "\(help); may be given several times", valueName: valueName, unit: "", expected: expected,
      isList: true, show: { $0[keyPath: path].joined(separator: ",") },
      set: { settings, texts in
        guard texts.allSatisfy(isOne) else { return false }
        settings[keyPath: path] = texts
        return true
      })
  }

  /// A whole number.
  static func number<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: Path<Number>, _ unit: String,
    _ bounds: ClosedRange<Number>, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: unit.isEmpty ? "number" : unit, unit: unit,
      expected: expected(bounds, unit), isList: false, show: { "\($0[keyPath: path])" },
      set: { settings, texts in
        guard let number = texts.last.flatMap({ Number($0) }), bounds.contains(number) else { return false }
        settings[keyPath: path] = number
        return true
      })
  }

  /// A whole number without a unit.
  static func number<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: Path<Number>, _ bounds: ClosedRange<Number>,
    _ help: String
  ) -> Setting {
    number(name, path, "", bounds, help)
  }

  /// A whole number; the server finds it out where it is not set.
  static func number(
    _ name: String, _ path: Path<Int?>, _ bounds: ClosedRange<Int>, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: "number", unit: "", expected: expected(bounds, ""), isList: false,
      show: { $0[keyPath: path].map { "\($0)" } ?? "" },
      set: { settings, texts in
        guard let number = texts.last.flatMap({ Int($0) }), bounds.contains(number) else { return false }
        settings[keyPath: path] = number
        return true
      })
  }

  /// A time in whole seconds.
  static func seconds(
    _ name: String, _ path: Path<Duration>, _ bounds: ClosedRange<Int64>,
    _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: "seconds", unit: "seconds", expected: expected(bounds, "seconds"),
      isList: false, show: { "\($0[keyPath: path].components.seconds)" },
      set: { settings, texts in
        guard let seconds = texts.last.flatMap({ Int64($0) }), bounds.contains(seconds) else { return false }
        settings[keyPath: path] = .seconds(seconds)
        return true
      })
  }

  /// A time in whole milliseconds; 0 for none.
  static func milliseconds(
    _ name: String, _ path: Path<Duration?>, _ bounds: ClosedRange<Int64>, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: "milliseconds", unit: "milliseconds",
      expected: expected(bounds, "milliseconds"), isList: false,
      show: { "\(Int64(($0[keyPath: path] ?? .zero) / .milliseconds(1)))" },
      set: { settings, texts in
        guard let count = texts.last.flatMap({ Int64($0) }), bounds.contains(count) else { return false }
        settings[keyPath: path] = count == 0 ? nil : .milliseconds(count)
        return true
      })
  }

  /// One of a few words.
  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: Path<Choice>, _ help: String
  ) -> Setting {
    let words = Choice.allCases.map(\.rawValue)
    return Setting(
      name: name, help: help, valueName: words.joined(separator: "|"), unit: "",
      expected: "one of \(words.joined(separator: ", "))", isList: false, show: { $0[keyPath: path].rawValue },
      set: { settings, texts in
        guard let choice = texts.last.flatMap({ Choice(rawValue: $0) }) else { return false }
        settings[keyPath: path] = choice
        return true
      })
  }

  /// Yes or no.
  static func decision(
    _ name: String, _ path: Path<Bool>, _ help: String
  ) -> Setting {
    Setting(
      name: name, help: help, valueName: "yes|no", unit: "", expected: "yes or no", isList: false,
      show: { $0[keyPath: path] ? "yes" : "no" },
      set: { settings, texts in
        switch texts.last {
        case "yes": settings[keyPath: path] = true
        case "no": settings[keyPath: path] = false
        default: return false
        }
        return true
      })
  }

  static func expected<Number>(_ bounds: ClosedRange<Number>, _ unit: String) -> String {
    "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)" + (unit.isEmpty ? "" : ", in \(unit)")
  }
}
