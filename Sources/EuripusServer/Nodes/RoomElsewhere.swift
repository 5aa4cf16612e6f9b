// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Sessions
import Storing
import ViewModels

/// A room at another server of the same store, which is asked by long polls for what it shows to a user.
struct RoomElsewhere: FollowedRoom {
  let nodes: any NodeClient
  let place: Elsewhere
  let model: String
  let user: User?
  /// Called if the other server does not have the room, with whether it has let go of it.
  let isGone: @Sendable (_ isReleased: Bool) -> Void

  func next(after version: Version?) async -> RoomAnswer {
    let since = version.map { "?since=\($0)" } ?? ""
    let request = NodeRequest(
      method: "GET", url: "\(place.url)/sessions/\(model)/\(place.id)/changes\(since)",
      fields: [
        "\(NodeField.token): \(place.token)", "\(NodeField.reader): \(RoomVisitor(user: user).text)",
        "Accept: application/json", "Prefer: wait=\(Self.wait)", "Forwarded: for=unknown;proto=http",
      ], body: [], mayBeRepeated: true, boot: place.boot)
    switch await outcome(of: request) {
    case .whole(let response):
      if response.status == 200, case .bytes(let frame) = response.body { return .frame(frame) }
      guard response.status == 204 else { break }
      let wait = response.fields.first { "\($0.name)" == "Retry-After" }.flatMap { Int($0.value) }
      return wait.map { .lost(after: .seconds($0)) } ?? .unchanged
    case .released, .failed(.refused):
      isGone(true)
      return .lost(after: .zero)
    case .misdirected, .stream, .failed: break
    }
    isGone(false)
    return .lost(after: .zero)
  }

  func leave() {}

  private func outcome(of request: NodeRequest) async -> Passage.Outcome {
    let slot = PassageSlot()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        slot.put(Passage(nodes, request) { done.resume(returning: $0) })
      }
    } onCancel: {
      slot.giveUp()
    }
  }

  /// The seconds that a poll waits.
  private static let wait = 50
}
