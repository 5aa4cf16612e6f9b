// SPDX-License-Identifier: MIT

/// JSON text for people, as a failed test shows it.
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
