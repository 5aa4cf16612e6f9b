// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `new`, as a person types it; `EuripusToolsTests` has its files.
@Suite struct `The command that makes a package` {
  @Test func `says what it made, and refuses to do it again`() throws {
    let folder = try Folder()
    let arguments = ["new", "shop", "--minimal", "--directory", folder["shop"]]
    let made = try Program.run(arguments)
    #expect(made.status == 0 && made.errors == "")
    #expect(made.output.hasPrefix("Made \(folder["shop"]):\n  .gitignore\n  Package.swift\n"), "\(made)")
    let next = "takes each edit\n\nEuripus is not published yet"
    #expect(made.output.contains(next), "\(made)")
    let again = try Program.run(arguments)
    #expect(again.status == 1 && again.isOneLine && again.output == "")
    #expect(again.errors.hasPrefix("Error: the folder '\(folder["shop"])' is not empty; expected "), "\(again)")
  }

  @Test func `refuses a name that is none with status 64, and makes nothing`() throws {
    let folder = try Folder()
    let ended = try Program.run(["new", "2shops", "--directory", folder["shop"]])
    #expect(ended.status == 64)
    #expect(ended.errors.hasPrefix("Error: '2shops' is no name for a package; expected a letter, "), "\(ended)")
    #expect(!FileManager.default.fileExists(atPath: folder["shop"]))
  }

  @Test func `is one of this program alone, and no app has it`() throws {
    #expect(try Program.run(["--help"]).words.contains(" new Makes a package with an app"))
    let app = try Program.run(["new", "shop"], of: "BoardApp")
    #expect(app.status == 64 && app.errors.contains("new"), "\(app)")
    #expect(try !Program.run(["--help"], of: "BoardApp").words.contains(" new "))
  }
}
