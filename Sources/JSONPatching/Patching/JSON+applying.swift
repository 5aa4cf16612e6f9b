// SPDX-License-Identifier: MIT

/// An operation that does not fit the value to which it was applied (RFC 6902 §5).
public struct PatchError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The index of the operation in the patch.
  public let index: Int
  /// The place at which it failed.
  public let pointer: JSONPointer
  public let reason: String

  public var description: String { "operation \(index) at '\(pointer)': \(reason)" }
}

extension JSON {
  /// The value after every operation of `patch`, in order. If one fails, none is applied; this value itself
  /// never changes.
  public func applying(_ patch: [PatchOperation]) throws(PatchError) -> JSON {
    var result = self
    for (index, operation) in patch.enumerated() {
      do {
        try result.apply(operation)
      } catch {
        throw PatchError(index: index, pointer: error.pointer, reason: error.reason)
      }
    }
    return result
  }

  private mutating func apply(_ operation: PatchOperation) throws(Misfit) {
    switch operation {
    case .add(let path, let value): try add(value, at: path)
    case .remove(let path): _ = try remove(at: path)
    case .replace(let path, let value): try change(path, path.tokens[...]) { (target) throws(Misfit) in target = value }
    case .move(let from, let path):
      guard path.tokens.count <= from.tokens.count || !path.tokens.starts(with: from.tokens) else {
        throw Misfit(path, "a value cannot move into itself")
      }
      let value = try remove(at: from, orWhole: path.tokens.isEmpty)
      try add(value, at: path)
    }
  }

  private mutating func add(_ value: JSON, at path: JSONPointer) throws(Misfit) {
    guard let last = path.tokens.last else {
      self = value
      return
    }
    try change(path, path.tokens.dropLast()) { (container) throws(Misfit) in
      switch container {
      case .object(var members):
        container = .null  // so that the array is not copied
        if let index = members.firstIndex(where: { $0.name.hasSameBytes(as: last) }) {
          members[index].value = value
        } else {
          members.append(Member(name: last, value: value))
        }
        container = .object(members)
      case .array(var elements):
        let index = last == "-" ? elements.count : try Misfit.index(last, upTo: elements.count, path)
        container = .null
        elements.insert(value, at: index)
        container = .array(elements)
      default: throw Misfit(path, "its parent is no object or array but \(container.typeName)")
      }
    }
  }

  /// Removes a value. With `orWhole` that may be the whole value, since another one takes its place.
  private mutating func remove(at path: JSONPointer, orWhole: Bool = false) throws(Misfit) -> JSON {
    guard let last = path.tokens.last else {
      guard orWhole else { throw Misfit(path, "the whole value cannot be removed") }
      return self
    }
    var removed = JSON.null
    try change(path, path.tokens.dropLast()) { (container) throws(Misfit) in
      switch container {
      case .object(var members):
        guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: last) }) else {
          throw Misfit(path, "there is no such member")
        }
        container = .null
        removed = members.remove(at: index).value
        container = .object(members)
      case .array(var elements):
        let index = try Misfit.index(last, upTo: elements.count - 1, path)
        container = .null
        removed = elements.remove(at: index)
        container = .array(elements)
      default: throw Misfit(path, "its parent is no object or array but \(container.typeName)")
      }
    }
    return removed
  }

  /// Changes the value at `tokens` in place. Errors name `path`.
  private mutating func change(
    _ path: JSONPointer, _ tokens: ArraySlice<String>, _ body: (inout JSON) throws(Misfit) -> Void
  ) throws(Misfit) {
    guard let token = tokens.first else { return try body(&self) }
    switch self {
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: token) }) else {
        throw Misfit(path, "there is no member '\(token)'")
      }
      self = .null
      try members[index].value.change(path, tokens.dropFirst(), body)
      self = .object(members)
    case .array(var elements):
      let index = try Misfit.index(token, upTo: elements.count - 1, path)
      self = .null
      try elements[index].change(path, tokens.dropFirst(), body)
      self = .array(elements)
    default: throw Misfit(path, "there is nothing inside \(typeName)")
    }
  }
}

/// A ``PatchError`` without the number of its operation.
private struct Misfit: Error {
  let pointer: JSONPointer
  let reason: String

  init(_ pointer: JSONPointer, _ reason: String) {
    self.pointer = pointer
    self.reason = reason
  }

  /// Reads an index: digits without leading zeros (RFC 6901 §4).
  static func index(_ token: String, upTo last: Int, _ pointer: JSONPointer) throws(Misfit) -> Int {
    let digits = token.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits, token == "0" || !token.hasPrefix("0"), let index = Int(token) else {
      throw Misfit(pointer, "'\(token)' is no index of an array")
    }
    guard index <= last else { throw Misfit(pointer, "the index \(index) is past the end") }
    return index
  }
}
