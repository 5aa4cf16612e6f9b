// SPDX-License-Identifier: MIT
import JSONPatching
package import Storing
package import ViewModels

/// A room as another session follows it.
package protocol FollowedRoom: Sendable {
  /// Waits for something newer than a version.
  ///
  /// - Parameter version: `nil` for the whole state.
  func next(after version: Version?) async -> RoomAnswer

  /// Ends the following.
  func leave() async
}

/// The answer of a room to a session that follows it.
package enum RoomAnswer {
  /// A frame, as JSON.
  case frame([UInt8])
  /// Nothing is newer yet.
  case unchanged
  /// The room is to be looked for again, after a while.
  case lost(after: Duration)
}

/// The way to a room at another server, for a user.
///
/// - Parameter isGone: called if that server does not have the room, with whether it has let go of it.
package typealias WayElsewhere =
  @Sendable (
    _ nodes: any NodeClient, _ place: Elsewhere, _ model: String, _ user: User?,
    _ isGone: @escaping @Sendable (_ isReleased: Bool) -> Void
  ) -> any FollowedRoom

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
  /// The time before it looks for the room again.
  private var pause = Duration.zero
  private var isRefused = false

  /// - Parameter find: finds the room, or opens it.
  init(_ find: @escaping @Sendable () async throws(SessionError) -> any FollowedRoom) { self.find = find }

  /// The room's newest state, once there is one that is newer than the last, or `.some(nil)` when none is known any more.
  ///
  /// - Returns: `nil` when there are no such rooms, or the task is cancelled.
  func next() async -> JSON?? {
    while !Task.isCancelled, !isRefused {
      // A reader that is not wanted any more must not look for the room.
      if pause > .zero { do { try await Task.sleep(for: pause) } catch { break } }
      if let state = await nextState() { return state }
      if !hasToldNothing {
        hasToldNothing = true
        return .some(nil)
      }
    }
    await leave()
    return nil
  }

  /// - Returns: `nil` if the room was lost, or not found.
  private func nextState() async -> JSON? {
    pause = losses == 0 ? .zero : Self.pause(after: losses)
    do throws(SessionError) {
      let room = if let room { room } else { try await find() }
      self.room = room
      let (frame, wait) = await nextFrame(of: room)
      if let next = frame.flatMap({ state(after: $0) }) {
        (last, hasToldNothing, losses, pause) = (next, false, 0, .zero)
        return next.state
      }
      pause = max(pause, wait)
    } catch {
      switch error {
      case .noSuchModel: isRefused = true
      // The rule may let the client in later.
      case .signInNeeded, .notAdmitted, .poisoned: pause = Self.longestPause
      default: break
      }
    }
    losses += 1
    await leave()
    return nil
  }

  /// - Returns: no frame if the room was lost, with the time after which it is to be looked for again.
  private func nextFrame(of room: any FollowedRoom) async -> (frame: [UInt8]?, wait: Duration) {
    while !Task.isCancelled {
      switch await room.next(after: last?.version) {
      case .unchanged: continue
      case .frame(let frame): return (frame, .zero)
      case .lost(let wait): return (nil, wait)
      }
    }
    return (nil, .zero)
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

  /// The time before it looks for the room again: longer each time.
  private static func pause(after losses: Int) -> Duration { min(.seconds(1 << min(losses, 5)), longestPause) }
  private static let longestPause: Duration = .seconds(30)
}
