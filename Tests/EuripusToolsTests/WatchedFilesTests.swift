// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import EuripusTools

/// The files that `euripus dev` looks at.
@Suite struct `Watched files` {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watched-\(UUID().uuidString)")

  init() throws {
    for name in ["Sources/App", "Public/pictures"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    try write("Sources/App/App.swift", "one")
    try write("Public/index.html", "one")
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  private func watched() -> WatchedFiles {
    WatchedFiles(sources: ["\(folder.path)/Sources/App"], pages: "\(folder.path)/Public")
  }

  @Test func `have no news while nobody edits them`() {
    var files = watched()
    #expect(files.look().isEmpty)
    #expect(files.look().isEmpty)
  }

  @Test func `tell of a source that was edited, made or removed, once each`() throws {
    var files = watched()
    try write("Sources/App/App.swift", "another")
    #expect(files.look().isOfProgram)
    try write("Sources/App/More.swift", "")
    #expect(files.look().isOfProgram)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("Sources/App/More.swift"))
    #expect(files.look().isOfProgram)
    #expect(files.look().isEmpty)
  }

  @Test func `tell of the pages' files by the paths that a browser asks for, and not of the program`() throws {
    var files = watched()
    try write("Public/index.html", "another")
    try write("Public/pictures/map.svg", "<svg/>")
    let edits = files.look()
    #expect(edits.pages == ["/index.html", "/pictures/map.svg"])
    #expect(!edits.isOfProgram)
  }

  @Test func `leave out the files of editors`() throws {
    var files = watched()
    for name in ["Sources/App/.App.swift.swp", "Sources/App/App.swift~", "Public/.#index.html"] { try write(name, "x") }
    #expect(files.look().isEmpty)
  }
}

/// The news of `euripus dev` for pages.
@Suite struct `The news of a development` {
  @Test func `have the edits, and a fault also where there is none`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("news-\(UUID().uuidString)").path
    var news = DevelopmentNews()
    news.edits["/a.css"] = 2
    try news.write(to: file)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"edits":{"\/a.css":2},"fault":null}"#)
    news.fault = Fault(title: "The program was not built.", text: #"A.swift:1:2: error: "x""#)
    try news.write(to: file)
    let written = try JSONDecoder().decode(
      [String: [String: String]].self,
      from: Data(
        String(contentsOfFile: file, encoding: .utf8).replacing(#""edits":{"\/a.css":2},"#, with: "").utf8))
    #expect(written == ["fault": ["title": "The program was not built.", "text": #"A.swift:1:2: error: "x""#]])
  }
}
