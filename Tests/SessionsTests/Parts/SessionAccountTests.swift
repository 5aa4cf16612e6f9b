// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

@Suite struct `The account of a session` {
  private let start = ContinuousClock.now
  private let account: SessionAccount

  init() { account = SessionAccount(bytes: 10_000, now: start) }

  @Test func `takes more changes than the burst for the burst`() {
    let rate = Rate(10, per: .seconds(1), burst: 20)
    #expect(account.take(1_000, of: rate, now: start) == nil)
    #expect(account.take(1, of: rate, now: start) == .milliseconds(100))
    #expect(account.take(1_000, of: rate, now: start + .seconds(1)) == .seconds(1))
  }

  @Test func `counts its bytes when they differ much, or when that is asked for`() {
    #expect(account.note(10_500, isForced: false) == false)
    #expect(account.bytes == 10_000)
    #expect(account.note(10_500, isForced: true) == true)
    #expect(account.note(9_000, isForced: false) == true)
    #expect(account.bytes == 9_000)
  }

  @Test func `tells of a state that is too long once, until it is short again`() {
    var news: [Bool] = []
    for isTooLong in [true, true, false, true] { news.append(account.note(isTooLong: isTooLong)) }
    #expect(news == [true, false, false, true])
  }
}
