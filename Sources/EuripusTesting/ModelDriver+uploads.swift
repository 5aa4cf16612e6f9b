// SPDX-License-Identifier: MIT
import Sessions
import Storing
import ViewModels

extension ModelDriver {
  /// Sends a file to an `Uploads`, as a client does.
  ///
  /// ```swift
  /// try driver.upload("photos", [0xFF, 0xD8, 0xFF, 0xE0], named: "beach.jpg", type: "image/jpeg")
  /// try driver.perform("save")
  /// ```
  ///
  /// A store is not asked, if the files go to an `UploadStore`: the file counts as one that has arrived there.
  ///
  /// - Parameters:
  ///   - path: the path of the `Uploads`.
  ///   - bytes: the file.
  ///   - name: its name at the client.
  ///   - type: its media type, with which its first bytes have to agree.
  ///   - key: its key in the list; by default the name.
  /// - Throws: `UploadRefusal`; as `perform` where the entry's condition does not hold.
  public func upload(
    _ path: String, _ bytes: [UInt8], named name: String, type: String, key: String? = nil
  ) throws {
    let (tokens, key, spool) = (Self.tokens(path), key ?? name, driven.host.spool)
    let requester = requester
    let sender = SpoolRoom.Sender(client: requester.client, network: .unknown)
    let declared = UploadDeclaration(name: name, type: type, size: bytes.count, isAlone: true)
    let slot = try visit(tokens, opens: true) { uploads throws(UploadRefusal) in
      try uploads.open(key, declared, isAnew: true) { spool.reserve($1, for: $0, of: sender, replacing: $2) }
    }
    if slot.store == nil { try spool.writer(of: slot.file).write(bytes) }
    if slot.store == nil, !FileSignature.fits(Array(bytes.prefix(FileSignature.length)), type) {
      let reason = "The file is not what it says that it is: \(type)."
      try visit(tokens) { uploads in uploads.refuse(slot, reason) }
      throw UploadRefusal.refused(reason)
    }
    try visit(tokens) { uploads throws(UploadRefusal) in try uploads.finish(slot, size: bytes.count) }
  }

  private func visit<Found: Sendable>(
    _ path: [String], opens: Bool = false,
    _ visit: @escaping @Sendable (Uploads) throws(UploadRefusal) -> Found
  ) throws -> Found {
    let result = entering { [requester] session in
      Result {
        try session.visitUploads(at: path, as: session.isRoom ? requester : nil, opens: opens) { uploads in
          Result { () throws(UploadRefusal) in try visit(uploads) }
        }
      }
    }
    do {
      guard let found = try result.get() else { throw UploadRefusal.unknown }
      return try found.get()
    } catch let refused as ChangesRefused { throw refused.refusals.first?.error ?? refused as any Error }
  }
}
