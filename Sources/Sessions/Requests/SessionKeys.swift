// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// The requests with a key that a session has decided, with a memory for each client. So a client that sends many keys has none
/// of another's forgotten.
///
/// All memories together have a bound as well. Beyond it the longest one gives up its oldest answers, and then its oldest
/// keys.
struct SessionKeys: Sendable {
  private let limits: KeyMemory.Limits
  /// The bound of all memories together, in bytes.
  private let mostBytes: Int
  /// The memories, with that of the session's owner under `nil`.
  private var memories: [Credential?: KeyMemory] = [:]
  /// The bytes of all memories.
  private(set) var bytes = 0
  /// The losses of all memories, those that are gone included.
  private(set) var losses = KeyMemory.Losses()

  /// The number of times that one client's bytes are the bound of all.
  static let shares = 4

  /// - Parameter limits: those of one client.
  init(limits: KeyMemory.Limits) {
    self.limits = limits
    mostBytes = limits.bytes * Self.shares
  }

  /// Decides on a request. The caller remembers a new request once it is decided.
  mutating func decision(on request: KeyedRequest, now: ContinuousClock.Instant) -> KeyMemory.Decision {
    change(request.client) { $0.decision(on: request, now: now) }
  }

  /// Remembers that a new request was decided.
  ///
  /// - Parameters:
  ///   - answer: its answer; `nil` while it is at work, and for one that is not to be kept.
  ///   - isAtWork: whether its answer comes later.
  mutating func remember(
    _ request: KeyedRequest, _ answer: KeptAnswer?, isAtWork: Bool = false, now: ContinuousClock.Instant
  ) {
    change(request.client) { $0.remember(request, answer, isAtWork: isAtWork, now: now) }
    shrink()
  }

  /// Takes the answer of a request that was at work.
  mutating func answer(_ request: KeyedRequest, _ answer: KeptAnswer?, now: ContinuousClock.Instant) {
    change(request.client) { $0.answer(request, answer, now: now) }
    shrink()
  }

  /// Changes the memory of a client. An empty one takes no room.
  private mutating func change<Result>(_ client: Credential?, _ body: (inout KeyMemory) -> Result) -> Result {
    var memory = memories.removeValue(forKey: client) ?? KeyMemory(limits: limits)
    let (bytesBefore, lossesBefore) = (memory.bytes, memory.losses)
    let result = body(&memory)
    bytes += memory.bytes - bytesBefore
    losses.keys += memory.losses.keys - lossesBefore.keys
    losses.answers += memory.losses.answers - lossesBefore.answers
    if memory.bytes > 0 { memories[client] = memory }
    return result
  }

  /// O(clients) for each answer and key that is given up.
  private mutating func shrink() {
    // The owner's own memory has its own bound.
    while memories.count > 1, bytes > mostBytes {
      guard let longest = memories.max(by: Self.isShorter)?.key else { return }
      if !change(longest, { $0.giveUpOldest() }) { return }
    }
  }

  /// Two memories of one length: the client's bytes decide, so that the same keys leave the same memory.
  private static func isShorter(
    _ one: (key: Credential?, value: KeyMemory), than other: (key: Credential?, value: KeyMemory)
  ) -> Bool {
    if one.value.bytes != other.value.bytes { return one.value.bytes < other.value.bytes }
    return precedes(one.key, other.key)
  }

  private static func precedes(_ one: Credential?, _ other: Credential?) -> Bool {
    guard let one, let other else { return one == nil && other != nil }
    return Digest.precedes(one, other)
  }

  // MARK: Stored

  // keys = memory of the owner alone, which begins with 1 | 2, count, of{count}
  // of   = 0 | 1, client (32 bytes), and after both a counted memory; in the order of the clients' bytes

  /// The bytes in which the memories are stored. The same memories give the same bytes.
  func encoded(at moment: Moment) -> [UInt8] {
    if memories.keys.allSatisfy({ $0 == nil }) {
      return (memories[nil] ?? KeyMemory(limits: limits)).encoded(at: moment)
    }
    var writer = StoredBytesWriter()
    writer.byte(2)
    writer.number(UInt64(memories.count))
    for (client, memory) in memories.sorted(by: { Self.precedes($0.key, $1.key) }) {
      writer.byte(client == nil ? 0 : 1)
      if let client { writer.fixed(client.bytes) }
      writer.counted(memory.encoded(at: moment))
    }
    return writer.bytes
  }

  init(decoding bytes: [UInt8], limits: KeyMemory.Limits, at moment: Moment) throws(StoredBytesError) {
    self.init(limits: limits)
    if bytes.first != 2 {
      put(try KeyMemory(decoding: bytes, limits: limits, at: moment), of: nil)
      return
    }
    var reader = StoredBytesReader(bytes)
    _ = try reader.byte("a byte form")
    var last: Credential??
    for _ in 0..<(try reader.number("the number of clients")) {
      var client: Credential?
      if try reader.byte("whether a client is named") == 1 {
        guard let named = Digest(bytes: try reader.fixed(32, "a client")) else {
          throw reader.refuse("a client before")
        }
        client = named
      }
      if let last, !Self.precedes(last, client) { throw reader.refuse("a later client before") }
      last = client
      let memory = try KeyMemory(decoding: Array(try reader.counted("a memory")), limits: limits, at: moment)
      put(memory, of: client)
    }
    try reader.end()
    shrink()
  }

  private mutating func put(_ memory: KeyMemory, of client: Credential?) {
    if memory.bytes == 0 { return }
    memories[client] = memory
    bytes += memory.bytes
  }
}
