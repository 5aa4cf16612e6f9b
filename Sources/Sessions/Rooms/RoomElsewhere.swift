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
    let answer = await answer(to: request)
    switch (answer.failure, answer.status) {
    case (nil, 200): return .frame(answer.body)
    case (nil, 204): return answer.wait.map { .lost(after: $0) } ?? .unchanged
    case (.refused?, _): isGone(true)
    default: isGone(answer.isReleased)
    }
    return .lost(after: .zero)
  }

  func leave() {}

  /// The answer of the other server, as far as it is needed.
  private struct Answer {
    var failure: NodeFailure?
    var status = 0
    var body: [UInt8] = []
    /// Whether the other server has said that it does not have the room.
    var isReleased = false
    /// The time after which it wants to be asked again; `nil` for none.
    var wait: Duration?

    mutating func read(_ fields: [(name: String, value: String)]) {
      for (name, value) in fields {
        let value = value.drop { $0 == " " }
        switch name.lowercased() {
        case "\(NodeField.token)".lowercased(): isReleased = value == "released"
        case "retry-after": wait = Int(value).map { .seconds($0) }
        default: break
        }
      }
    }
  }

  private func answer(to request: NodeRequest) async -> Answer {
    let answer = Locked(Answer())
    let number = Locked<UInt64?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        let sent = nodes.send(request, takesPiece: { true }) { event in
          switch event {
          case .head(let status, let fields):
            answer.withLock {
              $0.status = status
              $0.read(fields)
            }
          case .piece(let bytes): answer.withLock { $0.body += bytes }
          case .end: done.resume(returning: answer.withLock { $0 })
          case .failed(let failure): done.resume(returning: Answer(failure: failure))
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
