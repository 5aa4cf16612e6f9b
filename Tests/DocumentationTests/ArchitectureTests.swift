// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `Documentation/ARCHITECTURE.md`, held to the sources.
@Suite struct `The map of the sources` {
  private let page: String
  private let picture: String

  init() throws {
    page = try Repository.text("Documentation/ARCHITECTURE.md")
    picture = try Repository.text("Documentation/pictures/map.svg")
  }

  /// The files that a text names, by their paths from `Sources` or from the root.
  private func files(in text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: #/`([\w+\/.-]+\/[\w+.-]+\.(?:swift|c|h|js|md))`/#).map { String($0.1) })
  }

  @Test func `names only files that are there`() {
    let named = files(in: page)
    #expect(named.count > 80)
    for file in named.sorted() {
      let isThere = ["Sources/", ""].contains { FileManager.default.fileExists(atPath: Repository.root + $0 + file) }
      #expect(isThere, "there is no file \(file)")
    }
  }

  @Test func `has every target, and no other, in its table and in its picture`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "Sources")
    let targets = Set(folders.filter { !$0.hasPrefix(".") } + ["Demos"])
    let table = try #require(page.components(separatedBy: "| room |").dropFirst().first)
    let rows = table.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }
    let rooms = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: #/`(\w+)`/#).map { String($0.1) }
    }
    #expect(Set(rooms) == targets)
    #expect(rooms.count == targets.count, "a target stands twice")
    let drawn = picture.matches(of: #/<text class="room[^>]*>(\w+)<\/text>/#).map { String($0.1) }
    #expect(Set(drawn) == targets)
    #expect(drawn.count == targets.count, "a target is drawn twice")
  }

  @Test func `draws every arrow downwards`() {
    let ends = picture.matches(of: #/<path d="M[\d.]+ ([\d.]+) .*?L[\d.]+ ([\d.]+)"\/>/#)
    #expect(ends.count > 15)
    for end in ends { #expect(Double(end.1) ?? 0 < Double(end.2) ?? 0, "\(end.0)") }
  }
}
