// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Locking
import Sessions
import Storing
import ViewModels

/// The taking of the file that a request sends. The bytes go to the spool as they come; the session is told of the beginning
/// and of the end, and meanwhile twice a second.
struct FileTaking: Sendable {
  let place: UploadPlace
  private let asked: UploadRequest
  private let body: RouteBody
  private let sender: SpoolRoom.Sender
  private let read = Locked(false)

  /// Whether a part of the body has been read, so that the request cannot be handled anew.
  var hasRead: Bool { read.withLock(\.self) }

  init(_ place: UploadPlace, _ asked: UploadRequest, _ body: RouteBody, of sender: SpoolRoom.Sender) {
    (self.place, self.asked, self.body, self.sender) = (place, asked, body, sender)
  }

  /// Takes a new file, or its beginning. The same file may have been begun before by the same request.
  func takeNew(_ key: String) async throws -> HTTPResponse {
    let slot = try await open(key, declaration(named: asked.fileName ?? key), isAnew: false)
    let location = HTTPField("Location", place.url(of: key))
    if slot.isReady { return answer(201, slot, slot.received, isComplete: true, [location]) }
    if let store = slot.store { return try await address(of: slot, in: store, location) }
    let writer = try place.spool.writer(of: slot.file)
    if writer.size > 0 { try writer.cut(to: 0) }
    return try await take(slot, writer, status: 201, [location])
  }

  /// Takes a file under a key, in place of the one that is there.
  func takeWhole(_ key: String) async throws -> HTTPResponse {
    let slot = try await open(key, declaration(named: asked.fileName ?? key), isAnew: true)
    let location = HTTPField("Location", place.url(of: key))
    if let store = slot.store { return try await address(of: slot, in: store, location) }
    return try await take(slot, place.spool.writer(of: slot.file), status: 201, [location])
  }

  /// Takes the next part of a file.
  func takePart(_ key: String) async throws -> HTTPResponse {
    guard asked.contentType.map({ MediaType.name(of: $0) }) == UploadFields.partType else {
      throw Problem(.wrongFileType, "a part of a file is sent as \(UploadFields.partType)")
    }
    guard let offset = asked.offset, let isComplete = asked.isComplete else {
      throw Problem(.badRequest, "a part of a file has Upload-Offset and Upload-Complete")
    }
    let slot = try await place.visit { [spool = place.spool, sender] uploads throws(UploadRefusal) in
      let slot = try uploads.slot(key)
      try Self.reserve(spool, for: slot, of: sender)
      return slot
    }
    if let length = asked.length, let size = slot.size, length != size {
      throw Problem(.uploadContradiction, "the file was declared with \(size) bytes, and now with \(length)")
    }
    if slot.isReady {
      // The answer to the last part may have been lost.
      if asked.isEmpty, offset == slot.received, isComplete { return answer(204, slot, offset, isComplete: true) }
      throw Problem(.uploadContradiction, "the file is complete, and nothing more of it is expected")
    }
    if let store = slot.store {
      guard asked.isEmpty else { throw UploadRefusal.elsewhere }
      return try await take(slot, from: store, to: offset, isComplete: isComplete)
    }
    // A sender that begins elsewhere does not end the one that is right.
    guard offset == slot.received else { throw Self.begins(at: offset, not: slot.received) }
    let writer = try place.spool.writer(of: slot.file)
    guard offset == writer.size else { throw Self.begins(at: offset, not: writer.size) }
    return try await take(slot, writer, status: 204, [])
  }

  /// Takes room for a file that has begun: after a restart only the bytes that are there count.
  private static func reserve(
    _ spool: DiskSpool, for slot: UploadSlot, of sender: SpoolRoom.Sender
  ) throws(UploadRefusal) {
    if slot.isReady || slot.store != nil { return }
    if let reason = spool.reserve(slot.most, for: slot.file, of: sender) { throw .noRoom(reason) }
  }

  private static func begins(at offset: Int, not expected: Int) -> Problem {
    var problem = Problem(.uploadOffset, "\(expected) bytes of the file are here; expected the rest from there on")
    problem.members = [
      ("expected-offset", .integer(Int64(expected))), ("provided-offset", .integer(Int64(offset))),
    ]
    problem.fields = [HTTPField("Upload-Offset", "\(expected)"), HTTPField("Upload-Complete", "?0")]
    return problem
  }

  /// Takes all files of a browser's form.
  ///
  /// - Parameter firstKey: the key of the first file; further ones have a number behind it.
  func takeForm(firstKey: String) async throws -> HTTPResponse {
    guard let type = asked.contentType, var form = MultipartReader(type) else {
      throw Problem(.badRequest, "expected multipart/form-data with a boundary")
    }
    var made: [String] = []
    var current: (slot: UploadSlot, writer: SpoolWriter)?
    var told = ContinuousClock.now
    do {
      for try await piece in body {
        read.withLock { $0 = true }
        for event in try form.read(piece) {
          switch event {
          case .begin(let name, let type):
            let key = made.isEmpty ? firstKey : "\(firstKey)-\(made.count + 1)"
            let slot = try await open(key, declaration(named: name, type: type), isAnew: true)
            made.append(place.url(of: key))
            current = (slot, try place.spool.writer(of: slot.file))
          case .bytes(let bytes):
            if let (slot, writer) = current { try await add(bytes, to: writer, of: slot, &told) }
          case .end:
            if let (slot, writer) = current { try await complete(slot, writer, digest: nil) }
            current = nil
          }
        }
      }
      if !form.isOver { throw Problem(.badRequest, "the form ends in the middle of a part") }
    } catch {
      // No client knows the key of the file that was on its way.
      if let key = current?.slot.key {
        try? await place.visit(isOfServer: true) { uploads throws(UploadRefusal) in try uploads.remove(key) }
      }
      throw error
    }
    if made.isEmpty { throw Problem(.badRequest, "the form has no file") }
    var writer = JSONWriter()
    writer.json(.object([JSON.Member(name: "uploads", value: .array(made.map { .string($0) }))]))
    return .json(201, writer.bytes, [HTTPField("Location", made[0])])
  }

  // MARK: The steps

  private func declaration(named name: String, type: String? = nil) -> UploadDeclaration {
    var type = type ?? asked.contentType.map { MediaType.name(of: $0) } ?? ""
    // curl -T and a form of unknown files say nothing, or nothing of use.
    if type.isEmpty || type == "application/octet-stream" || type == "application/x-www-form-urlencoded" {
      type = MediaType.name(of: MediaType.ofFile(name))
    }
    let isAlone = asked.isComplete == false && asked.isEmpty
    return UploadDeclaration(name: name, type: type, size: asked.length, isAlone: isAlone)
  }

  private func open(_ key: String, _ declared: UploadDeclaration, isAnew: Bool) async throws -> UploadSlot {
    try await place.visit(opens: true) { [spool = place.spool, sender] uploads throws(UploadRefusal) in
      var isNew = false
      let slot = try uploads.open(key, declared, isAnew: isAnew) {
        isNew = true
        return spool.reserve($1, for: $0, of: sender, replacing: $2)
      }
      if !isNew { try Self.reserve(spool, for: slot, of: sender) }
      return slot
    }
  }

  /// Takes the body as the next part of a file, which ends with it unless the request says that it does not.
  private func take(
    _ slot: UploadSlot, _ writer: SpoolWriter, status: Int, _ fields: [HTTPField]
  ) async throws -> HTTPResponse {
    let start = asked.bodyStart ?? writer.size
    var told = ContinuousClock.now
    do {
      for try await piece in body {
        read.withLock { $0 = true }
        try await add(piece, to: writer, of: slot, &told)
      }
      if let digest = asked.digestOfBody, try hash(writer, from: start) != digest {
        try writer.cut(to: start)
        throw Problem(
          .uploadContradiction, "the body has another SHA-256 than its Content-Digest; nothing of it was kept")
      }
    } catch {
      await tell(slot, writer.size)
      throw error
    }
    let isComplete = asked.isComplete ?? true
    if isComplete { try await complete(slot, writer, digest: asked.digest) } else { await tell(slot, writer.size) }
    return answer(status, slot, writer.size, isComplete: isComplete, fields)
  }

  private func add(
    _ piece: [UInt8], to writer: SpoolWriter, of slot: UploadSlot, _ told: inout ContinuousClock.Instant
  ) async throws {
    guard writer.size + piece.count <= slot.most else {
      throw Problem(.bodyTooLarge, "the file has more bytes than the \(slot.most) that are expected of it")
    }
    try writer.write(piece)
    if ContinuousClock.now - told >= Self.pause {
      told = .now
      await tell(slot, writer.size)
    }
  }

  private static let pause = Duration.milliseconds(500)

  /// Has the state show how far the file has come. It is not the client's word, and nobody waits for it in vain.
  private func tell(_ slot: UploadSlot, _ size: Int) async {
    try? await place.visit(isOfServer: true) { uploads in uploads.note(slot, received: size) }
  }

  private func complete(_ slot: UploadSlot, _ writer: SpoolWriter, digest: Digest?) async throws {
    let size = writer.size
    if let length = slot.size ?? asked.length, length != size {
      throw Problem(.uploadContradiction, "the file was declared with \(length) bytes, and ends after \(size)")
    }
    try place.spool.sync(writer, of: slot.file)
    if try !FileSignature.fits(writer.first(FileSignature.length), slot.type) {
      let reason = "The file is not what it says that it is: \(slot.type)."
      try await place.visit(isOfServer: true) { uploads in uploads.refuse(slot, reason) }
      throw Problem(.wrongFileType, "the file's first bytes are not those of \(slot.type), which it is said to be")
    }
    if let digest, try hash(writer, from: 0) != digest {
      let reason = "The file has come damaged. Please send it again."
      try await place.visit(isOfServer: true) { uploads in uploads.refuse(slot, reason) }
      throw Problem(.uploadContradiction, "the file has another SHA-256 than its Repr-Digest")
    }
    try await place.visit(isOfServer: true) { uploads throws(UploadRefusal) in try uploads.finish(slot, size: size) }
    place.spool.shrink(slot.file, to: size)
  }

  private func hash(_ writer: SpoolWriter, from start: Int) throws -> Digest {
    var hash = SHA256()
    try writer.read(from: start) { hash.update($0) }
    return hash.finish()
  }

  func answer(
    _ status: Int, _ slot: UploadSlot, _ size: Int, isComplete: Bool, _ fields: [HTTPField] = []
  ) -> HTTPResponse {
    var response = HTTPResponse.noContent(UploadPlace.fields(slot, size: size, isComplete: isComplete) + fields)
    response.status = status
    return response
  }
}
