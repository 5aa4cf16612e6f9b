// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions
import Storing
import ViewModels

/// The `Uploads` of a session that a request is for, and the client that sends it.
struct UploadPlace: Sendable {
  let session: Session
  let requester: Requester
  /// The path of the `Uploads` in the state.
  let path: [String]
  /// The URL of the `Uploads`, without the origin.
  let url: String
  let spool: DiskSpool

  /// Does something with the `Uploads`, as a change of the session, and comes back once it is stored.
  ///
  /// - Parameters:
  ///   - isOfServer: whether the server does so by itself, so that the client's rights and rates do not matter.
  ///   - opens: whether it makes room for a file.
  /// - Throws: ``UploadRefusal``; the error for which nothing was done.
  func visit<Found: Sendable>(
    isOfServer: Bool = false, opens: Bool = false,
    _ visit: @escaping @Sendable (Uploads) throws(UploadRefusal) -> Found
  ) async throws -> Found {
    let requester = isOfServer ? nil : requester
    let answer: Result<Result<Found, any Error>, SessionError> = await withCheckedContinuation { continuation in
      session.submit(from: requester) { session in
        Result { try Self.visit(session, path, requester, opens: opens, visit) }
      } then: {
        continuation.resume(returning: $0)
      }
    }
    return try answer.get().get()
  }

  /// Does something with the `Uploads` in the session's turn.
  static func visit<Found: Sendable>(
    _ session: isolated Session, _ path: [String], _ requester: Requester?, opens: Bool = false,
    _ visit: @escaping @Sendable (Uploads) throws(UploadRefusal) -> Found
  ) throws -> Found {
    do {
      let found = try session.visitUploads(at: path, as: requester, opens: opens) { uploads in
        Result { () throws(UploadRefusal) in try visit(uploads) }
      }
      guard let found else { throw UploadRefusal.unknown }
      return try found.get()
    } catch let refused as ChangesRefused {
      switch refused.refusals.first?.error {
      case .noSuchAction?, .noSuchValue?, .mismatch?, .noSuchRow?, nil: throw UploadRefusal.unknown
      case let error?: throw Problem(error)
      }
    }
  }

  /// The fields by which a client sees how far a file has come.
  static func fields(_ slot: UploadSlot, size: Int, isComplete: Bool) -> [HTTPField] {
    let age = slot.store == nil ? ", max-age=\(Self.secondsKept)" : ""
    var fields = [
      HTTPField("Upload-Offset", "\(size)"), HTTPField("Upload-Complete", isComplete ? "?1" : "?0"),
      HTTPField("Upload-Limit", "max-size=\(slot.most)\(age)"),
    ]
    if let length = slot.size { fields.append(HTTPField("Upload-Length", "\(length)")) }
    return fields
  }

  /// The time for which a file is kept that nobody takes, after its last byte.
  static let secondsKept = 3_600

  func url(of key: String) -> String { "\(url)/\(Self.segment(key))" }

  /// A name as a segment of a path: an escaped token of a JSON Pointer, percent-encoded.
  static func segment(_ name: String) -> String {
    PercentCoding.encoded(String(JSONPointer([name]).description.dropFirst()))
  }
}

extension Problem {
  init(_ refusal: UploadRefusal) {
    let kind: Kind =
      switch refusal {
      case .unknown: .noUpload
      case .taken: .uploadTaken
      case .invalidKey: .badRequest
      case .tooMany: .tooManyUploads
      case .tooLarge: .bodyTooLarge
      case .wrongType: .wrongFileType
      case .other: .uploadContradiction
      case .refused: .uploadRefused
      case .elsewhere: .uploadElsewhere
      case .noLength: .badRequest
      case .noRoom: .noRoomForUploads
      case .noSpool: .notFound
      }
    self.init(kind, "\(refusal)", limit: kind == .noRoomForUploads ? .uploads : nil)
  }
}
