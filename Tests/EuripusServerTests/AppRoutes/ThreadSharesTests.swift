// SPDX-License-Identifier: MIT
import Storing
import Testing

@testable import EuripusServer

@Suite struct `The shares of the threads for functions` {
  private var shares = ThreadShares<Int>(threads: 64)
  private let stranger = ThreadCaller(network: .version4(1), client: nil)

  private func client(_ number: Int, in network: UInt32 = 1) -> ThreadCaller {
    ThreadCaller(network: .version4(network), client: Credential(hashing: "\(number)"))
  }

  @Test mutating func `are a quarter for a client and half for its network, whatever others have`() {
    #expect((0..<64).count { shares.begin($0, for: stranger) } == 16)
    #expect((0..<64).count { shares.begin($0, for: client(1)) } == 16)
    #expect((0..<64).count { shares.begin($0, for: client(2)) } == 0)
    #expect((0..<64).count { shares.begin($0, for: client(1, in: 2)) } == 16)
  }

  @Test mutating func `give the place of a job that is done to the oldest that may have it`() {
    for job in 0..<18 { _ = shares.begin(job, for: client(1)) }
    for job in 100..<118 { _ = shares.begin(job, for: client(2)) }
    #expect(shares.begin(200, for: client(3)) == false)
    // The oldest job is one of the first client, which has all of its share still.
    #expect(shares.end(for: client(2)).map { [$0.job] } == [116])
    #expect(shares.end(for: client(1)).map { [$0.job] } == [16])
    #expect((0..<4).map { _ in shares.end(for: client(1))?.job } == [17, 200, nil, nil])
  }
}
