// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import ObservableCore
import Testing

@testable import Demos

@Suite struct `The profile demo` {
  let page: ModelDriver

  init() throws { page = try ModelDriver { ProfileViewModel() } }

  private func told(_ form: Int) throws -> Int { try Int(json: page["forms/items/\(form)/told"] ?? .null) }

  static let edits: [(field: String, value: JSON)] = [
    ("name", "Homarus"), ("motto", "Slow and steady"), ("age", 37), ("height", 0.75), ("isPublic", false),
    ("colour", "blue"),
  ]

  @Test func `S4-1 S4-2 a form shows the present values at once, and is told those that there are`() throws {
    let lobster: JSON = [
      "id": "1", "subject": "lobster", "name": "Lobster", "motto": "Never stop growing", "age": 36,
      "height": 0.5, "isPublic": true, "colour": "red", "summary": "Lobster, 36, red", "told": 7,
    ]
    #expect(page["forms/items/1"] == lobster)
    // The crab has no motto.
    try page.perform("open", "crab")
    #expect(page["forms/items/3/motto"] == .null)
    #expect(try told(3) == 6)
  }

  @Test func `S4-3 a change of the profile reaches the field of its key in every form, and no other field`() throws {
    _ = page.takeChanges()
    try page.perform("birthday", "lobster")
    #expect(
      page.takeChanges() == ["age", "summary", "told"].map { "forms/items/1/\($0)" }
        + ["age", "summary", "told"].map { "forms/items/2/\($0)" })
  }

  @Test(arguments: edits) func `S4-4 S4-5 an edit in one form is told to the others, and not to it`(
    _ field: String, _ value: JSON
  ) throws {
    try page.perform("open", "crab")
    let (first, second, crab) = (try told(1), try told(2), page["forms/items/3"])
    try page.set("forms/items/1/\(field)", value)
    #expect(page["forms/items/1/\(field)"] == value)
    #expect(page["forms/items/2/\(field)"] == value)
    // The writing form is told the summary, if that changes, and not its own field.
    let summaries = ["motto", "height"].contains(field) ? 0 : 1
    #expect(try told(1) == first + summaries)
    #expect(try told(2) == second + 1 + summaries)
    #expect(page["forms/items/3"] == crab)
  }

  @Test func `S4-5 a value of another type, and a key that there is not, are refused`() throws {
    let before = page.state
    for (path, value): (String, JSON) in [
      ("age", "old"), ("age", 1.5), ("age", -1), ("age", 101), ("age", .integer(.max)), ("isPublic", 1),
      ("colour", "mauve"), ("height", .null), ("shoeSize", 44),
    ] {
      #expect(throws: SurfaceError.self) { try page.set("forms/items/1/\(path)", value) }
    }
    #expect(page.state == before)
  }

  @Test func `nobody gets older than 100, however many birthdays there are`() throws {
    try page.set("forms/items/1/age", 99)
    for _ in 1...3 { try page.perform("birthday", "lobster") }
    #expect(page["forms/items/2/age"] == 100)
    #expect(page["forms/items/2/summary"] == "Lobster, 100, red")
  }

  @Test func `S4-6 forms that are opened and closed again and again leave nothing behind`() throws {
    let graph = Graph()
    let page = graph.enter { ProfileViewModel() }
    func openAndClose(_ round: Int) {
      graph.enter {
        page.open(.crab)
        page.close("\(round)")
      }
    }
    // The first round makes the lazy parts.
    openAndClose(3)
    let members = graph.memberCount
    for round in 4..<104 { openAndClose(round) }
    #expect(graph.memberCount == members)
  }

  @Test func `S4-8 bound to another profile, all fields follow it and the one before is not heard`() throws {
    try page.set("forms/items/2/subject", "crab")
    let crab: JSON = [
      "id": "2", "subject": "crab", "name": "Crab", "motto": .null, "age": 7, "height": 0.1, "isPublic": false,
      "colour": "green", "summary": "This profile is private", "told": 13,
    ]
    #expect(page["forms/items/2"] == crab)
    for (field, value) in Self.edits { try page.set("forms/items/1/\(field)", value) }
    try page.perform("birthday", "lobster")
    #expect(page["forms/items/2"] == crab)
    #expect(page["forms/items/1/age"] == 38)
    try page.perform("birthday", "crab")
    #expect(page["forms/items/2/age"] == 8)
    try page.set("forms/items/2/subject", "lobster")
    #expect(page["forms/items/2/motto"] == "Slow and steady")
  }

  @Test
  func `S4-10 S4-12 the page binds form controls two ways, all else one way, and has no script of its own`() throws {
    let html = try String(
      contentsOfFile: #filePath.replacing("Tests/DemosTests/ProfileTests.swift", with: "Public/profile.html"),
      encoding: .utf8)
    let tags = html.split(separator: "<").map { $0.prefix { $0 != ">" } }
    let bound = tags.filter { $0.contains("data-vm-bind=") }
    #expect(bound.count == 7)
    for tag in bound { #expect(["input", "select"].contains(tag.prefix { $0 != " " }), "\(tag)") }
    #expect(tags.contains { $0.contains(#"data-vm-text="summary""#) })
    let scripts = tags.filter { $0.hasPrefix("script") }
    #expect(scripts.allSatisfy { $0.contains(#"src="/euripus.js""#) || $0.contains(#"src="/euripus-wire.js""#) })
  }

  @Test func `no more than four forms are open`() throws {
    try page.perform("open", "crab")
    try page.perform("open", "lobster")
    #expect(page["canOpen"] == false)
    #expect(throws: SurfaceError.self) { try page.perform("open", "crab") }
    try page.perform("close", "1")
    #expect(page["forms/order"] == ["2", "3", "4"])
    #expect(page["canOpen"] == true)
  }
}
