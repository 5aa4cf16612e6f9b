// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Logging
import Sessions
import Storing
import ViewModels

/// Files that clients send to a session (PROTOCOL §10).
extension Application {
  /// Takes a file by `POST` at its `Uploads`, by `PUT` under a key, or a part of one by `PATCH`.
  func upload(_ call: Call) throws -> HTTPAnswer {
    let access = try access(call, isOfFile: true)
    var asked = try UploadRequest(call.request)
    if call.caller.isPassedOn { asked.bodyStart = call.request.header(NodeField.bodyStart).flatMap { Int($0) } }
    let (method, tokens) = (call.request.method, call.path.tokens)
    let isForm = asked.contentType.map(MediaType.isMultipart) == true
    if method == "POST", asked.contentType.map(MediaType.isOfForms) == true {
      try callers.checkForm(of: call.request, call.caller)
    }
    let key = try method == "POST" ? Self.newKey(call) : tokens.last ?? ""
    let place = place(of: method == "POST" ? tokens : tokens.dropLast(), in: access, call)
    let body = RouteBody(body: call.request.bodyStream)
    let owner = access.requester.client
    let sender = SpoolRoom.Sender(client: owner, network: call.caller.network)
    let caller = ThreadCaller(network: call.caller.network, client: owner)
    let taking = FileTaking(place, asked, body, of: sender)
    return runner.run(for: caller, at: .seconds(Self.longestTurn)) {
      Problem(.overloaded, "the session, its store or the app's store for files was busy for \(Self.longestTurn) s")
        .response
    } _: { reply, _ in
      do {
        let response =
          switch method {
          case "POST" where isForm: try await taking.takeForm(firstKey: key)
          case "POST": try await taking.takeNew(key)
          case "PUT": try await taking.takeWhole(key)
          default: try await taking.takePart(key)
          }
        reply.answer(response)
      } catch SessionError.left where !taking.hasRead {
        reply.askAgain()
      } catch SessionError.left {
        // A second handling would take the rest of the body for all of it.
        reply.answer(Problem(.storeUnavailable, Self.hasLeft, retryAfter: 1).response)
      } catch is CancellationError {
        reply.answer(Problem(.overloaded, "the request was cancelled").response)
      } catch is RouteBodyLost {
        reply.answer(Problem(.badRequest, "the rest of the file did not come").response)
      } catch let refusal as UploadRefusal {
        reply.answer(Problem(refusal).response)
      } catch let failure as SpoolWriter.Failure {
        reply.answer(self.problem(failure).response)
      } catch let failure as UploadStoreFailure {
        reply.answer(self.problem(failure).response)
      } catch { reply.answer(self.failure(error)) }
    }
  }

  private func problem(_ failure: UploadStoreFailure) -> Problem {
    logged(
      "the store for uploads failed", "\(failure.cause)", as: .uploadStoreFailed, "the app's store for files failed")
  }

  private func problem(_ failure: SpoolWriter.Failure) -> Problem {
    switch failure {
    case .ended: Problem(.uploadOffset, "another request sends this file, or it was removed; expected a look by HEAD")
    case .full: Problem(.noRoomForUploads, "the server's disk is full", limit: .uploads)
    case .failed(let reason):
      logged("an upload cannot be written", reason, as: .internalError, "the file cannot be written")
    }
  }

  /// Writes a fault and its reason to the log.
  ///
  /// - Returns: the problem that tells a client of the fault, with the id under which the log has it.
  private func logged(
    _ fault: Logger.Message, _ reason: String, as kind: Problem.Kind, _ detail: String
  ) -> Problem {
    let id = Randomness.system.word()
    logger.error(fault, metadata: ["id": "\(id)", "error": "\(reason)"])
    var problem = Problem(kind, "\(detail); the server's log has the reason under this id")
    problem.members = [("id", .string(id))]
    return problem
  }

  private static let hasLeft = "the session left memory meanwhile; expected a look by HEAD at how far the file has come"

  /// Says how far a file has come, or gives its bytes if it is there as a whole.
  func readUpload(_ call: Call) throws -> HTTPAnswer {
    let access = try access(call, isOfFile: true)
    let (tokens, isHead) = (call.path.tokens, call.request.method == "HEAD")
    let (conditions, range) = (ResourceConditions(call.request), WantedRange(call.request))
    let (path, key) = (Array(tokens.dropLast()), tokens.last ?? "")
    return inSession(access) { [spool = host.spool] session in
      do {
        let slot = try UploadPlace.visit(session, path, access.requester) { uploads throws(UploadRefusal) in
          try uploads.slot(key)
        }
        if isHead {
          return .noContent(UploadPlace.fields(slot, size: slot.received, isComplete: slot.isReady))
        }
        guard slot.isReady, let path = spool.path(of: slot.file),
          let file = try OpenedFile(path, accepting: { _ in true })
        else { throw UploadRefusal.unknown }
        let type = UploadTypes.images.has(slot.type) ? slot.type : MediaType.unknown
        return HTTPResponse.attachment(file, named: slot.name, type: type).meeting(conditions).inRange(range)
      } catch let refusal as UploadRefusal { throw Problem(refusal) }
    }
  }

  /// Takes a file from its list on behalf of the client.
  func removeUpload(_ call: Call) throws -> HTTPAnswer {
    let access = try access(call, isOfFile: true)
    let tokens = call.path.tokens
    let (path, key) = (Array(tokens.dropLast()), tokens.last ?? "")
    return inSession(access) { session in
      do {
        try UploadPlace.visit(session, path, access.requester) { uploads throws(UploadRefusal) in
          try uploads.remove(key)
        }
        return .noContent()
      } catch let refusal as UploadRefusal { throw Problem(refusal) }
    }
  }

  /// The key of a file for which the client gives none: that of the request, so that a repetition finds the same file.
  private static func newKey(_ call: Call) throws -> String {
    guard let key = try keyedOpening(call)?.key.description else { return Randomness.system.word() }
    // One with a slash, or a long one, cannot be a file's.
    return Uploads.isKey(key) ? key : String(Digest(hashing: key).hex.prefix(32))
  }

  private func place(of path: some Sequence<String>, in access: Access, _ call: Call) -> UploadPlace {
    let path = Array(path)
    let url = "/sessions/\(PercentCoding.encoded(call.path.model))/\(call.path.id)/uploads/"
    return UploadPlace(
      session: access.session, requester: access.requester, path: path,
      url: url
        + path.map(UploadPlace.segment).joined(separator: "/"),
      spool: host.spool)
  }
}
