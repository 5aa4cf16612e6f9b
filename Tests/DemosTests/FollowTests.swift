// SPDX-License-Identifier: MIT
import Demos
import Euripus
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The follow demo` {
  static let idle: JSON = ["enabled": true, "executing": false, "progress": .null, "result": .null, "error": .null]
  static let anna = "people/items/anna/follow"
  static let bert = "people/items/bert/follow"

  let service = HeldFollowService()
  let page: ModelDriver

  init() throws { page = try ModelDriver { [service] in FollowViewModel(service: service) } }

  /// Performs a command, and ends its request at once.
  private func follow(_ path: String, _ isFollowed: JSON = true, failing error: (any Error)? = nil) async throws {
    try page.perform(path, isFollowed)
    let gate = service[String(path.split(separator: "/")[2])]
    if let error { gate.open(throwing: error) } else { gate.open(with: nil) }
    await page.settled()
  }

  /// The paths of the next frame, for a client that got the frame of the last call.
  private func changedPaths() throws -> [String] {
    guard case .array(let operations) = page.takeFrame()["patch"] else { return [] }
    return try operations.map { try String(json: $0["path"] ?? .null) }
  }

  @Test func `S1-1 S1-9 each person has a command of their own, idle at first`() {
    #expect(page["people/order"] == ["anna", "bert", "carl"])
    for id in ["anna", "bert", "carl"] { #expect(page["people/items/\(id)/follow"] == Self.idle) }
    #expect(page["followed"] == 0)
  }

  @Test
  func `S1-1 S1-2 S1-9 a command has progress until the service is done, and its row alone changes`() async throws {
    _ = page.takeChanges()
    try page.perform(Self.anna, true)
    let begun = page.takeChanges()
    #expect(begun == ["\(Self.anna)/enabled", "\(Self.anna)/executing"])
    service["anna"].open(with: 0.5)
    await page.wait { _ in page["\(Self.anna)/progress"] == 0.5 }
    #expect(page["people/items/anna/isFollowed"] == false)
    _ = page.takeChanges()
    service["anna"].open(with: nil)
    await page.settled()
    #expect(
      page[Self.anna] == ["enabled": true, "executing": false, "progress": .null, "result": true, "error": .null])
    let changes = ["enabled", "executing", "progress", "result"].map { "\(Self.anna)/\($0)" }
    #expect(page.takeChanges() == ["people/items/anna/isFollowed"] + changes + ["followed"])
    #expect(page[Self.bert] == Self.idle)
  }

  @Test func `S1-5 a failure is the command's error and leaves the row as it was`() async throws {
    try await follow(Self.anna)
    try await follow(Self.anna, false, failing: NoAnswer(about: "Anna"))
    #expect(page["people/items/anna/isFollowed"] == true)
    #expect(page["\(Self.anna)/result"] == .null)
    let error: JSON = ["type": "no-answer", "detail": "Anna: the service did not answer. Try again."]
    #expect(page["\(Self.anna)/error"] == error)
    try await follow(Self.anna, false)
    #expect(page["\(Self.anna)/error"] == .null)
    #expect(page["people/items/anna/isFollowed"] == false)
  }

  @Test func `S1-11 one message stands for the failures of all commands, the page's own included`() async throws {
    try await follow(Self.anna, failing: NoAnswer(about: "Anna"))
    #expect(page["error"] == "Anna: the service did not answer. Try again.")
    try await follow(Self.bert, failing: NoAnswer(about: "Bert"))
    #expect(page["error"] == "Bert: the service did not answer. Try again.")
    try page.perform("suggest")
    service[].open(throwing: HeldFollowService.Unspeakable())
    await page.settled()
    #expect(page["error"] == "Something went wrong. Try again.")
    #expect(page["suggest/error/type"] == "internal")
  }

  @Test func `S1-11 the message goes when it is dismissed, and when something new is tried`() async throws {
    try await follow(Self.anna, failing: NoAnswer(about: "Anna"))
    try page.perform("dismiss")
    #expect(page["error"] == .null)
    try await follow(Self.anna, failing: NoAnswer(about: "Anna"))
    #expect(page["error"] != .null)
    try page.perform(Self.anna, true)
    #expect(page["error"] == .null)
  }

  @Test func `S1-11 values of several rows combine into the number of followed people`() async throws {
    try await follow(Self.anna)
    try await follow(Self.bert)
    #expect(page["followed"] == 2)
    try page.perform("hide", "anna")
    #expect(page["followed"] == 1)
  }

  @Test
  func `S1-12 with followed people first, a row moves as its command succeeds, and it alone is sent`() async throws {
    try page.set("order", "followed")
    _ = page.takeFrame()
    try await follow("people/items/carl/follow")
    #expect(page["people/order"] == ["carl", "anna", "bert"])
    let paths = try changedPaths()
    #expect(paths.contains { $0.hasPrefix("/people/order") })
    #expect(paths.allSatisfy { !$0.hasPrefix("/people/items/anna") && !$0.hasPrefix("/people/items/bert") })
    try page.set("order", "name")
    #expect(page["people/order"] == ["anna", "bert", "carl"])
    #expect(throws: SurfaceError.self) { try page.set("order", "age") }
  }

  @Test func `more people are suggested until there are no more, and then the command is disabled`() async throws {
    for expected: JSON in [["anna", "bert", "carl", "3"], ["anna", "bert", "carl", "3", "4"]] {
      #expect(page["suggest/enabled"] == true)
      try page.perform("suggest")
      service[].open(with: nil)
      await page.settled()
      #expect(page["people/order"] == expected)
    }
    #expect(page["suggest/enabled"] == false)
    #expect(throws: SurfaceError.self) { try page.perform("suggest") }
  }

  @Test func `the service in memory cannot reach Gödel at first and every third time, and is slow`() async throws {
    let paused = Locked(Duration.zero)
    let page = try ModelDriver {
      FollowViewModel(service: MemoryFollowService { pause in paused.withLock { $0 += pause } })
    }
    let follow = "people/items/goedel/follow"
    var failed: [Bool] = []
    for _ in 1...7 {
      try page.perform(follow, true)
      await page.settled()
      failed.append(page["\(follow)/error"] != .null)
      try page.perform(follow, false)
      await page.settled()
      #expect(page["\(follow)/error"] == .null)
    }
    #expect(failed == [true, false, false, true, false, false, true])
    let requests = Duration.milliseconds(150 * (3 * 7 + 11 * 10))
    #expect(paused.withLock { $0 } == requests)
    for count in [8, 10] {
      try page.perform("suggest")
      await page.settled()
      #expect(try [String](json: page["people/order"] ?? .null).count == count)
    }
    #expect(page["suggest/enabled"] == false)
  }
}
