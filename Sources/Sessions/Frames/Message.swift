// SPDX-License-Identifier: MIT

/// A piece of forward flow that is ready to be sent: its JSON, and the version that its reader then has.
public struct Message: Sendable, Equatable {
  public let json: [UInt8]
  public let version: Version

  public init(json: [UInt8], version: Version) {
    self.json = json
    self.version = version
  }
}
