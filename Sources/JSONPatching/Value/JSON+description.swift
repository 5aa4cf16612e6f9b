// SPDX-License-Identifier: MIT

/// JSON text for people, for example in a failed test.
extension JSON: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
    var writer = JSONWriter()
    writer.json(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  public var debugDescription: String { description }
}

extension JSON.Member: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "\(JSON.string(name)):\(value)" }
  public var debugDescription: String { description }
}
