// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// The wish of a poll, and how it is answered (PROTOCOL §5; with snapshots §2).
struct Poll: Sendable {
  /// The version that the reader holds.
  let since: Version?
  let ifMatch: Precondition?
  /// The tags of the states that it has already.
  let known: EntityTags?
  let wantsSnapshot: Bool
  /// Seconds that it is willing to wait.
  let wait: Int?

  /// The fields of every answer to it.
  private var fields: [HTTPField] {
    [wantsSnapshot ? HTTPField("Vary", "Prefer") : Application.changesVary] + Application.applied(wait)
  }

  /// The response with a frame or a snapshot, unless the reader says that it has that version.
  func response(_ message: Message, _ more: [HTTPField] = []) -> HTTPResponse {
    let response = HTTPResponse.message(message, 200, fields + more)
    return known?.contains(message.version) == true ? response.asNotModified : response
  }

  /// The response to a reader of frames that has no frame to get.
  func nothingNew(_ more: [HTTPField] = []) -> HTTPResponse { .noContent(fields + more) }
}
