// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Foundation
import Testing

@testable import EuripusTools

/// The command makes folders of these tests' own alone.
@Suite final class `A new package` {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("new-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func make(_ arguments: String...) throws {
    try New.parse(["shop", "--directory", folder.path] + arguments).run()
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  private func files() -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { !isFolder($0) }.sorted()
  }

  private func isFolder(_ path: String) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)) != nil
  }

  @Test func `has its name in its files, and none of the template's`() throws {
    try make()
    let files = files()
    for path in ["Sources/Shop/ShopApp.swift", "Tests/ShopTests/OverHTTPTests.swift", "Dockerfile", "AGENTS.md"] {
      #expect(files.contains(path), "\(files)")
    }
    #expect(try text("Package.swift").contains(#"name: "shop""#))
    for path in files where !path.hasPrefix("Public/euripus") {
      #expect(try !"\(path) \(text(path))".contains(#/(?i)starter/#), "\(path)")
    }
  }

  @Test(arguments: ["starter-kit", "kickstarter", "my-starter", "Starter"])
  func `may have the template's name in its own`(text: String) throws {
    let name = try PackageName(text)
    let files = try Template.app().files(named: name, dependency: Dependency("/opt/euripus"))
    let package = try #require(files.first { $0.path == "Package.swift" })
    #expect(package.text.contains("name: \"\(text)\""))
    #expect(package.text.contains("name: \"\(name.module)Tests\""))
    #expect(files.contains { $0.path == "Sources/\(name.module)/\(name.module)App.swift" }, "\(files.map(\.path))")
  }

  @Test func `finds its pages in a folder of any name`() throws {
    try make()
    let source = try text("Tests/ShopTests/OverHTTPTests.swift")
    let pattern = try #require(source.firstMatch(of: #/#filePath.replacing\(#\/(.*)\/#, with: "Public"\)/#)?.1)
    let path = "/home/anna/Tests/shop/Tests/ShopTests/OverHTTPTests.swift"
    #expect(path.replacing(try Regex(String(pattern)), with: "Public") == "/home/anna/Tests/shop/Public")
  }

  @Test func `has the client's files as they are here, and may run its own script`() throws {
    try make()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    // The pages that `page` prints have a style of their own.
    for file in [
      "Public/euripus.js", "Public/euripus-develop.js", "Public/euripus-page.js", "Public/euripus-page.css",
      "Public/euripus-wire.css",
    ] {
      #expect(try text(file) == String(contentsOf: root.appendingPathComponent(file), encoding: .utf8))
    }
    #expect(FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("Tests/story.sh").path))
    #expect(!FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("Package.swift").path))
  }

  @Test func `depends on a repository and the version of this program`() throws {
    try make("--minimal", "--euripus", "https://host.example/euripus")
    let item = #".package(url: "https://host.example/euripus", from: "\#(EuripusServer.version)")"#
    #expect(try text("Package.swift").contains(item))
  }

  @Test func `may depend on a folder, and its papers lead there`() throws {
    try make("--euripus", "/opt/copy/../euripus")
    #expect(try text("Package.swift").contains(#".package(name: "euripus", path: "/opt/euripus")"#))
    #expect(try text("AGENTS.md").contains("`/opt/euripus/Skills/euripus/SKILL.md`"))
  }

  @Test func `is the counter and little else if it is to be minimal`() throws {
    try make("--minimal")
    #expect(
      files().filter { !$0.hasPrefix("Public/euripus") } == [
        ".gitignore", "Package.swift", "Public/index.html", "Sources/Shop/ShopApp.swift",
        "Tests/ShopTests/CounterTests.swift",
      ])
  }

  @Test func `goes into an empty folder, and into no other`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try make("--minimal")
    try "mine".write(to: folder.appendingPathComponent("Package.swift"), atomically: false, encoding: .utf8)
    let refused = #expect(throws: NewFolder.NotMade.self) { try make("--minimal") }
    #expect(
      refused?.description
        == "the folder '\(folder.path)' is not empty; expected an empty one, or none. Choose another '--directory'.")
    #expect(try text("Package.swift") == "mine")
  }

  @Test func `takes no file's place`() throws {
    try "mine".write(to: folder, atomically: false, encoding: .utf8)
    let refused = #expect(throws: NewFolder.NotMade.self) { try make() }
    #expect(refused?.description.hasPrefix("'\(folder.path)' is a file; expected a folder, or nothing there.") == true)
  }

  @Test func `says which file it could not write`() throws {
    let refused = #expect(throws: NewFolder.NotMade.self) {
      try NewFolder(path: "/dev/null/shop").write([NewFile("Package.swift", text: "")])
    }
    #expect(refused?.description.hasPrefix("cannot write '/dev/null/shop/Package.swift': ") == true)
  }

  @Test func `is told of by its files and the next commands`() {
    let report = New.report(of: [NewFile("Package.swift", text: "")] + NewFile.client, in: "shop", isPublished: true)
    #expect(
      report == """
        Made shop:
          Package.swift
        and a copy of Euripus' client in Public. Next:
          cd shop
          swift run       # builds it, which takes minutes the first time, and serves its page
          euripus dev     # or this: it also opens the page, and takes each edit
        """)
    let spaced = New.report(of: [], in: "Anna's shop", isPublished: true)
    #expect(spaced.contains("\n  cd 'Anna'\\''s shop'\n"))
    let unpublished = New.report(of: [], in: "shop", isPublished: false)
    #expect(unpublished.contains("takes each edit\n\nEuripus is not published yet"))
  }
}
