// SPDX-License-Identifier: MIT

/// A piece of forward flow, ready to be sent: its JSON, and the version that a reader has after it.
public struct Message: Sendable, Equatable {
  public let json: [UInt8]
  public let version: Version

  public init(json: [UInt8], version: Version) {
    self.json = json
    self.version = version
  }
}
