// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A list whose address has its tab and its order.
private final class Listing: ViewModel {
  @Observed var tab = "all"
  @Observed var order = "name"
  @Observed var other = 0
  @Observed var padding = String(repeating: "long enough that the state is longer than one patch. ", count: 8)
  static let surface = Surface<Listing>(
    "listing", .twoWay("tab", \.$tab).inAddress(), .twoWay("order", \.$order).inAddress(.replace),
    .twoWay("other", \.$other), .value("padding", \.$padding))
}

/// A view model whose state is shorter than any patch.
private final class Short: ViewModel {
  @Observed var a = 0
  @Observed var b = 0
  static let surface = Surface<Short>(
    "short", .twoWay("a", \.$a).inAddress(.replace), .twoWay("b", \.$b).inAddress())
}

@Suite struct `The address in a frame` {
  let host = SessionHost.still(
    [.hosting(at: "/list") { Listing() }, .hosting { Short() }], configuration: .unhurried)
  let session: Session
  let first: Version

  init() throws {
    session = try host.open("listing", as: nil).session
    first = try session.now { $0.version }
  }

  private func set(_ name: String, _ value: JSON) throws -> JSON {
    try session.now { try $0.assign([name], value, since: nil, ifMatch: nil) }.value
  }

  private func go(_ address: JSON, since: Version? = nil) throws -> JSON {
    try session.now { try $0.make([.address(address)], since: since, ifMatch: nil) }.value
  }

  private func frame(_ since: Version?) throws -> JSON { try session.now { $0.frame(since: since) }.value }

  @Test func `is there when it has changed, and adds to the history or replaces it as the surface says`() throws {
    let pushed = try set("tab", "new")
    #expect(pushed["address"] == "/list?tab=new")
    #expect(pushed["history"] == nil)
    let replaced = try set("order", "date")
    #expect(replaced["address"] == "/list?tab=new&order=date")
    #expect(replaced["history"] == "replace")
    let other = try set("other", 1)
    #expect(other["patch"] != nil && other["address"] == nil)
  }

  @Test func `covers all changes since the reader's version`() throws {
    let before = try (set("order", "date"), session.now { $0.version }).1
    _ = try set("tab", "new")
    let pushed = try session.now { $0.version }
    _ = try set("order", "size")
    _ = try set("other", 2)
    // Both values have changed since `before`. The tab adds an entry to the history, so this frame does too.
    #expect(try frame(before)["history"] == nil)
    #expect(try frame(before)["address"] == "/list?tab=new&order=size")
    #expect(try frame(pushed)["history"] == "replace")
    #expect(try frame(session.now { $0.version })["address"] == nil)
  }

  @Test func `is in each state, with the history that follows from the reader's version`() throws {
    _ = try set("order", "date")
    for since in [nil, Version(epoch: "other", revision: 1)] {
      let frame = try frame(since)
      #expect(frame["state"] != nil)
      #expect(frame["address"] == "/list?order=date")
      #expect(frame["history"] == nil)
    }
    #expect(try session.now { try $0.snapshot() }.value["address"] == "/list?order=date")
    #expect(try session.now { $0.opened(url: "/") }.value["address"] == "/list?order=date")
    let short = try host.open("short", as: nil).session
    let set = { (name: String) in
      try short.now { try $0.assign([name], 5, since: nil, ifMatch: nil) }.value
    }
    let replaced = try set("a")
    #expect(
      replaced["state"] == ["a": 5, "b": 0] && replaced["address"] == "/short.html?a=5"
        && replaced["history"] == "replace")
    let pushed = try set("b")
    #expect(pushed["state"] != nil && pushed["history"] == nil)
  }

  @Test func `is in the answer to one that is set, whether it has led there or not`() throws {
    let gone = try go("/list?tab=new&nothing=1")
    #expect(gone["address"] == "/list?tab=new")
    #expect(gone["history"] == "replace")
    let again = try go("/list?tab=new")
    #expect(again["patch"] == [])
    #expect(again["from"] == again["to"])
    #expect(again["address"] == "/list?tab=new")
    #expect(again["history"] == "replace")
    // For other readers, it is a change like any other.
    #expect(try frame(first)["history"] == nil)
    #expect(try frame(first)["address"] == "/list?tab=new")
  }
}
