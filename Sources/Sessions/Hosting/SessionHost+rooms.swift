// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Storing
package import ViewModels

/// Rooms that other sessions follow.
extension SessionHost {
  /// The way by which a session follows rooms.
  ///
  /// - Parameters:
  ///   - owner: the owner of the session.
  ///   - use: the use that its client makes of the server.
  func rooms(for owner: Credential, _ use: ClientUse, from network: ClientNetwork) -> RoomStates {
    { [weak self] name, params, user in
      // The server that had the room at the last look, if it has let go of it since.
      let released = Locked<Elsewhere?>(nil)
      let reader = RoomReader { [weak self] () async throws(SessionError) in
        guard let host = self.map({ $0.roomHost ?? $0 }) else { throw .left }
        let search = RoomSearch(name: name, params: params, client: owner, user: user, network: network)
        switch try await host.find(search, released: released.withLock { $0.take() }) {
        case .here(let room):
          let client = FoundClient(owner, user.map { ClientTable.SignIn(nil, $0) }, use)
          return RoomHere(room, as: Requester(client))
        case .elsewhere(let place, let nodes):
          guard let wayElsewhere = host.wayElsewhere else { throw .storeUnavailable("another server has the room") }
          return wayElsewhere(nodes, place, name, user) { [weak host] isReleased in
            host?.forgetPlace(of: place.id)
            if isReleased { released.withLock { $0 = place } }
          }
        }
      }
      return AsyncStream {
        await reader.next()
      } onCancel: {
        reader.end()
      }
    }
  }

  /// The room with an id, for a session at another server whose client has this user.
  ///
  /// - Returns: `nil` if there is none, or the user may not enter.
  /// - Throws: ``SessionsToFetch``, if it is not in memory.
  package func room(
    _ id: String, _ name: String, for user: User?
  ) throws(SessionsToFetch) -> (room: Session, as: Requester)? {
    try checkLease()
    switch table.find(id) {
    case .living(let room):
      guard room.modelName == name, room.admits(Self.nobody, user) else { return nil }
      let signIn = user.map { ClientTable.SignIn(nil, $0) }
      return (room, Requester(FoundClient(Self.nobody, signIn, ClientUse())))
    case .closed: return nil
    case .none:
      if Randomness.isBase64URL(id, bytes: 16) { throw .session(id, for: nil) }
      return nil
    }
  }

  private struct RoomSearch {
    let name: String
    let params: JSON
    let client: Credential
    let user: User?
    let network: ClientNetwork
  }

  private enum RoomPlace {
    case here(Session)
    case elsewhere(Elsewhere, any NodeClient)
  }

  /// Finds a room, or opens it, for a session whose client may enter.
  ///
  /// - Parameter released: the server that had the room, if it has let go of it.
  private func find(_ search: RoomSearch, released: Elsewhere?) async throws(SessionError) -> RoomPlace {
    let (name, params) = (search.name, search.params)
    guard let (type, counts) = types[name], type.owner == .room, type.faults(of: params).isEmpty else {
      let expected = types.filter { $0.value.type.owner == .room }.keys.sorted()
      services.report(
        .nobodyCaught(
          "'context.room'", model: name,
          reason: "no such room: expected one of \(expected.joined(separator: ", ")), with its own parameters"))
      throw .noSuchModel(name, expected: expected)
    }
    // A server that stops must not take what others have.
    do { try checkLease() } catch { throw .storeUnavailable("this server must not answer from memory now") }
    if let released { _ = try await get(.session(released.id, for: nil), from: search.network, released: released) }
    for _ in 0..<Self.mostFetches {
      let outcome: Result<Session, any Error> = await withCheckedContinuation { done in
        runOpening(of: name) {
          done.resume(
            returning: Result {
              try self.checkLease()
              return try self.session(
                name, type, counts, for: search.client, by: search.user, from: search.network,
                Visitor(params: params), bind: {}
              ).0
            })
        }
      }
      do {
        let room = try outcome.get()
        // It is used, as by a request.
        _ = table.find(room.id)
        return .here(room)
      } catch let missing as SessionsToFetch {
        if let place = try await get(missing, from: search.network) { return place }
      } catch let error as SessionError {
        throw error
      } catch {
        services.report(.nobodyCaught("the making of a room", model: name, reason: "\(error)"))
        throw .storeUnavailable("the room cannot be made: \(error)")
      }
    }
    throw .storeUnavailable("the room went from server to server")
  }

  /// - Returns: the place of a session that another server has; `nil` if the search is to go on.
  private func get(
    _ missing: SessionsToFetch, from network: ClientNetwork, released: Elsewhere? = nil
  ) async throws(SessionError) -> RoomPlace? {
    if case .lease = missing { throw .storeUnavailable("this server must not answer from memory now") }
    switch await fetch(missing, from: network, released: released) {
    case .here: return nil
    case .failed(let error): throw error
    case .elsewhere(let place):
      guard let nodeClient else { throw .storeUnavailable("another server has the room") }
      return .elsewhere(place, nodeClient)
    }
  }

  /// The number of looks into the store after which a room is given up for now.
  private static let mostFetches = 8
}
