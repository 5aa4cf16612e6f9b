// SPDX-License-Identifier: MIT
import ViewModels

/// The bytes that files of uploads may take, and those that they have or will have. One client gets a quarter of all at
/// most, and one network a half.
package struct SpoolRoom {
  /// The client that sends a file; `nil` for a file that was there when the server started.
  package struct Sender: Sendable {
    let client: Credential
    let network: ClientNetwork

    package init(client: Credential, network: ClientNetwork) { (self.client, self.network) = (client, network) }
  }

  private struct Reservation {
    let bytes: Int
    let sender: Sender?
  }

  private let limit: Int
  private var reservations: [SpooledFile: Reservation] = [:]
  private var ofClients: [Credential: Int] = [:]
  private var ofNetworks: [ClientNetwork: Int] = [:]
  /// The bytes of all.
  private(set) var bytes = 0

  /// A file takes a block and an entry of its directory, however short it is.
  private static let least = 65_536

  init(limit: Int) { self.limit = limit }

  /// Takes room for a file.
  ///
  /// - Returns: whose room is used up, as a person reads it; `nil` if it has the room.
  mutating func reserve(_ count: Int, for file: SpooledFile, of sender: Sender?) -> String? {
    release(file)
    let count = max(count, Self.least)
    if let sender {
      if bytes + count > limit { return "all files that are sent to this server take \(limit) bytes at most" }
      if (ofClients[sender.client] ?? 0) + count > limit / 4 {
        return "the files that one client sends take \(limit / 4) bytes at most"
      }
      if (ofNetworks[sender.network] ?? 0) + count > limit / 2 {
        return "the files from one network take \(limit / 2) bytes at most"
      }
    }
    add(count, of: sender)
    reservations[file] = Reservation(bytes: count, sender: sender)
    return nil
  }

  mutating func release(_ file: SpooledFile) {
    guard let reservation = reservations.removeValue(forKey: file) else { return }
    add(-reservation.bytes, of: reservation.sender)
  }

  func files(ofSession session: String) -> [SpooledFile] { reservations.keys.filter { $0.session == session } }

  private mutating func add(_ count: Int, of sender: Sender?) {
    bytes += count
    guard let sender else { return }
    let (client, network) = ((ofClients[sender.client] ?? 0) + count, (ofNetworks[sender.network] ?? 0) + count)
    ofClients[sender.client] = client == 0 ? nil : client
    ofNetworks[sender.network] = network == 0 ? nil : network
  }
}
