// SPDX-License-Identifier: MIT

/// The verb of an operation that has a path, and perhaps a value (RFC 6902 §4). `test` and `copy` are not
/// needed, and a move has its own writer.
package enum PatchVerb {
  case add, remove, replace
}

/// Writes the operations of a patch. Each is an element of an open array.
extension JSONWriter {
  /// Writes an operation with a value, or without one if it removes.
  ///
  /// - Parameters:
  ///   - path: the first part of the pointer, in its form in JSON (``JSONPointer/json``).
  ///   - segment: the rest of the pointer.
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

  /// Writes a move from one place to another. The second place counts after the value was taken out (RFC 6902
  /// §4.4).
  package mutating func move(from: [UInt8], to path: [UInt8]) {
    rawPrefix(#"{"op":"move","from":""#)
    rawPrefix(from)
    rawPrefix(#"","path":""#)
    rawPrefix(path)
    rawSuffix(#""}"#)
  }

  /// Writes one operation that replaces the value at `path`, if that is shorter than the text after `start`,
  /// which it then replaces.
  ///
  /// - Parameter least: the least bytes of the path and the value. If these are too many already, the value is
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
