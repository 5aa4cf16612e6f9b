// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A part of a living state, which may have parts itself: an object, or a list of objects.
///
/// For each of its values a part remembers the revision that last changed it, and nothing of its readers. A
/// reader at some revision lacks the values that changed after it. Changes since the last stamp are found
/// without a look at the rest (D3).
class StatePart: OwnWatcher {
  /// The part to which this one belongs, told of the first change after a stamp; `nil` for the whole state.
  private(set) unowned final var parent: StatePart?
  // Half a word, as a list may have many rows.
  private final var place: Int32 = 0

  /// Whether it has changed since the last stamp. Its parent, if it has one, was told.
  private(set) final var hasBegun = false

  /// The parent's number for this part.
  final var tag: Int { Int(place) }

  /// Makes this a part of another.
  final func join(_ parent: StatePart, tag: Int = 0) {
    self.parent = parent
    place = Int32(tag)
    // Making one part may change another, which had no parent to tell.
    if hasBegun { parent.partDidBegin(self) }
  }

  /// Notes a change, and tells the parent of the first one after a stamp.
  final func begin() {
    if hasBegun { return }
    hasBegun = true
    parent?.partDidBegin(self)
  }

  /// - Returns: whether there is something to stamp. The next change is the first again.
  final func takeBegun() -> Bool {
    defer { hasBegun = false }
    return hasBegun
  }

  /// The bytes of the part's JSON, as of the last stamp.
  var length: Int { stopProgram(bug: "\(Self.self) does not know its length") }

  /// The bytes that the part's JSON would have if it was stamped now. It keeps the text of a changed value for
  /// the frame. O(changes).
  func measure() -> Int { stopProgram(bug: "\(Self.self) does not measure itself") }

  /// Forgets the changes since the last stamp, because all values have been put back.
  func forgetBegun() { hasBegun = false }

  /// Forgets the measured texts alone.
  func forgetMeasured() {}

  /// The view of the reader for whom the state is written; `nil` where the session is no room. O(depth).
  var roomView: RoomView? { parent?.roomView }

  /// Writes the part as it is now.
  func write(to writer: inout JSONWriter) { stopProgram(bug: "\(Self.self) does not say how it is written") }

  /// Writes the value at a path below the part.
  ///
  /// - Returns: whether there is a value; if not, nothing was written.
  func write(at path: ArraySlice<String>, to writer: inout JSONWriter) -> Bool {
    stopProgram(bug: "\(Self.self) does not say how it is read")
  }

  /// The revision that last changed the value at a path below the part; `nil` if there is no such value, or none that
  /// changes. It is 0 for a value that has not changed since it was made.
  func lastChange(at path: ArraySlice<String>) -> UInt64? { nil }

  /// Makes the changes since the last stamp changes of this revision.
  ///
  /// - Returns: whether a reader sees a difference.
  func stamp(_ revision: UInt64) -> Bool { stopProgram(bug: "\(Self.self) has no revisions") }

  /// Writes the operations that take a reader from revision `since` to now, as elements of an open array.
  ///
  /// - Parameter path: the part's own pointer, as it stands in JSON; it is the same on return.
  /// - Returns: whether the past back to `since` is known; if not, nothing was written.
  func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    stopProgram(bug: "\(Self.self) has no patches")
  }

  /// Stops watching for good. The view model may live on elsewhere.
  func detach() { parent = nil }

  /// Notes that one of its parts has begun to change.
  func partDidBegin(_ part: StatePart) { begin() }
}

extension StatePart {
  /// Writes the difference for a reader at `since`. It writes operations, or replaces the whole part if that is
  /// shorter or `since` is too long ago.
  final func writeChange(
    since: UInt64, at path: inout [UInt8], _ segment: [UInt8], to writer: inout JSONWriter
  ) {
    let start = writer.mark
    let length = path.count
    path += segment
    if writePatch(since: since, at: &path, to: &writer) {
      writer.replaceIfShorter(from: start, least: self.length + path.count, path) { write(to: &$0) }
    } else {
      writer.operation(.replace, path) { write(to: &$0) }
    }
    path.removeLast(path.count - length)
  }
}

/// The parent of a hosted view model's state: it passes on that a change has begun.
final class WholeState: StatePart {
  /// Called at the first change after a stamp.
  var didBegin: () -> Void = {}
  /// Set during a change whose caller looks at its end whether the state has changed, and need not be told.
  var isExpected = false
  /// The context of a room, where readers are shown different things; `nil` for other sessions.
  var context: SessionContext?

  override var roomView: RoomView? { context?.roomView }

  override func partDidBegin(_ part: StatePart) { if !isExpected { didBegin() } }
}
