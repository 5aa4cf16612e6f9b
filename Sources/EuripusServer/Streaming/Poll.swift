// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// A poll's wish, and the answers to it (PROTOCOL §5; with snapshots §2).
struct Poll: Sendable {
  /// The version that the reader holds.
  let since: Version?
  let ifMatch: Precondition?
  /// The tags of the states that the reader has already.
  let known: EntityTags?
  let wantsSnapshot: Bool
  /// The seconds that the reader is willing to wait; `nil` if it does not wait.
  let wait: Int?

  /// The fields of every answer to the poll.
  private var fields: [HTTPField] {
    [wantsSnapshot ? HTTPField("Vary", "Prefer") : Application.changesVary] + Preferences(wait: wait).applied
  }

  /// The response with a frame or a snapshot, or a 304 if the reader says that it has that version.
  func response(_ message: Message, _ more: [HTTPField] = []) -> HTTPResponse {
    let response = HTTPResponse.message(message, 200, fields + more)
    return known?.contains(message.version) == true ? response.asNotModified : response
  }

  /// The response to a reader of frames for which there is no frame.
  func nothingNew(_ more: [HTTPField] = []) -> HTTPResponse { .noContent(fields + more) }
}
