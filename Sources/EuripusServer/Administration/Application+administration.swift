// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Logging
import Sessions

/// Seeing and ending sessions, for operators.
extension Application {
  func listSessions(_ call: Call) throws -> HTTPAnswer {
    let query = try OperatorQuery(call.target, taking: ["model", "user", "client", "olderThan", "after", "limit"])
    let filter = SessionFilter(
      model: query["model"], user: query["user"], client: query["client"],
      olderThan: try query.number("olderThan", 0...Int64.max))
    let limit = try query.number("limit", 1...Int64(SessionHost.pageOfSessions))
    return awaiting { done in
      host.list(filter, after: query["after"], limit: limit.map { Int($0) } ?? SessionHost.pageOfSessions, then: done)
    } response: { page in
      .json(200, page.json)
    }
  }

  func look(_ call: Call) -> HTTPAnswer {
    awaiting { done in
      host.look(at: call.path.id, then: done)
    } response: { look in
      guard let look else { throw Self.noSuchSession }
      return .json(200, look.json)
    }
  }

  func endSession(_ call: Call) -> HTTPAnswer {
    awaiting { done in
      host.end(call.path.id, then: done)
    } response: { isEnded in
      guard isEnded else { throw Self.noSuchSession }
      self.tellOfEnd(["sessions": "1"])
      return .noContent()
    }
  }

  func endSessions(_ call: Call) throws -> HTTPAnswer {
    let query = try OperatorQuery(call.target, taking: ["model", "user", "client", "all"])
    switch (query["model"], query["user"], query["client"], query["all"]) {
    case (let model?, nil, nil, nil):
      return awaiting { done in
        host.end(allOn: model, then: done)
      } response: { count in
        let names = self.host.modelNames
        // A stored session may be on a view model that is not hosted any more.
        if count == 0, !names.contains(model) { throw SessionError.noSuchModel(model, expected: names) }
        return self.ended(count, ["model": "\(model)"])
      }
    case (nil, let user?, nil, nil): return end(of: "a user") { host.end(allOf: user, then: $0) }
    case (nil, nil, let client?, nil): return end(of: "a client") { host.end(client: client, then: $0) }
    case (nil, nil, nil, "true"): return end(of: "everybody") { host.endAll(then: $0) }
    default:
      throw Problem(
        .badRequest,
        "expected one of 'model', 'user', 'client' and 'all=true' in the query, to say which sessions are to end")
    }
  }

  private func end(
    of whom: Logger.MetadataValue, _ work: (@escaping @Sendable (Result<Int, SessionError>) -> Void) -> Void
  ) -> HTTPAnswer {
    awaiting(work) { count in self.ended(count, ["of": whom]) }
  }

  private func ended(_ count: Int, _ metadata: Logger.Metadata) -> HTTPResponse {
    tellOfEnd(metadata.merging(["sessions": .stringConvertible(count)]) { $1 })
    var writer = JSONWriter(capacity: 32)
    writer.json(["ended": .integer(Int64(count))])
    return .json(200, writer.bytes)
  }

  private func tellOfEnd(_ metadata: Logger.Metadata) {
    logger.notice("an operator ended sessions", metadata: metadata)
  }

  private static let noSuchSession = Problem(.noSession, "no session of this server has this id")

  /// Answers when `work` gives a result, with the response to that result.
  func awaiting<Value: Sendable>(
    _ work: (@escaping @Sendable (Result<Value, SessionError>) -> Void) -> Void,
    response: @escaping @Sendable (Value) throws -> HTTPResponse
  ) -> HTTPAnswer {
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut:
        let detail = "the session, or the store, was busy for \(Self.longestTurn) s; what was begun goes on"
        reply.answer(Problem(.overloaded, detail).response)
      case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
      }
    }
    work { result in
      do { reply.answer(try response(try result.get())) } catch { reply.answer(self.failure(error)) }
    }
    return .later(reply)
  }
}
