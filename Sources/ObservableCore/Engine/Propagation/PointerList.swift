// SPDX-License-Identifier: MIT

/// A growing list of plain data, for the lists of a transaction. It lacks the checks of an array, which may be
/// shared.
///
/// Its owner frees it.
struct PointerList<Element: BitwiseCopyable> {
  private var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity = 64

  init() { base = .allocate(capacity: capacity) }

  var isEmpty: Bool { count == 0 }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    base[count] = element
    count &+= 1
  }

  @inline(__always)
  mutating func popLast() -> Element? {
    if count == 0 { return nil }
    count &-= 1
    return base[count]
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index < count)
      return base[index]
    }
    nonmutating set {
      assert(index < count)
      base[index] = newValue
    }
  }

  @inline(__always)
  func forEach(from first: Int = 0, _ body: (Element) -> Void) {
    var index = first
    while index < count {
      body(base[index])
      index &+= 1
    }
  }

  /// Empties the list. It does not keep the memory of a list that was long once.
  mutating func removeAll() {
    count = 0
    if capacity > 65_536 {
      base.deallocate()
      capacity = 64
      base = .allocate(capacity: capacity)
    }
  }

  mutating func removeLast() { count &-= 1 }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  func deallocate() { base.deallocate() }
}
