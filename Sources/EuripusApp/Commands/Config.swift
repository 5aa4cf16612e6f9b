// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import JSONPatching

/// `config`: prints the settings that `serve` would have with the same options in the same environment.
struct Config<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "config", abstract: "Prints each setting, its value, and where that comes from.",
      discussion: """
        An option overrides the environment, and that the default. PORT and DATABASE_URL, which hosting platforms set, \
        count after the program's own variables. Takes the options of 'serve', and refuses an invalid \
        value in the same way. The program's own options come after the settings, by the names of its properties, \
        and without their values: one may be a password.
        """)
  }

  @OptionGroup(title: "Options of this program")
  var app: App

  @OptionGroup
  var options: SettingOptions

  @Flag(help: "One JSON array, with the defaults, what may be set and what each setting is.")
  var json = false

  func run() throws {
    try options.helpIfAsked(App.self, with: Self.self)
    let settings = try options.resolved(for: app)
    let own = OwnOption.all(of: app)
    if json {
      StandardOutput.write(Self.json(settings, own))
    } else {
      for line in Self.lines(settings, own) { StandardOutput.write(line) }
    }
  }

  static func lines(_ settings: ResolvedSettings, _ own: [OwnOption] = []) -> [String] {
    let rows =
      Setting.table.map { setting in
        [
          setting.name, setting.text(settings.values), settings.source(of: setting).rawValue,
          settings.variable(of: setting),
        ]
      } + own.map { [$0.name, OwnOption.hidden, $0.source.rawValue, $0.variable] }
    let cells = rows.map { row in row.map { $0.isEmpty ? "-" : $0 } }
    let widths = (0..<3).map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
      zip(row, widths + [0]).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }.joined(separator: "  ")
    }
  }

  static func json(_ settings: ResolvedSettings, _ own: [OwnOption] = []) -> String {
    let rows =
      Setting.table.map { setting in
        [
          ("name", setting.name), ("value", setting.show(settings.values)), ("unit", setting.unit),
          ("source", settings.source(of: setting).rawValue), ("option", setting.option),
          ("variable", settings.variable(of: setting)),
          ("default", setting.defaultText), ("expected", setting.expected), ("help", setting.help),
        ]
      }
      + own.map { own in
        [
          ("name", own.name), ("value", OwnOption.hidden), ("unit", ""), ("source", own.source.rawValue),
          ("option", ""), ("variable", own.variable), ("default", OwnOption.hidden), ("expected", ""), ("help", ""),
        ]
      }
    var writer = JSONWriter(capacity: 8_192)
    writer.beginArray()
    for members in rows {
      writer.beginObject()
      for (name, value) in members {
        writer.key(name)
        writer.string(value)
      }
      writer.endObject()
    }
    writer.endArray()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
