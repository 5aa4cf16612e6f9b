// SPDX-License-Identifier: MIT

/// The source of a setting's value. The first of these sources that has a value counts.
enum SettingSource: String, Sendable {
  case option, environment
  /// A variable that hosting platforms set for whichever program they run, such as `PORT`.
  case platform
  case app
  case standard = "default"
}

/// A value that a setting cannot have.
struct SettingMistake: Error, CustomStringConvertible {
  let setting: Setting
  let source: SettingSource
  let text: String

  var description: String {
    "\(setting.place(source)) must be \(setting.expected)" + (setting.mayHavePassword ? "" : "; got '\(text)'")
  }
}

/// The settings that result from the options and the environment, and the source of each.
struct ResolvedSettings: Sendable {
  private(set) var values: ServeSettings
  private(set) var sources: [String: SettingSource] = [:]

  /// - Parameters:
  ///   - options: the values of each given option, by the name of its setting.
  ///   - environment: the variables; the values of a list are divided by commas.
  ///   - standard: the settings of the app, for settings that neither source has.
  /// - Throws: the first ``SettingMistake``, in the order of the table.
  init(
    options: [String: [String]], environment: [String: String], standard: ServeSettings = ServeSettings(),
    table: [Setting] = Setting.table
  ) throws(SettingMistake) {
    let library = ServeSettings()
    values = standard
    for setting in table where setting.show(standard) != setting.show(library) { sources[setting.name] = .app }
    for setting in table {
      let texts: [String]
      let source: SettingSource
      if let given = options[setting.name], !given.isEmpty {
        (texts, source) = (given, .option)
      } else if let given = environment[setting.variable] {
        texts = setting.isList ? Self.items(given) : [given]
        source = .environment
      } else if let given = Self.platformText(of: setting, in: environment) {
        (texts, source) = ([given], .platform)
      } else {
        continue
      }
      guard setting.set(&values, texts) else {
        throw SettingMistake(setting: setting, source: source, text: texts.joined(separator: ","))
      }
      sources[setting.name] = source
    }
    // The platform's clients come from other machines. Pages in development are for this one alone.
    if sources["port"] == .platform, sources["host"] == nil, !values.server.isInDevelopment {
      values.server.listener.host = "0.0.0.0"
      sources["host"] = .platform
    }
  }

  /// The text of a platform's variable for a setting; `nil` for none. An empty one counts as none.
  static func platformText(of setting: Setting, in environment: [String: String]) -> String? {
    // The address to listen on follows from the port.
    guard setting.name != "host", let variable = setting.platformVariable else { return nil }
    return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The items of a list, without the white space around them and without empty ones.
  private static func items(_ list: String) -> [String] {
    list.split(separator: ",").map { item in
      var item = item.drop(while: \.isWhitespace)
      while item.last?.isWhitespace == true { item.removeLast() }
      return String(item)
    }.filter { !$0.isEmpty }
  }

  func source(of setting: Setting) -> SettingSource { sources[setting.name] ?? .standard }

  /// The variable that has set a setting, or that can set it.
  func variable(of setting: Setting) -> String {
    source(of: setting) == .platform ? setting.place(.platform) : setting.variable
  }

  /// The name of a setting at the source of its value: that of the variable, or of the option.
  func place(_ name: String) -> String {
    let setting = Setting.named(name)
    return setting.place(source(of: setting))
  }
}
