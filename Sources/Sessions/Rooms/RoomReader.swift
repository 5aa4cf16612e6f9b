// SPDX-License-Identifier: MIT
import JSONPatching
import Storing
import ViewModels

/// A room as another session follows it.
protocol FollowedRoom: Sendable {
  /// Waits for something newer than a version.
  ///
  /// - Parameter version: `nil` for the whole state.
  func next(after version: Version?) async -> RoomAnswer

  /// Ends the following.
  func leave() async
}

/// The answer of a room to a session that follows it.
enum RoomAnswer {
  /// A frame, as JSON.
  case frame([UInt8])
  /// Nothing is newer yet.
  case unchanged
  /// The room is to be looked for again.
  case lost
}

/// Reads a room for another session, one whole state after another.
///
/// It asks the room for its next frame when it is itself asked, so that a session that is slow gets fewer.
actor RoomReader {
  private let find: @Sendable () async throws(SessionError) -> any FollowedRoom
  /// The room; `nil` until it was found.
  private var room: (any FollowedRoom)?
  /// The state of the room at the last frame, and its version; `nil` while none is known.
  private var last: (state: JSON, version: Version)?
  /// Whether it has told that nothing is known.
  private var hasToldNothing = false
  /// The number of times in a row that it lost the room, or did not find it.
  private var losses = 0
  private var isRefused = false

  /// - Parameter find: finds the room, or opens it.
  init(_ find: @escaping @Sendable () async throws(SessionError) -> any FollowedRoom) { self.find = find }

  /// The room's newest state, once there is one that is newer than the last, or `.some(nil)` when none is known any more.
  ///
  /// - Returns: `nil` when the client may not enter, or the task is cancelled.
  func next() async -> JSON?? {
    while !Task.isCancelled, !isRefused {
      if let state = await nextState() { return state }
      if !hasToldNothing {
        hasToldNothing = true
        return .some(nil)
      }
      if !isRefused, losses > 1 { try? await Task.sleep(for: Self.pause(after: losses)) }
    }
    await leave()
    return nil
  }

  /// - Returns: `nil` if the room was lost, or not found.
  private func nextState() async -> JSON? {
    do throws(SessionError) {
      let room = if let room { room } else { try await find() }
      self.room = room
      while !Task.isCancelled {
        switch await room.next(after: last?.version) {
        case .unchanged: continue
        case .frame(let frame):
          guard let next = state(after: frame) else { break }
          (last, hasToldNothing, losses) = (next, false, 0)
          return next.state
        case .lost: break
        }
        break
      }
    } catch { isRefused = error.isRefusal }
    losses += 1
    await leave()
    return nil
  }

  /// Ends the reading.
  nonisolated func end() { Task { await self.leave() } }

  private func leave() async {
    last = nil
    guard let room else { return }
    self.room = nil
    await room.leave()
  }

  /// The state and the version after a frame; `nil` if the frame does not fit.
  private func state(after frame: [UInt8]) -> (state: JSON, version: Version)? {
    guard let frame = try? JSONReader.read(frame, limits: JSONLimits(nodes: .max)),
      case .string(let text)? = frame["to"], let version = Version(text)
    else { return nil }
    if let whole = frame["state"] { return (whole, version) }
    guard let last, let patch = frame["patch"] else { return nil }
    return (try? last.state.applying([PatchOperation](json: patch))).map { ($0, version) }
  }

  /// The time before it looks for the room again: longer each time, and half a minute at most.
  private static func pause(after losses: Int) -> Duration { .seconds(min(1 << min(losses, 5), 30)) }
}

extension SessionError {
  /// Whether the client itself is refused, and will be as long as its user is the same.
  fileprivate var isRefusal: Bool {
    switch self {
    case .signInNeeded, .notAdmitted, .noSuchModel, .poisoned: true
    default: false
    }
  }
}
