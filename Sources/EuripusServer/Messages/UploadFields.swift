// SPDX-License-Identifier: MIT

/// The names of resumable uploads (draft-ietf-httpbis-resumable-upload-12) that several parts of the server write.
enum UploadFields {
  /// The media type of a part that goes on with a file.
  static let partType = "application/partial-upload"
}
