// SPDX-License-Identifier: MIT
import ArgumentParser
import JSONPatching

/// The long names of an app's options and flags, as its command line has them: `mail-from`, `no-mail`.
struct OwnNames {
  private let names: [String]

  init<App: EuripusApp>(of _: App.Type) {
    guard case .array(let arguments)? = (try? JSONReader.read(App._dumpHelp()))?["command"]?["arguments"] else {
      names = []
      return
    }
    names = arguments.flatMap { argument -> [String] in
      guard case .array(let names)? = argument["names"] else { return [] }
      return names.compactMap { name in
        guard case .string("long")? = name["kind"], case .string(let text)? = name["name"] else { return nil }
        return text
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
