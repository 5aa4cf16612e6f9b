// SPDX-License-Identifier: MIT
package import JSONPatching
package import ViewModels

/// The record of a living session: plain values, from which another process can make the session again.
package struct SessionRecord: Sendable, Equatable {
  /// The handle in the session's URL.
  package let id: String
  package let model: String
  package let owner: Credential
  /// The request that opened the session, if it has a key.
  package let opening: KeyedRequest?
  package var revision: UInt64
  /// The number of the shape of `state`, among the shapes that the view model's state has had.
  package var schema: UInt32
  /// The JSON of the values from which the view model's other values are computed, without its parts. It holds
  /// no secret.
  package var state: [UInt8]
  /// The values that are stored by themselves. A change has those that differ from the last one; a record that
  /// was read has all.
  package var parts: PartsChange
  /// The number of all parts, by which a store notices that one was lost.
  package var partCount: Int
  /// The bytes of the JSON of all parts, which lists of sessions tell.
  package var partBytes: Int
  /// The byte form of the requests with a key that have been decided.
  package var keys: [UInt8]
  /// The last use in seconds since 1970. It is negative for a session that no request has found since its
  /// opening.
  package var lastUsed: Int64
  /// The JSON of the visitor, with the user who opened the session and with its timers: small facts that no store looks
  /// for. `nil` for a session that has none.
  package var context: [UInt8]?
  /// The time at which the first timer in the context is due, in milliseconds since 1970. A store finds the
  /// session by it. `nil` if there is no timer, and for a session that no request has found. It is not part of
  /// the checksum, since an earlier version of the program does not know it.
  package var wakesAt: Int64?
  /// The number of the network that the session was opened from, and whether it is a user's: its share of the store's
  /// room. They are not part of the checksum either.
  ///
  /// The network is 0 where it is not known, as for a session that an earlier version of the program has stored. A store
  /// that has 0 takes another number from a change, at the latest from one that changes ``room``.
  package var network: Int64
  package var isOfUser: Bool
  /// The reason for which another server has asked that the session ends, before a claim on it; `nil` for none. A
  /// change does not write it, and it is not part of the checksum.
  package var askedEnd: Closing?

  package init(
    id: String, model: String, owner: Credential, opening: KeyedRequest?, revision: UInt64, schema: UInt32,
    state: [UInt8], parts: PartsChange = PartsChange(), partCount: Int = 0, partBytes: Int = 0, keys: [UInt8],
    lastUsed: Int64, context: [UInt8]? = nil, wakesAt: Int64? = nil, network: Int64 = 0,
    isOfUser: Bool = false
  ) {
    (self.context, self.wakesAt) = (context, wakesAt)
    (self.network, self.isOfUser) = (network, isOfUser)
    self.id = id
    self.model = model
    self.owner = owner
    self.opening = opening
    self.revision = revision
    self.schema = schema
    self.state = state
    self.parts = parts
    (self.partCount, self.partBytes) = (partCount, partBytes)
    self.keys = keys
    self.lastUsed = lastUsed
  }
}

extension SessionRecord {
  /// The text of the whole state, or of the part of it that can be read.
  package var wholeText: [UInt8] {
    if parts.isEmpty { return state }
    return (try? stateJSON()).map { JSON.text(of: $0) } ?? state
  }

  /// Takes on a change, as a store does that has this record.
  mutating func take(_ change: SessionRecord) {
    let before = parts
    self = change
    parts = before.merged(with: parts)
    (parts.removed, parts.isWhole) = ([], false)
  }

  /// The time, in seconds, for which a session is kept that no request has found since its opening.
  package static let patience: Int64 = 300

  /// Whether no request has found the session since its opening.
  package var isUntouched: Bool { lastUsed < 0 }

  /// The bytes that a store counts for the session, with something for its rows and indexes.
  package var room: Int {
    StoreRoom.pages(512 + state.count + keys.count + (context?.count ?? 0) + partBytes + 128 * partCount)
  }

  /// The number of versions, and the time in seconds: a session of nobody who has signed in that has had fewer
  /// versions is kept for that time alone.
  package static let littleUse: (revisions: UInt64, time: Int64) = (10, 86_400)

  /// The whole stored state of a record that was read.
  ///
  /// - Throws: `JSONError` for bytes that are not JSON, `StoredStateError` if a part is missing or there are
  ///   too many.
  package func stateJSON() throws -> JSON {
    try parts.assembled(in: try JSONReader.read(state, limits: .init(depth: 512, nodes: .max)))
  }

  /// The name of ``openedBy`` in a stored context.
  package static let openedByName = "openedBy"
  /// The name of the members in a stored context.
  package static let membersName = "members"
  /// The name of the invitations and guests in a stored context.
  package static let guestsName = "guests"
  /// The name of the files that it offers in a stored context.
  package static let offersName = "offers"
  /// The name of the timers in a stored context.
  package static let timersName = "timers"

  private var contextJSON: JSON? { context.flatMap { try? JSONReader.read($0) } }

  /// The keys of the files that it offers; `nil` where they cannot be read.
  package var offeredKeys: Set<String>? {
    guard let context else { return [] }
    guard let json = try? JSONReader.read(context) else { return nil }
    guard let offers = json[Self.offersName] else { return [] }
    return OfferedFiles.keys(stored: offers)
  }

  package var visitor: Visitor? { contextJSON.map { Visitor(stored: $0) } }

  /// The timers; `nil` for a session that was stored without any.
  package func timers(at now: Moment) -> Timers? { contextJSON?[Self.timersName].map { Timers(stored: $0, at: now) } }

  /// The id of the user who opened the session; `nil` if nobody had signed in.
  var openedBy: String? {
    guard let context, case .string(let id)? = (try? JSONReader.read(context))?[Self.openedByName] else {
      return nil
    }
    return id
  }
}

/// The record of a closed session. By it the owner can be told that the session was closed.
package struct ClosedSession: Sendable, Equatable {
  package let id: String
  package let model: String
  package let owner: Credential
  /// The request that opened the session, if it has a key.
  package let opening: KeyedRequest?
  package let closing: Closing
  /// The second since 1970 from which on the record may be forgotten.
  package let until: Int64

  package init(
    id: String, model: String, owner: Credential, opening: KeyedRequest?, closing: Closing, until: Int64
  ) {
    self.id = id
    self.model = model
    self.owner = owner
    self.opening = opening
    self.closing = closing
    self.until = until
  }

  /// The time for which the owner of a closed session can learn that it is closed.
  package static let remembered: Duration = .seconds(24 * 60 * 60)

  /// The second until which a session that is closed now is remembered.
  package static func until(closedAt now: Moment) -> Int64 {
    now.milliseconds / 1_000 + remembered.components.seconds
  }
}

/// One session in a store.
package enum StoredSession: Sendable, Equatable {
  case living(SessionRecord)
  case closed(ClosedSession)

  package var id: String {
    switch self {
    case .living(let record): record.id
    case .closed(let closed): closed.id
    }
  }

  package var owner: Credential {
    switch self {
    case .living(let record): record.owner
    case .closed(let closed): closed.owner
    }
  }

  /// A hash of everything but the parts. By it a store notices that something was not read as it was written.
  package var checksum: UInt64 {
    var hash = SHA256()
    switch self {
    case .living(let record):
      hash.update(counted: record.id)
      hash.update(counted: record.model)
      hash.update(record.owner.bytes)
      hash.update(record.opening)
      hash.update(record.revision)
      hash.update(UInt64(record.schema))
      hash.update(counted: record.state)
      hash.update(counted: record.keys)
      hash.update(UInt64(bitPattern: record.lastUsed))
      if let context = record.context { hash.update(counted: context) }
    case .closed(let closed):
      hash.update(counted: closed.id)
      hash.update(counted: closed.model)
      hash.update(closed.owner.bytes)
      hash.update(closed.opening)
      hash.update(counted: closed.closing.bytes ?? [])
      hash.update(UInt64(bitPattern: closed.until))
    }
    return hash.finish().checksum
  }
}

extension SHA256 {
  fileprivate mutating func update(_ request: KeyedRequest?) { update(counted: request?.bytes ?? []) }
}
