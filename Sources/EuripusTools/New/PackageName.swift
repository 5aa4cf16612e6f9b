// SPDX-License-Identifier: MIT

/// The name of a new package: `shopping-list`. Its program and its module are named after it: `ShoppingList`.
struct PackageName {
  /// The reason why a text is no such name.
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  let text: String
  let module: String

  init(_ text: String) throws(Refused) {
    guard let first = text.first, first.isASCII, first.isLetter,
      text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }),
      !text.hasSuffix("-"), !text.contains("--"), text.count <= 60
    else {
      throw Refused(
        description: """
          '\(text)' is no name for a package; expected a letter, then letters, digits and single hyphens between them, at \
          most 60: 'shopping-list'
          """)
    }
    let module = text.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard !Self.taken.contains(module) else {
      throw Refused(
        description: """
          a package '\(text)' would have the module '\(module)', and Swift or Euripus has one of that name; expected another \
          name: 'my-\(text)'
          """)
    }
    self.text = text
    self.module = module
  }

  /// The modules that the program or the tests of an app are linked with, or that Swift brings.
  static let taken: Set<String> = [
    "ArgumentParser", "ArgumentParserToolInfo", "CCurl", "CMalloc", "CMicroHTTPDShim", "CNettle", "CPostgreSQL",
    "CRuntime", "CSQLite", "CSupervision", "CZlib", "CoreMetrics", "Cxx", "Dispatch", "Distributed", "Euripus",
    "EuripusApp", "EuripusFoundation", "EuripusNodes", "EuripusOpenAPI", "EuripusPasswords", "EuripusServer",
    "EuripusTesting",
    "EventSequences",
    "Foundation", "FoundationEssentials", "Glibc", "HTTPListening", "JSONPatching", "Locking", "Logging", "Musl",
    "ObservableCore", "Observation", "RegexBuilder", "SQLiteSessions", "Sessions", "Storing", "Swift",
    "Synchronization",
    "Testing", "ViewModels", "XCTest",
  ]
}
