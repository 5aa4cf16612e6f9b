// SPDX-License-Identifier: MIT

/// The verb of an operation that may have a value (RFC 6902 §4); `test` and `copy` are not needed, and a move has a writer
/// of its own.
package enum PatchVerb {
  case add, remove, replace
}

/// Operations of a patch, each an element of an open array.
extension JSONWriter {
  /// An operation with a value, or without one if it removes.
  ///
  /// - Parameters:
  ///   - path: the first part of the pointer, as it stands in JSON (``JSONPointer/json``).
  ///   - segment: the rest of it.
  package mutating func operation(
    _ verb: PatchVerb, _ path: [UInt8], _ segment: [UInt8] = [], value: (inout JSONWriter) -> Void = { _ in }
  ) {
    switch verb {
    case .add: rawPrefix(#"{"op":"add","path":""#)
    case .remove: rawPrefix(#"{"op":"remove","path":""#)
    case .replace: rawPrefix(#"{"op":"replace","path":""#)
    }
    rawPrefix(path)
    rawPrefix(segment)
    if verb == .remove { return rawSuffix(#""}"#) }
    rawPrefix(#"","value":"#)
    value(&self)
    rawSuffix("}")
  }

  /// Takes a value from one place to another, counted when it was taken out (RFC 6902 §4.4).
  package mutating func move(from: [UInt8], to path: [UInt8]) {
    rawPrefix(#"{"op":"move","from":""#)
    rawPrefix(from)
    rawPrefix(#"","path":""#)
    rawPrefix(path)
    rawSuffix(#""}"#)
  }

  /// Writes one operation that replaces the value at `path` in place of the text after `start`, if that is longer.
  ///
  /// - Parameter least: the bytes that the path and the value have at least: where that is too long already, the value is
  ///   not asked for.
  package mutating func replaceIfShorter(
    from start: Mark, least: Int, _ path: [UInt8], _ segment: [UInt8] = [], value: (inout JSONWriter) -> Void
  ) {
    let envelope = #"{"op":"replace","path":"","value":}"#.utf8.count
    guard mark.length - start.length > envelope + least else { return }
    let tail = cut(from: start)
    operation(.replace, path, segment, value: value)
    guard mark.length - start.length >= tail.length else { return }
    _ = cut(from: start)
    paste(tail)
  }
}
