// SPDX-License-Identifier: MIT
import JSONPatching
import Testing
import ViewModels

@testable import Sessions

@Suite struct `The pace of actions` {
  private let pace = Pace()
  private let save = Change.perform(["items", "7", "save"])

  private func note(_ changes: [Change], _ milliseconds: Int, times: Int = 1) {
    for _ in 0..<times { pace.note(changes, on: "note", took: .milliseconds(milliseconds)) }
  }

  @Test func `an action is trusted after one quick run, in every row, and on its own view model alone`() {
    #expect(pace.lane(of: [save], on: "note") == .untried)
    note([save], 1)
    #expect(pace.lane(of: [save], on: "note") == .here)
    #expect(pace.lane(of: [.perform(["items", "8", "save"])], on: "note") == .here)
    #expect(pace.lane(of: [save], on: "other") == .untried)
  }

  @Test func `actions of one name on two parts, and a command's cancelling, are told apart`() {
    note([.perform(["left", "refresh"])], 30)
    note([.perform(["right", "refresh"]), .perform(["items"])], 1)
    #expect(pace.lane(of: [.perform(["left", "refresh"])], on: "note") == .slow)
    #expect(pace.lane(of: [.perform(["right", "refresh"])], on: "note") == .here)
    #expect(pace.lane(of: [.cancel(["right", "refresh"])], on: "note") == .untried)
    #expect(pace.lane(of: [.set(["right", "refresh"], 1)], on: "note") == .untried)
  }

  @Test(arguments: [["items"], ["pages", "items", "items"]])
  func `actions of a part that is called items are told apart`(part: [String]) {
    note([.perform(part + ["save"])], 1)
    #expect(pace.lane(of: [.perform(part + ["load"])], on: "note") == .untried)
  }

  @Test func `an action that was slow is trusted after 100 quick runs in a row, and the next time after 10,000`() {
    for runs in [100, 10_000] {
      note([save], 20)
      #expect(pace.lane(of: [save], on: "note") == .slow)
      note([save], 1, times: runs - 1)
      #expect(pace.lane(of: [save], on: "note") == .slow)
      note([save], 1)
      #expect(pace.lane(of: [save], on: "note") == .here)
    }
  }

  @Test func `a batch has the lane of its slowest action`() {
    let load = Change.perform(["load"])
    note([save], 1)
    #expect(pace.lane(of: [save, load, nil], on: "note") == .untried)
    note([load], 30)
    #expect(pace.lane(of: [save, load, nil], on: "note") == .slow)
  }

  @Test func `the making of a view model has a lane of its own`() {
    note([save], 30)
    #expect(pace.laneOfMaking("note") == .untried)
    pace.noteMaking("note", took: .zero)
    #expect(pace.laneOfMaking("note") == .here)
  }

  @Test func `steps of commands run in the pool, and with the slow code until they have proved quick`() {
    #expect(pace.laneOfSteps("note") == .slow)
    pace.noteStep("note", took: .milliseconds(1))
    #expect(pace.laneOfSteps("note") == .untried)
    #expect(pace.laneOfSteps("other") == .slow)
    pace.noteStep("note", took: .milliseconds(20))
    #expect(pace.laneOfSteps("note") == .slow)
  }
}
