// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

/// Looks at sessions for an operator. A look changes nothing, and does not count as a use.
extension SessionHost {
  /// The most sessions of a page.
  package static let pageOfSessions = 1_000

  /// The most rows of the store that are read for one page: commits wait meanwhile, even if the filter takes
  /// few rows.
  private static let rowsOfPage = 10_000

  /// The sessions in memory and those that are in the store alone.
  ///
  /// - Parameters:
  ///   - id: the last id of the page before; `nil` for the first page.
  ///   - limit: the most sessions of this page, which may have fewer although more sessions follow.
  package func list(
    _ filter: SessionFilter, after id: String?, limit: Int
  ) async throws(SessionError) -> SessionPage {
    guard let keeper else { return Self.page(table.list(filter, after: id, now: now()), limit, upTo: nil) }
    let seconds = services.moment().milliseconds / 1_000
    let (stored, last) = try await keeper.ask { store throws(StoreError) in
      var found: [SessionSummary] = []
      var last = id
      for _ in 0..<Self.rowsOfPage / Self.pageOfSessions {
        let rows = try store.list(after: last, limit: Self.pageOfSessions)
        found += rows.compactMap { SessionSummary($0, now: seconds) }.filter { filter.takes($0) }
        if rows.count < Self.pageOfSessions { return (found, nil as String?) }
        last = rows.last?.id
        if found.count >= limit { break }
      }
      return (found, last)
    }
    return Self.page(table.list(filter, after: id, and: stored, now: now()), limit, upTo: last)
  }

  /// - Parameter last: the last id that was read from the store; `nil` if all of it was read.
  private static func page(_ sessions: [SessionSummary], _ limit: Int, upTo last: String?) -> SessionPage {
    let known = sessions.filter { last == nil || $0.id <= last ?? "" }.sorted { $0.id < $1.id }
    let page = Array(known.prefix(limit))
    return SessionPage(sessions: page, next: known.count > limit ? page.last?.id : last)
  }

  /// Looks into a session. A session that is in the store alone is read, but its view model is not made.
  ///
  /// - Returns: `nil` if there is no such session.
  package func look(at id: String) async throws(SessionError) -> SessionLook? {
    guard let (session, summary) = table.look(at: id, now: now()) else { return try await lookIntoStore(at: id) }
    let (hasLeft, snapshot, followers, guests) = await withCheckedContinuation { answer in
      session.submit { answer.resume(returning: $0.shown) }
    }
    if hasLeft { return try await lookIntoStore(at: id) }
    return snapshot.map {
      SessionLook(summary: summary, followers: followers, guests: guests, snapshot: $0, values: nil)
    }
  }

  /// Reads the values of a session that is in the store alone. It is not claimed, so the node that has it keeps
  /// it.
  private func lookIntoStore(at id: String) async throws(SessionError) -> SessionLook? {
    guard let keeper, Randomness.isBase64URL(id, bytes: 16) else { return nil }
    let seconds = services.moment().milliseconds / 1_000
    return try await keeper.ask { store throws(StoreError) in
      guard let row = try store.row(of: id), let summary = SessionSummary(row, now: seconds),
        case .living(let record)? = try store.read(id)
      else { return nil }
      return SessionLook(summary: summary, followers: [], guests: [], snapshot: nil, values: record.wholeText)
    }
  }
}

extension Session {
  /// Whether the session has left memory, and otherwise its document, which is `nil` if it is closed, those who follow it,
  /// and its guests.
  fileprivate var shown: (hasLeft: Bool, document: Message?, followers: [SessionFollower], guests: [RoomGuest]) {
    if hasLeft || isClosed { return (hasLeft, nil, [], []) }
    let before = model.context?.roomView
    defer { if let before { model.context?.show(before) } }
    if isRoom { model.context?.show(.whole) }
    return (false, document(url: nil), followers, guests?.withLock { $0.guests } ?? [])
  }

  private var followers: [SessionFollower] {
    readers.waiters.reduce(into: []) { followers, waiter in
      guard !waiter.isSession, let client = waiter.requester?.found else { return }
      if let known = followers.firstIndex(where: { $0.client == client.owner.name }) {
        followers[known].readers += 1
      } else {
        followers.append(SessionFollower(client: client.owner.name, user: client.user?.id, readers: 1))
      }
    }
  }
}

extension SessionSummary {
  /// - Parameter now: seconds since 1970.
  /// - Returns: `nil` for a closed session.
  fileprivate init?(_ stored: StoredSummary, now: Int64) {
    guard let lastUsed = stored.lastUsed else { return nil }
    self.init(
      id: stored.id, model: stored.model, client: stored.owner.name, user: stored.user, params: stored.params,
      age: max(0, now - lastUsed),
      bytes: stored.bytes, readers: 0,
      isStored: true)
  }
}
