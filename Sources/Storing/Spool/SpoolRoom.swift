// SPDX-License-Identifier: MIT
import ViewModels

/// The bytes that files may take, and those that they have or will have. One client gets a quarter of all at most, one network
/// a half, and the files that sessions offer a half together.
package struct SpoolRoom {
  /// The client that sends a file.
  package struct Sender: Sendable {
    let client: Credential
    let network: ClientNetwork

    package init(client: Credential, network: ClientNetwork) { (self.client, self.network) = (client, network) }
  }

  private struct Reservation {
    let bytes: Int
    /// `nil` for a file that the app offers, or that was there when the server started.
    let sender: Sender?
    let since: ContinuousClock.Instant
  }

  private let limit: Int
  private var reservations: [SpooledFile: Reservation] = [:]
  private var ofClients: [Credential: Int] = [:]
  private var ofNetworks: [ClientNetwork: Int] = [:]
  /// The bytes of all.
  private(set) var bytes = 0
  private var ofOffers = 0

  /// A file takes a block and an entry of its directory, however short it is.
  private static let least = 65_536

  init(limit: Int) { self.limit = limit }

  /// Takes room for a file, in place of what it has.
  ///
  /// - Parameters:
  ///   - sender: the client that sends it; `nil` for a file that the app offers.
  ///   - replaced: a file that goes when this one is there, so that its room counts for this one; `nil` for none.
  /// - Returns: the limit that it would pass, as a person reads it; `nil` if it has the room. Otherwise nothing has changed.
  mutating func reserve(
    _ count: Int, for file: SpooledFile, of sender: Sender?, replacing replaced: SpooledFile? = nil,
    now: ContinuousClock.Instant = .now
  ) -> String? {
    let count = max(count, Self.least)
    let freed = [reservations[file], replaced.flatMap { reservations[$0] }].compactMap(\.self)
    let ofAll = freed.reduce(0) { $0 + $1.bytes }
    if bytes - ofAll + count > limit { return "all files of this server's sessions take \(limit) bytes at most" }
    if file.offerKey != nil, ofOffers - (reservations[file]?.bytes ?? 0) + count > limit / 2 {
      return "the files that sessions offer take \(limit / 2) bytes at most"
    }
    if let sender {
      let ofClient = freed.filter { $0.sender?.client == sender.client }.reduce(0) { $0 + $1.bytes }
      let ofNetwork = freed.filter { $0.sender?.network == sender.network }.reduce(0) { $0 + $1.bytes }
      if (ofClients[sender.client] ?? 0) - ofClient + count > limit / 4 {
        return "the files that one client sends take \(limit / 4) bytes at most"
      }
      if (ofNetworks[sender.network] ?? 0) - ofNetwork + count > limit / 2 {
        return "the files from one network take \(limit / 2) bytes at most"
      }
    }
    hold(count, for: file, of: sender, now: now)
    return nil
  }

  /// Counts a file, whatever the limits are.
  mutating func hold(
    _ count: Int, for file: SpooledFile, of sender: Sender? = nil, now: ContinuousClock.Instant = .now
  ) {
    let count = max(count, Self.least)
    release(file)
    add(count, file, of: sender)
    reservations[file] = Reservation(bytes: count, sender: sender, since: now)
  }

  /// Gives back room of a file whose length is known now.
  mutating func shrink(_ file: SpooledFile, to count: Int) {
    guard let known = reservations[file], known.bytes > max(count, Self.least) else { return }
    release(file)
    let bytes = max(count, Self.least)
    add(bytes, file, of: known.sender)
    reservations[file] = Reservation(bytes: bytes, sender: known.sender, since: known.since)
  }

  func has(_ file: SpooledFile) -> Bool { reservations[file] != nil }

  /// The files for which room was taken before a time.
  func files(since time: ContinuousClock.Instant) -> [SpooledFile] {
    reservations.filter { $0.value.since < time }.map(\.key)
  }

  mutating func release(_ file: SpooledFile) {
    guard let reservation = reservations.removeValue(forKey: file) else { return }
    add(-reservation.bytes, file, of: reservation.sender)
  }

  func files(ofSession session: String) -> [SpooledFile] { reservations.keys.filter { $0.session == session } }

  private mutating func add(_ count: Int, _ file: SpooledFile, of sender: Sender?) {
    bytes += count
    if file.offerKey != nil { ofOffers += count }
    guard let sender else { return }
    let (client, network) = ((ofClients[sender.client] ?? 0) + count, (ofNetworks[sender.network] ?? 0) + count)
    ofClients[sender.client] = client == 0 ? nil : client
    ofNetworks[sender.network] = network == 0 ? nil : network
  }
}
