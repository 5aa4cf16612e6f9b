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

  @Test func `has the same action in all sessions on one view model, whatever the value and the row`() {
    func action(_ change: Change, session: String = Self.session) -> UInt64 {
      Work.changing(session, [change], client: "c").actionMark
    }
    let one = action(.perform(["list", "items", "1", "remove"], 1))
    #expect(one != 0)
    #expect(one == action(.perform(["list", "items", "2", "remove"], 2), session: "/sessions/a/2"))
    let others: [Change] = [
      .perform(["list", "items", "1", "add"]), .perform(["other", "items", "1", "remove"]),
      .perform(["list", "remove"]),
      .set(["list", "items", "1", "remove"], 1),
    ]
    for other in others { #expect(action(other) != one) }
    #expect(action(.perform(["list", "items", "1", "remove"], 1), session: "/sessions/b/1") != one)
  }

  @Test func `has the mark of its client, whatever it does`() {
    let one = Work.changing(Self.session, [.perform(["x"], 1)], client: "c")
    #expect(one.clientMark != 0 && one.clientMark != one.mark && one.clientMark != one.actionMark)
    #expect(Work.changing("/sessions/b/2", [.set(["y"], 1), .cancel(["x"])], client: "c").clientMark == one.clientMark)
    #expect(Work.opening("a", client: "c").clientMark == one.clientMark)
    #expect(Work.opening("a", client: "d").clientMark != one.clientMark)
    for nobodys in [Work.opening("a"), .restoring(Self.session), .answering("GET /x"), .authenticating] {
      #expect(nobodys.clientMark == 0)
    }
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
