// SPDX-License-Identifier: MIT

/// A member's place in its graph. It never moves, so that a member reaches its graph through one pointer.
struct Seat {
  /// The member, not kept alive; `nil` while the seat is free.
  var member: Unmanaged<GraphMember>?
  /// The graph. It lives while the seat is taken: it makes its members leave when it goes.
  var graph: Unmanaged<Graph>
}

typealias SeatPointer = UnsafeMutablePointer<Seat>

/// The seats of a graph, in blocks. Each block is as large as all before it, up to a limit.
struct Membership {
  private var blocks: [UnsafeMutableBufferPointer<Seat>] = []
  /// The free seats; the last is taken first.
  private var free: [SeatPointer] = []
  private(set) var count = 0
  /// The seats of the texts that no client reads. No reference to such a text is needed, and a weak one would make each use
  /// of it slower.
  private var secrets: Set<SeatPointer> = []

  mutating func insert(_ member: GraphMember, of graph: Graph) -> SeatPointer {
    if free.isEmpty { addBlock(of: graph) }
    let seat = free.removeLast()
    seat.pointee.member = Unmanaged.passUnretained(member)
    count += 1
    return seat
  }

  mutating func remove(_ seat: SeatPointer) {
    seat.pointee.member = nil
    free.append(seat)
    count -= 1
    if !secrets.isEmpty { secrets.remove(seat) }
  }

  mutating func noteSecret(at seat: SeatPointer) { secrets.insert(seat) }

  /// The bytes of the secrets. O(secrets).
  var secretBytes: Int {
    var bytes = 0
    for seat in secrets {
      bytes += (seat.pointee.member?.takeUnretainedValue() as? Observable<String>)?.value.utf8.count ?? 0
    }
    return bytes
  }

  /// The members, in the order of their seats.
  var members: [GraphMember] {
    blocks.flatMap { block in block.compactMap { $0.member?.takeUnretainedValue() } }
  }

  private mutating func addBlock(of graph: Graph) {
    let size = min(max(8, count), Self.most)
    let block = UnsafeMutableBufferPointer<Seat>.allocate(capacity: size)
    block.initialize(repeating: Seat(graph: Unmanaged.passUnretained(graph)))
    if let first = block.baseAddress { free.append(contentsOf: block.indices.reversed().map { first + $0 }) }
    blocks.append(block)
  }

  /// The most seats of a block: a graph of many members has few spare seats.
  private static let most = 256

  /// Frees the seats. No member may have one.
  func deallocate() {
    for block in blocks { block.deallocate() }
  }
}

extension Graph {
  func add(_ member: GraphMember) -> SeatPointer { membership.insert(member, of: self) }

  func remove(_ seat: SeatPointer) { membership.remove(seat) }

  func noteSecret(at seat: SeatPointer) { membership.noteSecret(at: seat) }
}
