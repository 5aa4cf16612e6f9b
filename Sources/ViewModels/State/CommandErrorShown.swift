// SPDX-License-Identifier: MIT
import JSONPatching

/// The error of a command as clients see it and as it is stored: after a restart its own type is not known any
/// more.
struct CommandErrorShown: PresentableError {
  let type: String
  let detail: String
}

extension CommandErrorShown: JSONRepresentable {
  static let jsonTypeName = "object with 'type' and 'detail'"

  /// Makes it of an error. One that is not for clients becomes an error without details.
  init(_ error: any Error) {
    let shown = error as? any PresentableError
    type = shown?.type ?? "internal"
    detail = shown?.detail ?? "the view model failed; the server's log has the reason"
  }

  init(json: JSON) throws(JSONMismatch) {
    guard case .string(let type)? = json["type"], case .string(let detail)? = json["detail"] else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: json)
    }
    self.init(type: type, detail: detail)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    writer.string(type)
    writer.key("detail")
    writer.string(detail)
    writer.endObject()
  }
}
