// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `The limit of connections` {
  @Test(arguments: [
    // The wanted connections, the soft and the hard limit; then the limit to set and the connections to allow, and
    // both where files are served, so that each connection may have two descriptors.
    (12_000, 1_000_000, 1_000_000, 1_000_000, 12_000, 1_000_000, 12_000),
    (12_000, 1_024, 1_048_576, 12_128, 12_000, 24_128, 12_000), (12_000, 1_024, 4_096, 4_096, 3_968, 4_096, 1_984),
    (12_000, 1_024, 1_024, 1_024, 896, 1_024, 448), (100, 1_024, 1_024, 1_024, 100, 1_024, 100),
    (12_000, 64, 64, 64, 1, 64, 1), (12_000, .max, .max, .max, 12_000, .max, 12_000),
    (.max, 1_024, 1_024, 1_024, 896, 1_024, 448),
  ])
  func `is as many as there are descriptors for, with a file each where files are served`(
    wanted: Int, soft: Int, hard: Int, limit: Int, connections: Int, limitWithFiles: Int, connectionsWithFiles: Int
  ) {
    for (each, expected) in [(1, (limit, connections)), (2, (limitWithFiles, connectionsWithFiles))] {
      let plan = Descriptors.plan(wanted: wanted, each: each, soft: soft, hard: hard)
      #expect((plan.soft, plan.connections) == expected)
    }
  }
}
