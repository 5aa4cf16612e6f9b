// SPDX-License-Identifier: MIT

/// A piece of forward flow that is ready to be sent: its JSON, and the version that its reader then has.
package struct Message: Sendable, Equatable {
  package let json: [UInt8]
  package let version: Version

  package init(json: [UInt8], version: Version) {
    self.json = json
    self.version = version
  }
}
