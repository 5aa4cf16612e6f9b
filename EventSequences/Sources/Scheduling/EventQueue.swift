// SPDX-License-Identifier: MIT

/// Events that wait for the one before them to be delivered.
///
/// A lone event, the common case, takes no memory of the heap.
struct EventQueue<Event> {
  private var lone: Event?
  /// Empty unless `lone` is set or was taken while this was filled.
  private var rest: [Event] = []
  private var head = 0

  mutating func append(_ event: Event) {
    if lone == nil, rest.isEmpty { lone = event } else { rest.append(event) }
  }

  mutating func next() -> Event? {
    if let event = lone {
      lone = nil
      return event
    }
    guard head < rest.count else {
      if !rest.isEmpty { removeAll() }
      return nil
    }
    head += 1
    return rest[head - 1]
  }

  mutating func removeAll() {
    lone = nil
    rest = []
    head = 0
  }
}
