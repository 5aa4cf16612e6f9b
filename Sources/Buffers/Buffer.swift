// SPDX-License-Identifier: MIT

/// Values one after the other, in memory that grows: an array with one owner.
///
/// A program writes texts piece by piece, and to an array each piece costs more than its bytes: whether another owner shares
/// the memory is asked before every one, and who reads is counted. Nobody can share this (Decisions/0038).
// Public, though no product has it: of what is `package`, other modules get no body to inline (Swift 6.3.1).
public struct Buffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<Element>?
  public private(set) var capacity: Int
  @usableFromInline var used = 0
  /// Whether the memory is this buffer's own, and not lent to it.
  private var isOwned = true

  /// - Parameter capacity: how many elements to make room for at once.
  public init(capacity: Int = 0) {
    self.capacity = capacity
    start = capacity > 0 ? .allocate(capacity: capacity) : nil
  }

  /// A buffer in memory that somebody else gives back, after the buffer's end; it has memory of its own once that is full.
  public init(in lent: UnsafeMutableBufferPointer<Element>) {
    start = lent.baseAddress
    capacity = lent.count
    isOwned = false
  }

  deinit { if isOwned { start?.deallocate() } }

  public var count: Int { @inlinable get { used } }
  public var isEmpty: Bool { @inlinable get { used == 0 } }

  /// Where all elements are: to be used before the buffer is changed or ends.
  public var elements: UnsafeBufferPointer<Element> {
    @inlinable get { UnsafeBufferPointer(start: start, count: used) }
  }

  @inlinable
  public mutating func append(_ element: Element) {
    makeRoom(for: 1)
    start.unsafelyUnwrapped[used] = element
    used += 1
  }

  /// - Parameter elements: not those of this buffer.
  @inlinable
  public mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress, !elements.isEmpty else { return }
    assert(start.map { source < $0 || source >= $0 + capacity } ?? true, "a buffer was appended to itself")
    makeRoom(for: elements.count)
    (start.unsafelyUnwrapped + used).update(from: source, count: elements.count)
    used += elements.count
  }

  @inlinable
  public mutating func append(contentsOf elements: [Element]) {
    // An array would be kept alive for the call.
    elements.withUnsafeBufferPointer { append(contentsOf: $0) }
  }

  /// Takes back what is there from this index on.
  @inlinable
  public mutating func removeAll(from index: Int) {
    precondition(index >= 0 && index <= used, "the index is out of bounds")
    used = index
  }

  /// - Parameter most: memory for more elements than these is given back.
  public mutating func removeAll(keepingAtMost most: Int) {
    used = 0
    guard capacity > most else { return }
    if isOwned { start?.deallocate() }
    start = nil
    capacity = 0
    isOwned = true
  }

  /// Takes back everything, and gives the memory to another buffer, which gives up its own.
  ///
  /// - Parameter most: memory for more elements than these is given back to the system.
  public mutating func hand(to other: inout Buffer, keepingAtMost most: Int) {
    removeAll(keepingAtMost: most)
    swap(&self, &other)
    removeAll(keepingAtMost: 0)
  }

  @inlinable
  mutating func makeRoom(for count: Int) {
    if count > capacity - used { grow(by: count) }
  }

  @usableFromInline @inline(never)
  mutating func grow(by count: Int) {
    let wanted = max(used + count, 2 * capacity, 16)
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: wanted)
    if let start {
      memory.update(from: start, count: used)
      if isOwned { start.deallocate() }
    }
    start = memory
    capacity = wanted
    isOwned = true
  }
}

// One owner at a time, whatever the thread.
extension Buffer: @unchecked Sendable where Element: Sendable {}

extension Array where Element: BitwiseCopyable {
  /// The elements of a buffer, in as much memory as they need.
  @inlinable
  public init(_ buffer: borrowing Buffer<Element>) { self.init(buffer.elements) }
}
