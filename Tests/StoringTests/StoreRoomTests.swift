// SPDX-License-Identifier: MIT
import Testing

@testable import Storing

/// In these tests a store may have 64,000 bytes: a network's part is 16,000, and a step gives back 1,000.
@Suite struct `The room in a store` {
  private static let few = ClientNetwork.version4(1).number
  private static let many = ClientNetwork.version4(2).number
  private static let more = ClientNetwork.version6(3 << 16).number

  /// A share, in thousands of bytes.
  private static func share(_ network: Int64, users: Bool = false, _ thousands: Int) -> StoreShare {
    StoreShare(network, isOfUsers: users, bytes: thousands * 1_000)
  }

  private func room(_ heaviest: [StoreShare], others: Int = 0) -> StoreRoom {
    StoreRoom(limit: 64_000, bytes: heaviest.reduce(others * 1_000) { $0 + $1.bytes }, heaviest: heaviest)
  }

  @Test(arguments: [
    (56, 20, true, true, true), (57, 15, true, true, true), (57, 16, false, true, false), (60, 1, false, true, true),
    (63, 1, false, true, true), (64, 1, false, false, false),
  ])
  func `is refused to newcomers first, of the networks that have most, and to those who are there last`(
    all: Int, network: Int, newcomer: Bool, client: Bool, growth: Bool
  ) {
    let room = room([Self.share(Self.many, network)], others: all - network)
    let bytes = room.bytes(of: Self.many)
    #expect(room.hasRoom(isNewcomer: true, network: bytes) == newcomer)
    #expect(room.hasRoom(isNewcomer: false, network: bytes) == client)
    #expect(!room.isUsedUp { bytes } == growth)
  }

  struct Step: Sendable {
    let shares: [StoreShare]
    var others = 0
    let surplus: [StoreShare]
  }

  @Test(arguments: [
    // There is enough.
    Step(shares: [share(many, 56)], surplus: []),
    // A network that has more than its part gives, nobody's sessions first, also where others have users' alone.
    Step(shares: [share(many, 40), share(few, 20)], surplus: [share(many, 1)]),
    Step(shares: [share(many, users: true, 40), share(few, 20)], surplus: [share(many, users: true, 1)]),
    Step(shares: [share(many, users: true, 57), share(many, 2)], surplus: [share(many, 1)]),
    Step(
      shares: [share(many, users: true, 56), StoreShare(many, isOfUsers: false, bytes: 400), share(few, 3)],
      surplus: [
        StoreShare(many, isOfUsers: true, bytes: 600), StoreShare(many, isOfUsers: false, bytes: 400),
      ]),
    // Networks within their parts: users give last, and the heaviest of the others first, until others have as many.
    Step(shares: [share(many, users: true, 15), share(few, 1)], others: 43, surplus: [share(few, 1)]),
    Step(
      shares: [share(many, 12), StoreShare(more, isOfUsers: false, bytes: 11_800), share(few, 11)], others: 25,
      surplus: [StoreShare(many, isOfUsers: false, bytes: 600), StoreShare(more, isOfUsers: false, bytes: 400)]),
    Step(
      shares: [share(many, users: true, 15), share(few, users: true, 14)], others: 30,
      surplus: [share(many, users: true, 1)]),
  ])
  func `is given back by the heaviest, for others and by users last`(_ step: Step) {
    #expect(room(step.shares, others: step.others).surplus == step.surplus)
  }

  @Test func `is made by the longest unused sessions, those in memory last`() {
    let share = StoreShare(Self.many, isOfUsers: false, bytes: 10)
    let sessions = [("a", 4), ("b", 4), ("c", 4), ("d", 4), ("e", 4)]
    func ends(_ inMemory: String, most: Int = 9, over: Set<String> = []) -> [[Int]] {
      let step = RoomStep([share], most: most, passingOver: over)
      let ends = step.ends(of: share, among: sessions) { inMemory.contains($0) }
      return [ends.stored, ends.inMemory]
    }
    #expect(ends("ab") == [[2, 3, 4], []])
    #expect(ends("abd") == [[2, 4], [0]])
    #expect(ends("ab", most: 3) == [[2], [0, 1]])
    // Those that are in use are no candidates.
    #expect(ends("abd", over: ["a", "c"]) == [[4], [1, 3]])
    #expect(ends("ab", most: 2, over: ["a", "b"]) == [[2, 3], []])
  }

  @Test func `is made by so many sessions at most, of all shares together`() {
    let shares = (1...3).map { StoreShare($0, isOfUsers: false, bytes: 10) }
    #expect([1, 2, 3].map { RoomStep(Array(shares[..<$0]), most: 6).candidates } == [6, 3, 2])
    #expect(RoomStep(shares, most: 6, passingOver: ["a", "b"]).candidates == 4)
    #expect(RoomStep(shares, most: 1).candidates == 1)
    // However many are passed over, a step knows no more than its sample.
    let step = RoomStep(shares, most: 6, passingOver: Set((0..<99).map { "\($0)" }))
    #expect(step.sample == 8 && step.candidates == 8)
  }

  @Test func `belongs to a network, each of which has a number of its own in the store`() {
    let networks: [ClientNetwork] = [
      .unknown, .version4(0), .version4(1), .version4(.max), .version6(0), .version6(1 << 16), .version6(~0xFFFF),
    ]
    #expect(Set(networks.map(\.number)).count == networks.count && networks.allSatisfy { $0.number >= 0 })
  }
}
