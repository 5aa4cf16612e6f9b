// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Demos
@testable import EuripusApp

/// A row of `config --json`.
struct SettingRow: Decodable {
  let name, value, unit, source, option, variable, `default`, expected, help: String

  /// The rows of `config --json`.
  static func config(
    _ options: [String: [String]] = [:], _ environment: [String: String] = [:]
  ) throws -> [String: SettingRow] {
    rows(of: Config<DemosApp>.json(try ResolvedSettings(options: options, environment: environment)))
  }

  /// The rows of the settings that the program prints. Their help has its name.
  static func printed() throws -> [String: SettingRow] {
    let rows = rows(of: try Program.run("config", "--json").output).filter { !$0.value.help.isEmpty }
    try #require(rows.count == Setting.table.count)
    return rows
  }

  static func rows(of json: String) -> [String: SettingRow] {
    let rows = try? JSONDecoder().decode([SettingRow].self, from: Data(json.utf8))
    return Dictionary(uniqueKeysWithValues: (rows ?? []).map { ($0.name, $0) })
  }
}
