// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import ObservableCore
import Sessions

extension HTTPResponse {
  /// The answer to a change.
  ///
  /// - Parameters:
  ///   - preferences: what the request asks for, as far as it is granted.
  ///   - cookie: the cookie for a new key of the client; `nil` for a client that keeps its key by itself.
  init(_ outcome: ChangeRequest.Outcome, _ preferences: Preferences, _ cookie: KeyCookie?) {
    switch outcome {
    case .signed(let message, let key, let isLast):
      self = .signed(message, key, cookie, isLast, preferences.applied)
    case .frame(let message): self = .frame(message, preferences.applied)
    case .again(let kept): self = HTTPResponse(kept, preferences)
    case .decided(let version): self = preferences.isStrict ? Problem.unknownEnd(version).response : .replayed(version)
    case .failed(let refusal, let key, let isLast):
      self = .failed(refusal.error, key, cookie, isLast, preferences.applied)
    case .closed: self = .noContent()
    }
  }

  /// The answer that a request got when it came before.
  ///
  /// - Parameter preferences: what it asks for this time. Only a wait is granted anew.
  init(_ kept: KeptAnswer, _ preferences: Preferences) {
    switch kept {
    case .frame(let message): self = .frame(message, Preferences(wait: preferences.wait).applied)
    case .other(let form, let body, let version): self = Problem.response(Int(form), body, version)
    }
  }

  /// The answer to a request that was decided before, but whose own answer is not known any more.
  static func replayed(_ version: Version) -> HTTPResponse {
    var writer = JSONWriter(capacity: 64)
    writer.beginObject()
    writer.key("replayed")
    writer.bool(true)
    writer.key("version")
    writer.string(version.description)
    writer.endObject()
    return .frame(Message(json: writer.bytes, version: version))
  }

  /// The problem of a change whose commands have not all succeeded. A new key of the client comes with it as with a
  /// frame.
  private static func failed(
    _ error: any Error, _ key: String?, _ cookie: KeyCookie?, _ isLast: Bool, _ fields: [HTTPField]
  ) -> HTTPResponse {
    guard var problem = Problem(error) else { stopProgram(bug: "a request was refused by no problem") }
    problem.fields += fields
    if let key {
      if let cookie { problem.fields.append(HTTPField("Set-Cookie", cookie.setting(key))) }
      if cookie == nil { problem.members.append(("token", .string(key))) }
      if isLast { problem.members.append(("ended", true)) }
    }
    return problem.response
  }

  /// The frame for a change that gives its client a new key. The key is in `Set-Cookie`. For a client that
  /// keeps its key by itself, it is the frame's first member, `token`. Then comes `ended`, if the session ends for
  /// the client.
  private static func signed(
    _ message: Message, _ key: String, _ cookie: KeyCookie?, _ isLast: Bool, _ fields: [HTTPField]
  ) -> HTTPResponse {
    let fields = fields + (cookie.map { [HTTPField("Set-Cookie", $0.setting(key))] } ?? [])
    guard cookie == nil || isLast else { return .frame(message, fields) }
    var writer = JSONWriter(capacity: message.json.count + key.utf8.count + 32)
    writer.beginObject()
    if cookie == nil {
      writer.key("token")
      writer.string(key)
    }
    if isLast {
      writer.key("ended")
      writer.bool(true)
    }
    writer.endObject()
    // The members of the frame follow in place of the closing brace.
    let json = writer.bytes.dropLast() + [UInt8(ascii: ",")] + message.json.dropFirst()
    return .frame(Message(json: Array(json), version: message.version), fields)
  }
}
