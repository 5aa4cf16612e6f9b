// SPDX-License-Identifier: MIT

/// Where the value of a setting comes from; the first of these that has one counts.
enum SettingSource: String, Sendable {
  case option, environment
  case standard = "default"
}

/// A value that a setting cannot have.
struct SettingMistake: Error, CustomStringConvertible {
  let setting: Setting
  let source: SettingSource
  let text: String

  var description: String {
    let place = source == .environment ? setting.variable : setting.option
    return "\(place) must be \(setting.expected); got '\(text)'"
  }
}

/// The settings that options and the environment make, and where each comes from.
struct ResolvedSettings: Sendable {
  private(set) var values = ServeSettings()
  private(set) var sources: [String: SettingSource] = [:]

  /// - Parameters:
  ///   - options: the values of each option that was given, by the name of its setting.
  ///   - environment: a list's values are divided by commas.
  /// - Throws: the first ``SettingMistake``, in the order of the table.
  init(options: [String: [String]], environment: [String: String], table: [Setting] = Setting.table)
    throws(SettingMistake)
  {
    for setting in table {
      let texts: [String]
      let source: SettingSource
      if let given = options[setting.name], !given.isEmpty {
        (texts, source) = (given, .option)
      } else if let given = environment[setting.variable] {
        texts = setting.isList ? given.split(separator: ",").map(String.init) : [given]
        source = .environment
      } else {
        continue
      }
      guard setting.set(&values, texts) else {
        throw SettingMistake(setting: setting, source: source, text: texts.joined(separator: ","))
      }
      sources[setting.name] = source
    }
  }

  func source(of setting: Setting) -> SettingSource { sources[setting.name] ?? .standard }
}
