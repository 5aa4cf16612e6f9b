// SPDX-License-Identifier: MIT

/// The place where a server keeps its sessions over a restart. The module of a store makes it, and it is handed
/// to the server's configuration.
public struct SessionStorage: Sendable {
  package let store: any SessionStore
  /// Makes the client that reaches the other servers of the store; `nil` for a store that one server has alone.
  package let nodeClient: (@Sendable () -> any NodeClient)?
  /// The directory beside it for files that clients send and sessions offer; `nil` if it has no place on this machine.
  package let spool: String?
  /// A description of it and of its place, for a person.
  public let description: String

  package init(
    _ store: any SessionStore, nodeClient: (@Sendable () -> any NodeClient)? = nil, spool: String? = nil,
    description: String
  ) {
    self.store = store
    self.spool = spool
    self.nodeClient = nodeClient
    self.description = description
  }
}

/// A kind of store that several servers can share. The product `EuripusNodes` has one, `.postgreSQL`.
public struct SharedStore: Sendable {
  /// Whether a text is an address of such a store.
  package let isAddress: @Sendable (String) -> Bool
  private let open: @Sendable (_ address: String, _ nodeURL: String?) -> any OperatedStore
  private let nodeClient: @Sendable () -> any NodeClient

  /// - Parameters:
  ///   - store: makes the store at an address, for a server that others reach at a URL; `nil` if there are no others. It
  ///     is not open yet.
  ///   - nodeClient: makes the client that reaches the other servers.
  package init(
    isAddress: @escaping @Sendable (String) -> Bool,
    store: @escaping @Sendable (_ address: String, _ nodeURL: String?) -> any OperatedStore,
    nodeClient: @escaping @Sendable () -> any NodeClient
  ) {
    (self.isAddress, open, self.nodeClient) = (isAddress, store, nodeClient)
  }

  package func store(at address: String) -> any OperatedStore { open(address, nil) }

  package func storage(at address: String, nodeURL: String?) -> SessionStorage {
    let store = open(address, nodeURL)
    return SessionStorage(store, nodeClient: nodeClient, description: store.place)
  }
}
