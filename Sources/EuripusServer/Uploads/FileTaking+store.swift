// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import ViewModels

/// Files whose bytes go to the app's store (`UploadStore`): the client gets an address there, and says how far it has come.
extension FileTaking {
  /// Answers the declaration of a file with the address to which the client sends it.
  func address(of slot: UploadSlot, in store: any UploadStore, _ location: HTTPField) async throws -> HTTPResponse {
    let declared = DeclaredUpload(storedName: slot.file.name, name: slot.name, type: slot.type, size: slot.most)
    let address = try await asking { try await store.address(for: declared) }
    guard address.url.contains("://") else { throw UploadStoreFailure(cause: NoURL(text: address.url)) }
    let fields = address.fields.sorted { $0.key < $1.key }.map { JSON.Member(name: $0, value: .string($1)) }
    var writer = JSONWriter()
    writer.json(["url": .string(address.url), "fields": .object(fields)])
    return .json(200, writer.bytes, [location] + UploadPlace.fields(slot, size: slot.received, isComplete: false))
  }

  /// Takes the client's word that so many bytes are in the store. If they are all, the server looks.
  func take(
    _ slot: UploadSlot, from store: any UploadStore, to offset: Int, isComplete: Bool
  ) async throws -> HTTPResponse {
    guard isComplete ? offset == slot.most : offset <= slot.most else {
      throw Problem(
        .uploadContradiction, "the file was declared with \(slot.most) bytes, and Upload-Offset is \(offset)")
    }
    guard isComplete else {
      try await place.visit(isOfServer: true) { uploads in uploads.note(slot, received: offset) }
      return answer(204, slot, offset, isComplete: false)
    }
    let size = try await asking { try await store.size(of: slot.file.name) }
    guard size == slot.most else { throw try await notArrived(slot, size) }
    try await place.visit(isOfServer: true) { uploads throws(UploadRefusal) in try uploads.finish(slot, size: slot.most)
    }
    return answer(204, slot, slot.most, isComplete: true)
  }

  /// The problem of a file that is not in the store as a whole. One that is not there at all may have been declared anew by
  /// another client, which is still sending it, so its row stays.
  private func notArrived(_ slot: UploadSlot, _ size: Int?) async throws -> Problem {
    try await place.visit(isOfServer: true) { uploads throws(UploadRefusal) in
      // An action may have taken it meanwhile.
      _ = try uploads.slot(slot.key)
      if size != nil { uploads.refuse(slot, "The file has not arrived as a whole. Please send it again.") }
    }
    return Problem(
      .uploadContradiction,
      "the file was declared with \(slot.most) bytes, and the app's store has \(size.map { "\($0)" } ?? "none")")
  }

  private func asking<Answer>(_ question: () async throws -> Answer) async throws -> Answer {
    do { return try await question() } catch {
      // The client has left, or has waited for too long. Nobody asks the store any more.
      try Task.checkCancellation()
      throw UploadStoreFailure(cause: error)
    }
  }
}

/// An error of the app's store.
struct UploadStoreFailure: Error {
  let cause: any Error
}

private struct NoURL: Error, CustomStringConvertible {
  let text: String

  var description: String { "'\(text)' is no address of a file; expected an absolute URL" }
}
