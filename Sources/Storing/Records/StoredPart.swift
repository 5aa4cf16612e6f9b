// SPDX-License-Identifier: MIT
import ViewModels

/// A part of a session's state, as a store has it in a row of its own.
package struct StoredPart: Sendable {
  /// The JSON Pointer of the part in the state, as bytes.
  package let name: [UInt8]
  package let json: [UInt8]
  /// The checksum that was written with the part.
  package let checksum: UInt64

  package init(name: [UInt8], json: [UInt8], checksum: UInt64) {
    (self.name, self.json, self.checksum) = (name, json, checksum)
  }

  /// Makes a part that is to be written.
  package init(_ name: [UInt8], _ json: [UInt8], of session: String) {
    self.init(name: name, json: json, checksum: Self.checksum(name, json, of: session))
  }

  /// A hash of the whole part. By it a store notices that the part was not read as it was written.
  fileprivate static func checksum(_ name: [UInt8], _ json: [UInt8], of session: String) -> UInt64 {
    var hash = SHA256()
    hash.update(counted: session)
    hash.update(counted: name)
    hash.update(counted: json)
    return hash.finish().checksum
  }
}

extension SessionRecord {
  /// Takes in the parts that a store has of the session.
  ///
  /// - Returns: the reason why they are not the parts that were written; `nil` if they are.
  package mutating func take(_ stored: [StoredPart]) -> String? {
    for part in stored {
      guard part.checksum == StoredPart.checksum(part.name, part.json, of: id) else {
        return "its part '\(String(decoding: part.name, as: UTF8.self))' has the checksum of something else"
      }
      parts.put[part.name] = part.json
    }
    partBytes = stored.reduce(0) { $0 + $1.json.count }
    return stored.count == partCount ? nil : "it has \(stored.count) parts; expected \(partCount)"
  }
}
