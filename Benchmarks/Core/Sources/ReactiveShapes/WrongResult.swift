// SPDX-License-Identifier: MIT

/// A framework's answer that is not the shape's: the benchmark stops.
public struct WrongResult: Error, CustomStringConvertible {
  public let description: String

  @inline(never) public init(_ what: String, expected: String, came: String) {
    description = "\(what): expected \(expected), came \(came)"
  }
}

@inlinable @inline(__always)
public func check<Value: Equatable>(_ what: StaticString, _ came: Value, is expected: Value) throws {
  if came != expected { throw WrongResult("\(what)", expected: "\(expected)", came: "\(came)") }
}

/// Checks the number of calls of observers. A framework that may tell an observer more than once may have more calls.
@inlinable @inline(__always)
public func checkCalls<Framework: ReactiveFramework>(
  _ what: StaticString, _ came: Int, is expected: Int, in _: Framework.Type
) throws {
  if came == expected || (came > expected && !Framework.tellsOnce) { return }
  throw WrongResult("\(what): calls of observers", expected: "\(expected)", came: "\(came)")
}
