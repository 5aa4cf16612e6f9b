// SPDX-License-Identifier: MIT
import Euripus

/// One thing that an operator can set: its name, the places where it is set, its meaning, and the values that it may
/// have and has.
///
/// The rows of the one table (``Setting/table``) from which the options of the command line, the variables of the environment,
/// `config` and the operator's page come, so that they cannot say different things.
struct Setting: Sendable {
  /// The name, in words with hyphens: `max-body` is `--max-body`, and `EURIPUS_MAX_BODY` in the environment.
  let name: String
  /// Its meaning, in a sentence without its end.
  let help: String
  /// The name of a value in a help text.
  let valueName: String
  /// The unit after a number; empty for none.
  let unit: String
  /// The values that it may have, for people.
  let expected: String
  /// Whether it has several values, each given by itself as an option, and by commas in the environment.
  let isList: Bool
  /// The value that some settings have, as text.
  let show: @Sendable (ServeSettings) -> String
  /// Gives it a value; `false` if the text is none.
  let set: @Sendable (inout ServeSettings, [String]) -> Bool

  var option: String { "--\(name)" }
  var variable: String { Self.prefix + name.uppercased().replacing("-", with: "_") }
  /// Its name where its value comes from.
  func place(_ source: SettingSource) -> String { source == .environment ? variable : option }
  var defaultText: String { show(StandardSettings.current) }

  static let prefix = "EURIPUS_"

  /// A value with its unit.
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

  /// A text that may be absent, which it is by default.
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

  /// Texts of some form, of which there may be several.
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

  /// A whole number of nothing in particular.
  static func number<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: Path<Number>, _ bounds: ClosedRange<Number>,
    _ help: String
  ) -> Setting {
    number(name, path, "", bounds, help)
  }

  /// A whole number that is found out where it is not set.
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
