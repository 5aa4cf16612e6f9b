// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions

extension HTTPResponse {
  /// The answer to a change.
  ///
  /// - Parameter wait: The seconds that the request wants to wait.
  init(_ outcome: ChangeRequest.Outcome, wait: Int?) {
    switch outcome {
    case .frame(let message): self = .frame(message, Application.applied(wait))
    case .again(let kept): self = HTTPResponse(kept, wait: wait)
    case .decided(let version): self = .replayed(version)
    case .closed: self = .noContent()
    }
  }

  /// The answer that a request got when it came before.
  ///
  /// - Parameter wait: the seconds that it wants to wait this time.
  init(_ kept: KeptAnswer, wait: Int?) {
    switch kept {
    case .frame(let message): self = .frame(message, Application.applied(wait))
    case .other(let form, let body, let version): self = Problem.response(Int(form), body, version)
    }
  }

  /// To a request that was decided before, where what it was answered is not known any more.
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
}
