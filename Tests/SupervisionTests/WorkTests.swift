// SPDX-License-Identifier: MIT
import JSONPatching
import Testing
import ViewModels

@testable import EuripusApp

struct `A work` {
  private static let session = "/sessions/a/1"

  private static func mark(_ changes: Change..., session: String = session) -> UInt64 {
    Work.changing(session, changes).mark
  }

  @Test func `is told to people by its verb and path, and without its value`() {
    #expect(Work.opening("a").text == "open /sessions/a")
    #expect(Work.restoring(Self.session).text == "restore /sessions/a/1")
    #expect(Work.answering("GET /reports/{name}.csv").text == "answer GET /reports/{name}.csv")
    #expect(Work.changing(Self.session, [.perform(["x", "y"], "secret")]).text == "perform /sessions/a/1/x/y")
    #expect(Work.changing(Self.session, [.set(["x"], "secret")]).text == "set /sessions/a/1/x")
    #expect(Work.changing(Self.session, [.cancel(["x"])]).text == "cancel /sessions/a/1/x")
    let two = Work.changing(Self.session, [.cancel(["x"]), .cancel(["y"])])
    #expect(two.text == "change /sessions/a/1")
  }

  @Test func `is known by session, verb, path and value, and by nothing else`() {
    let marks: [UInt64] = [
      Self.mark(.perform(["x"])), Self.mark(.perform(["x"]), session: "/sessions/a/2"), Self.mark(.perform(["y"])),
      Self.mark(.perform(["x", "y"])), Self.mark(.perform(["x/y"])), Self.mark(.perform(["x"], true)),
      Self.mark(.perform(["x"], 1)), Self.mark(.perform(["x"], 1.5)), Self.mark(.perform(["x"], "1")),
      Self.mark(.perform(["x"], [1])), Self.mark(.perform(["x"], [1, 2])), Self.mark(.perform(["x"], [2, 1])),
      Self.mark(.perform(["x"], [[1], 2])), Self.mark(.perform(["x"], [[1, 2]])), Self.mark(.perform(["x"], [:])),
      Self.mark(.perform(["x"], ["a": 1, "b": 2])), Self.mark(.perform(["x"], ["a": 2, "b": 1])),
      Self.mark(.set(["x"], 1)), Self.mark(.cancel(["x"])), Self.mark(.cancel(["x"]), .cancel(["y"])),
      Self.mark(.cancel(["y"]), .cancel(["x"])), Work.opening("a").mark, Work.restoring(Self.session).mark,
    ]
    #expect(Set(marks).count == marks.count)
    #expect(Self.mark(.perform(["x"])) == Self.mark(.perform(["x"], .null)))
    #expect(Self.mark(.set(["x"], 1)) == Self.mark(.set(["x"], 1.0)))
    #expect(Self.mark(.set(["x"], ["a": 1, "b": 2])) == Self.mark(.set(["x"], ["b": 2, "a": 1])))
    // The mark is the same in every process, as the next server is told of it.
    #expect(Work.opening("a").mark == 5_677_945_813_387_181_249)
  }

  @Test func `is the same everywhere on one view model by its action, whatever the session, the value and the row`() {
    func everywhere(_ change: Change, session: String = Self.session) -> UInt64 {
      Work.changing(session, [change], client: "c").wider.everywhere
    }
    let one = everywhere(.perform(["list", "items", "1", "remove"], 1))
    #expect(one != 0)
    #expect(one == everywhere(.perform(["list", "items", "2", "remove"], 2), session: "/sessions/a/2"))
    let others: [Change] = [
      .perform(["list", "items", "1", "add"]), .perform(["other", "items", "1", "remove"]),
      .perform(["list", "remove"]),
      .set(["list", "items", "1", "remove"], 1),
    ]
    for other in others { #expect(everywhere(other) != one) }
    #expect(everywhere(.perform(["list", "items", "1", "remove"], 1), session: "/sessions/b/1") != one)
  }

  @Test func `is a part of its action, whatever the value, of its session and of its client`() {
    func wider(_ changes: Change..., session: String = Self.session, client: String = "c") -> Work.Wider {
      Work.changing(session, changes, client: client).wider
    }
    let one = wider(.perform(["x", "y"], 1))
    #expect(one == wider(.perform(["x", "y"], "another")))
    #expect(![one.action, one.session, one.client].contains(0))
    for other in [wider(.perform(["x/y"], 1)), wider(.perform(["x"], 1)), wider(.set(["x", "y"], 1))] {
      #expect(other.action != one.action && other.session == one.session && other.client == one.client)
    }
    let elsewhere = wider(.perform(["x", "y"], 1), session: "/sessions/a/2", client: "d")
    #expect(elsewhere.action != one.action && elsewhere.session != one.session && elsewhere.client != one.client)
    #expect(elsewhere.everywhere == one.everywhere)
    // Several at once have no action in common: each is noted by itself.
    #expect(wider(.cancel(["x"]), .cancel(["y"])) == Work.Wider(action: 0, session: one.session, client: one.client))
    let openings = Work.opening("a").wider
    #expect(openings.session != 0 && openings.session != Work.opening("b").wider.session)
    #expect(openings == Work.Wider(session: openings.session))
    #expect(Work.opening("a", client: "c").wider == Work.Wider(session: openings.session, client: one.client))
    #expect(Work.restoring(Self.session).wider == Work.Wider())
  }

  @Test func `differs by each bit of its value`() {
    let text = String(decoding: (0..<100).map { UInt8(32 + $0 * $0 % 64) }, as: UTF8.self)
    var marks: Set<UInt64> = [Self.mark(.set(["x"], .string(text)))]
    for length in 0..<100 { marks.insert(Self.mark(.set(["x"], .string(String(text.prefix(length)))))) }
    for bit in 0..<500 {
      var changed = Array(text.utf8)
      changed[bit / 5] ^= 1 << (bit % 5)
      marks.insert(Self.mark(.set(["x"], .string(String(decoding: changed, as: UTF8.self)))))
    }
    #expect(marks.count == 601)
  }
}
