// SPDX-License-Identifier: MIT
package import ArgumentParser
import Foundation

/// `dev`: serves the app of a package while it is written.
package struct Dev: ParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "dev", abstract: "Builds and serves the app of this directory's package, again after each edit.",
      discussion: """
        An edited source is built, and the new program takes over the port and the sessions, as in production: people go on \
        where they were. The compiler's errors and traps are in the terminal and on the page. An edited page or style is \
        loaded anew where it is open. Options behind '--' are those of the app's 'serve': 'euripus dev -- --port 9000'. \
        Sessions are kept in .build/euripus-dev.db, unless --store says otherwise. It goes on until a signal ends it. Exit \
        status: 64 where there is no package with an app.
        """)
  }

  @Option(help: "The program to serve, if the package has several.")
  var product: String?

  @Flag(inversion: .prefixedNo, help: "Open the browser, if there is a screen.")
  var open = true

  @Argument(parsing: .postTerminator, help: "Options of the app's 'serve'.")
  var options: [String] = []

  package init() {}

  package func run() throws {
    let package: AppPackage
    do { package = try AppPackage(product: product) } catch let error as DevelopmentError {
      throw ValidationError("\(error)")
    }
    try FileManager.default.createDirectory(atPath: ".build", withIntermediateDirectories: true)
    let development = Development(
      package, pages: option("public") ?? "Public",
      arguments: options + (option("store") == nil ? ["--store", ".build/euripus-dev.db"] : []),
      opensBrowser: open, newsFile: FileManager.default.currentDirectoryPath + "/.build/euripus-dev.json")
    try development.run()
  }

  /// The value of an option of `serve` that was given.
  private func option(_ name: String) -> String? {
    for (index, text) in options.enumerated() {
      if text == "--\(name)" { return index + 1 < options.count ? options[index + 1] : nil }
      if text.hasPrefix("--\(name)=") { return String(text.dropFirst(name.count + 3)) }
    }
    return nil
  }
}
