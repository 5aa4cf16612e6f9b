// SPDX-License-Identifier: MIT

/// A member's place in its graph. It never moves, so that a member reaches its graph through one pointer.
struct Seat {
  /// The member, not kept alive; `nil` while the seat is free.
  var member: Unmanaged<GraphMember>?
  /// The graph, while the seat is taken: it has its members leave when it goes.
  var graph: Unmanaged<Graph>
  /// The free seat after this one.
  var nextFree: SeatPointer?
}

typealias SeatPointer = UnsafeMutablePointer<Seat>

/// The seats of a graph, in blocks of which each is as large as all before it.
struct Membership {
  private var blocks: [UnsafeMutableBufferPointer<Seat>] = []
  private var firstFree: SeatPointer?
  private(set) var count = 0

  mutating func insert(_ member: GraphMember, of graph: Graph) -> SeatPointer {
    if firstFree == nil { addBlock(of: graph) }
    guard let seat = firstFree else { preconditionFailure("a new block of seats has none") }
    firstFree = seat.pointee.nextFree
    seat.pointee.member = Unmanaged.passUnretained(member)
    count += 1
    return seat
  }

  mutating func remove(_ seat: SeatPointer) {
    seat.pointee.member = nil
    seat.pointee.nextFree = firstFree
    firstFree = seat
    count -= 1
  }

  /// The members, in the order of their seats.
  var members: [GraphMember] {
    blocks.flatMap { block in block.compactMap { $0.member?.takeUnretainedValue() } }
  }

  private mutating func addBlock(of graph: Graph) {
    let size = max(8, blocks.reduce(0) { $0 + $1.count })
    let block = UnsafeMutableBufferPointer<Seat>.allocate(capacity: size)
    block.initialize(repeating: Seat(graph: Unmanaged.passUnretained(graph)))
    for index in block.indices.reversed() {
      block[index].nextFree = firstFree
      firstFree = block.baseAddress.map { $0 + index }
    }
    blocks.append(block)
  }

  /// Frees the seats. Nobody may sit on one.
  func deallocate() {
    for block in blocks { block.deallocate() }
  }
}

extension Graph {
  func add(_ member: GraphMember) -> SeatPointer { membership.insert(member, of: self) }

  func remove(_ seat: SeatPointer) { membership.remove(seat) }
}
