// SPDX-License-Identifier: MIT
import ArgumentParser

/// The long names of an app's options and flags, as its command line has them: `mail-from`, `no-mail`.
struct OwnNames {
  private let names: [String]

  init<App: EuripusApp>(of _: App.Type) {
    // The line of an option begins with its names: `  --mail/--no-mail  Whether …`.
    names = App.helpMessage(includeHidden: true).split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
      line.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") }.filter { $0.hasPrefix("--") }.map {
        String($0.dropFirst(2))
      }
    }
  }

  /// The name by a property, behind a word if there is one: `mail-url` for `mailURL`, `no-mail` for `mail` after `no`.
  /// `nil` if the app gives it another one.
  func name(of property: String, after word: String? = nil) -> String? {
    let prefix = word.map { "\($0)-" } ?? ""
    return names.first {
      $0.hasPrefix(prefix) && $0.dropFirst(prefix.count).replacing("-", with: "") == property.lowercased()
    }
  }
}
