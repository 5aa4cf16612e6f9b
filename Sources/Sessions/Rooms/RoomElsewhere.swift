// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Storing
package import ViewModels

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
    let (status, refusal, body) = await answer(to: request)
    switch status {
    case 200: return .frame(body)
    case 204: return .unchanged
    default:
      isGone(status == nil && refusal == nil || refusal == "released")
      return .lost
    }
  }

  func leave() {}

  /// - Returns: no status if no answer came; `refusal` is the other server's word that it does not have the room.
  private func answer(to request: NodeRequest) async -> (status: Int?, refusal: String?, body: [UInt8]) {
    let answer = Locked<(status: Int?, refusal: String?, body: [UInt8])>((nil, nil, []))
    let number = Locked<UInt64?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        let sent = nodes.send(request, takesPiece: { true }) { event in
          switch event {
          case .head(let status, let fields):
            let refusal = fields.first { $0.name.lowercased() == "\(NodeField.token)".lowercased() }?.value
            answer.withLock { ($0.status, $0.refusal) = (status, refusal) }
          case .piece(let bytes): answer.withLock { $0.body += bytes }
          case .end: done.resume(returning: answer.withLock { $0 })
          case .failed: done.resume(returning: (nil, nil, []))
          }
        }
        number.withLock { $0 = sent }
        if Task.isCancelled { nodes.giveUp(sent) }
      }
    } onCancel: {
      if let number = number.withLock({ $0 }) { nodes.giveUp(number) }
    }
  }

  /// The seconds that a poll waits.
  private static let wait = 50
}

/// The client of a session that follows a room at another server, as that server is told of it.
package struct RoomVisitor: Sendable {
  /// Its user; `nil` while nobody has signed in.
  package let user: User?

  init(user: User?) { self.user = user }

  /// The form in which servers tell each other of it: JSON, percent-encoded.
  var text: String { PercentCoding.encoded(String(decoding: JSON.text(of: user?.json ?? .null), as: UTF8.self)) }

  /// Reads that form; `nil` for anything else.
  package init?(_ text: String) {
    guard let text = PercentCoding.decoded(text[...].utf8, plusIsSpace: false),
      let json = try? JSONReader.read(Array(text.utf8))
    else { return nil }
    user = User(stored: json)
    if user == nil, json != .null { return nil }
  }
}
