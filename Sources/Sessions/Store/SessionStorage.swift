// SPDX-License-Identifier: MIT

/// The place where a server keeps its sessions over a restart. The module of a store makes it, and it is handed
/// to the server's configuration.
public struct SessionStorage: Sendable {
  package let store: any SessionStore
  /// A description of it and of its place, for a person.
  public let description: String

  package init(_ store: any SessionStore, description: String) {
    self.store = store
    self.description = description
  }
}
