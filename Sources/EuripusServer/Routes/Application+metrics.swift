// SPDX-License-Identifier: MIT
import Dispatch
import HTTPListening

extension Application {
  /// Answers `GET /metrics`, on a thread of its own, as counting open files takes a while if there are many.
  func metrics(_ request: HTTPRequest) throws -> HTTPAnswer {
    guard metrics.access.permits(request) else { throw Self.nothingHere }
    let reply = DeferredReply(deadline: .seconds(30)) { reply, ending in
      switch ending {
      case .clientLeft: break
      case .timedOut: reply.answer(Problem(.overloaded, "the metrics took longer than 30 seconds").response)
      case .stopping: reply.answer(Problem(.draining, "the server is stopping").response)
      }
    }
    let conditions = ResourceConditions(request)
    Self.metricsQueue.async { [registry = metrics.registry] in
      let response = HTTPResponse.plain(
        200, Array(registry.text().utf8),
        [HTTPField("Content-Type", MetricRegistry.mediaType), HTTPField("Cache-Control", "no-store")])
      reply.answer(response.meeting(conditions))
    }
    return .later(reply)
  }

  private static let metricsQueue = DispatchQueue(label: "euripus.metrics")
}
