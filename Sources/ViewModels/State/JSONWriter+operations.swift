// SPDX-License-Identifier: MIT
import JSONPatching

/// What an operation of a patch does (RFC 6902 §4); `test` and `copy` are not needed.
enum PatchVerb {
  case add, remove, replace

  /// All up to the path.
  fileprivate var start: StaticString {
    switch self {
    case .add: #"{"op":"add","path":""#
    case .remove: #"{"op":"remove","path":""#
    case .replace: #"{"op":"replace","path":""#
    }
  }
}

extension JSONWriter {
  /// An operation with a value, or without one if it removes.
  ///
  /// - Parameters:
  ///   - path: the first part of the pointer, as it stands in JSON.
  ///   - segment: the rest of it.
  @inline(__always)
  mutating func operation(
    _ verb: PatchVerb, _ path: [UInt8], _ segment: [UInt8] = [], value: (inout JSONWriter) -> Void = { _ in }
  ) {
    rawPrefix(verb.start)
    rawPrefix(path)
    rawPrefix(segment)
    if case .remove = verb { return rawSuffix("\"}") }
    rawPrefix(#"","value":"#)
    value(&self)
    rawSuffix("}")
  }

  /// Takes the element at one index of the array at `path` to another (RFC 6902 §4.4): where it is when it was taken out.
  mutating func move(_ path: [UInt8], from: Int, to: Int) {
    rawPrefix(#"{"op":"move","from":""#)
    rawPrefix(path)
    rawPrefix(Array("/\(from)".utf8))
    rawPrefix(#"","path":""#)
    rawPrefix(path)
    rawPrefix(Array("/\(to)".utf8))
    rawSuffix("\"}")
  }

  /// Writes one operation that replaces the value at `path` in place of what was written after `start`, if that is longer.
  ///
  /// - Parameter least: the bytes that the path and the value have at least: where that is too long already, the value is
  ///   not asked for.
  mutating func replaceIfShorter(
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
