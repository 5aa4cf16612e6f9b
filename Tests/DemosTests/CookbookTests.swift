// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `The model of the cookbook` {
  /// The gate at which a toast, or a look for boats, waits for the end of its time.
  let gate: Gate<Void>
  let page: ModelDriver

  init() throws {
    let gate = Gate<Void>()
    self.gate = gate
    page = try ModelDriver { context in CookbookViewModel(context) { _ in try await gate.pass() } }
  }

  @Test func `is being renamed until that is stopped`() throws {
    try page.perform("rename")
    #expect(page["isRenaming"] == true)
    try page.perform("stopRenaming")
    #expect(page["isRenaming"] == false)
  }

  @Test func `shows a toast until its time is over`() async throws {
    try page.perform("save")
    await page.wait { $0["toast"] == "Saved." }
    gate.open()
    await page.wait { $0["toast"] == "" }
  }

  @Test func `says how many boats there are, once it has looked`() async throws {
    try page.perform("look")
    #expect((page["look/executing"], page["look/result"]) == (true, .null))
    gate.open()
    await page.settled()
    #expect(page["look/result"] == "Boats in the harbour: 4.")
  }

  @Test(arguments: [("", 4), ("co", 1), ("Z", 0)])
  func `counts the boats whose names begin with the query`(query: String, count: Int) throws {
    try page.set("query", .string(query))
    #expect(page["found"] == .integer(Int64(count)))
  }

  @Test func `sorts by a column, the other way at the second time, and says so`() throws {
    try page.perform("sort", "length")
    #expect(page["boats/order"] == ["b3", "b1", "b4", "b2"])
    #expect((page["sortOfLength"], page["sortOfName"]) == ("ascending", .null))
    try page.perform("sort", "length")
    #expect(page["boats/order"] == ["b2", "b4", "b1", "b3"])
    #expect(page["sortOfLength"] == "descending")
  }

  @Test func `says that it is sorted by names only as long as the names are in order`() throws {
    try page.perform("sort", "name")
    try page.set("boats/items/b1/name", "Zora")
    #expect(page["sortOfName"] == .null)
    try page.set("boats/items/b1/name", "Aurora")
    #expect(page["sortOfName"] == "ascending")
  }

  @Test func `moves a boat to the place of another one, up or down, and is not sorted then`() throws {
    try page.perform("sort", "name")
    try page.perform("move", ["boat": "b1", "to": "b3"])
    #expect(page["boats/order"] == ["b2", "b3", "b1", "b4"])
    #expect(page["sortOfName"] == .null)
    try page.perform("moveUp", "b4")
    #expect(page["boats/order"] == ["b2", "b3", "b4", "b1"])
  }

  @Test func `moves no boat that is not there, and none above the first`() throws {
    for (boat, other) in [("b9", "b1"), ("b1", "b9")] as [(JSON, JSON)] {
      try page.perform("move", ["boat": boat, "to": other])
    }
    try page.perform("moveUp", "b1")
    try page.perform("moveUp", "b9")
    #expect(page["boats/order"] == ["b1", "b2", "b3", "b4"])
  }

  @Test func `adds a boat, and tells its key`() throws {
    try page.perform("add")
    #expect(page["added/count"] == 0, "nothing is added of nothing")
    try page.set("newBoat", "Egret")
    try page.perform("add")
    #expect(page["added"] == ["count": 1, "value": "b5"])
    #expect((page["boats/items/b5/name"], page["newBoat"]) == ("Egret", ""))
  }

  @Test func `has so many boats and no more, until it is filled anew`() throws {
    for count in 4..<CookbookViewModel.mostBoats {
      #expect(page["canAdd"] == true, "\(count) boats")
      try page.set("newBoat", "boat")
      try page.perform("add")
    }
    #expect(throws: SurfaceError.self) { try page.perform("add") }
    try page.perform("fill")
    #expect(page["canAdd"] == true)
    #expect(page["lengths"] == [12, 31, 8, 24])
  }

  @Test func `has the browser open another page`() throws {
    try page.perform("leave")
    #expect(page.destination == "/reference.html")
  }
}
