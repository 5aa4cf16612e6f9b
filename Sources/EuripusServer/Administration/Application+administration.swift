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
    let (host, after) = (host, query["after"])
    return awaiting {
      .json(
        200, try await host.list(filter, after: after, limit: limit.map { Int($0) } ?? SessionHost.pageOfSessions).json)
    }
  }

  func look(_ call: Call) -> HTTPAnswer {
    let id = call.path.id
    return awaiting {
      guard let look = try await self.host.look(at: id) else { throw Self.noSuchSession }
      return .json(200, look.json)
    }
  }

  func endSession(_ call: Call) -> HTTPAnswer {
    let id = call.path.id
    return awaiting {
      guard try await self.host.end(id) else { throw Self.noSuchSession }
      self.tellOfEnd(["sessions": "1"])
      return .noContent()
    }
  }

  func endSessions(_ call: Call) throws -> HTTPAnswer {
    let query = try OperatorQuery(call.target, taking: ["model", "user", "client", "all"])
    switch (query["model"], query["user"], query["client"], query["all"]) {
    case (let model?, nil, nil, nil):
      return awaiting {
        let count = try await self.host.end(allOn: model)
        let names = self.host.modelNames
        // A stored session may be on a view model that is not hosted any more.
        if count == 0, !names.contains(model) { throw SessionError.noSuchModel(model, expected: names) }
        return self.ended(count, ["model": "\(model)"])
      }
    case (nil, let user?, nil, nil):
      return awaiting { self.ended(try await self.host.end(allOf: user), ["of": "a user"]) }
    case (nil, nil, let client?, nil):
      return awaiting { self.ended(try await self.host.end(client: client), ["of": "a client"]) }
    case (nil, nil, nil, "true"):
      return awaiting { self.ended(try await self.host.endAll(), ["of": "everybody"]) }
    default:
      throw Problem(
        .badRequest,
        "expected one of 'model', 'user', 'client' and 'all=true' in the query, to say which sessions are to end")
    }
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

  /// Answers with the response that `work` gives.
  func awaiting(_ work: @escaping @Sendable () async throws -> HTTPResponse) -> HTTPAnswer {
    let reply = DeferredReply(deadline: .seconds(Self.longestTurn)) { reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut:
        let detail = "the session, or the store, was busy for \(Self.longestTurn) s; what was begun goes on"
        reply.answer(Problem(.overloaded, detail).response)
      case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
      }
    }
    Task(executorPreference: host.executor) {
      do { reply.answer(try await work()) } catch { reply.answer(self.failure(error)) }
    }
    return .later(reply)
  }
}
