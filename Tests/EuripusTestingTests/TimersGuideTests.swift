// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

final class Auction: ViewModel {
  private let context: SessionContext
  @Observed var bid = 0
  @Observed var isOver = false
  @Observed var hours = 0

  init(_ context: SessionContext) { self.context = context }

  func begin() throws { try context.wake(in: .seconds(86_400), for: "end") }

  func offer(_ amount: Int) throws {
    bid = max(bid, amount)
    let soonest = context.now + .seconds(600)
    if let end = context.wakes["end"], end < soonest { try context.wake(at: soonest, for: "end") }
  }

  func callOff() throws { try context.cancelWake(for: "end") }

  func wake(_ name: String) {
    if name == "end" { isOver = true }
  }

  func countHour() { hours += 1 }

  static let surface = Surface<Auction>(
    "auction", .value("bid", \.$bid), .value("isOver", \.$isOver), .value("hours", \.$hours),
    .action("begin", Auction.begin), .action("offer", Auction.offer), .action("callOff", Auction.callOff),
    .onWake(Auction.wake), .every("countHour", .seconds(3_600), Auction.countHour))
}

/// The Swift of the article about timers, compiled and run. GuidesTests compares the lines.
@Suite(.timeLimit(.minutes(30))) struct `The article about timers` {
  @Test func `an offer in the last minutes makes an auction longer`() throws {
    let auction = try ModelDriver { Auction($0) }
    try auction.perform("begin")
    auction.advance(by: .seconds(86_399))
    try auction.perform("offer", 7)
    auction.advance(by: .seconds(599))
    #expect(auction["isOver"] == false)
    auction.advance(by: .seconds(1))
    #expect(auction["isOver"] == true)
    #expect(auction["hours"] == 24)
  }

  @Test func `shows an auction that is called off`() throws {
    let auction = try ModelDriver { Auction($0) }
    try auction.perform("begin")
    try auction.perform("callOff")
    auction.advance(by: .seconds(200_000))
    #expect(auction["isOver"] == false)
    #expect(auction.clock.wallTime == WallTime(secondsSince1970: 1_000_200_000))
  }
}
