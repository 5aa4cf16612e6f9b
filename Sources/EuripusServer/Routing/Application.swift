// SPDX-License-Identifier: MIT
import AtWork
import HTTPListening
import JSONPatching
import Locking
import Logging
import Metering
import Sessions
import ViewModels

/// Answers requests: from a target to a resource, from a method to what is done with it.
final class Application: Sendable {
  let host: SessionHost
  private let files: StaticFiles
  let crossSite: CrossSite
  let forwarding: Forwarding
  private let description: FixedDocument
  private let logger: Logger
  let readiness: Readiness
  let streaming: Streaming
  let registry: MetricRegistry
  let metricsAccess: MetricsAccess
  /// How often sessions may be opened from one address; `nil` for as often as is wanted.
  let openings: AddressRates?
  /// Where it is noted what is at work, if a supervisor is to know.
  let notes: WorkNotes?
  private let lastWaiter = Locked<UInt64>(0)

  /// - Parameter models: those that the host has.
  init(host: SessionHost, models: [HostedModelType], readiness: Readiness, configuration: ServerConfiguration) {
    self.host = host
    self.readiness = readiness
    files = StaticFiles(directory: configuration.publicDirectory)
    crossSite = CrossSite(hostNames: configuration.hostNames, allowedOrigins: configuration.allowedOrigins)
    forwarding = Forwarding(trusting: configuration.trustedProxies.compactMap { AddressRange($0) })
    let surfaces = models.map(\.description).sorted { $0.name < $1.name }
    description = FixedDocument("application/json", OpenAPIDocument(surfaces).json)
    logger = configuration.logger
    streaming = Streaming(configuration)
    registry = configuration.metrics
    metricsAccess = configuration.metricsAccess
    notes = configuration.workNotes
    let openings = configuration.openingsPerMinute
    self.openings =
      openings == 0
      ? nil : AddressRates(Rate(openings, per: .seconds(60), burst: configuration.openingBurst), now: host.now())
  }

  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    do { return try route(request) } catch let missing as SessionsToFetch { return fetching(missing) } catch {
      return .now(failure(error))
    }
  }

  /// The response to an error.
  func failure(_ error: any Error) -> HTTPResponse { problem(error).response }

  /// The problem that an error is, or for one of the view model's own one with an id to find it by in the log.
  func problem(_ error: any Error) -> Problem {
    if let problem = Problem(error) { return problem }
    let id = Randomness.system.word()
    logger.error("a view model threw", metadata: ["id": "\(id)", "error": "\(error)"])
    var problem = Problem(.internalError, "the view model failed; the server's log has the reason under this id")
    problem.members = [("id", .string(id))]
    return problem
  }

  private func route(_ request: HTTPRequest) throws -> HTTPAnswer {
    let method = RequestMethod(request.methodBytes)
    let isServer = method == .options && request.targetBytes == [UInt8(ascii: "*")]
    let target = isServer ? RequestTarget("/") : RequestTarget(request.targetBytes)
    let route = target.map { Route($0) } ?? .unknown
    request.mark(RequestLabel(route.resource, method).mark)
    tell(request)
    let identity = try identity(request)
    if let address = identity.address { request.setClientAddress(address) }
    try letIn(request, target, route, identity)
    guard let target else {
      throw Problem(.badRequest, "the target must be a path in UTF-8, percent-encoded, without control characters")
    }
    if isServer { return .now(options(request, ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])) }
    guard route.resource?.takes(method) == true else {
      let allowed = route.methods
      guard Self.methods.contains(request.method) else {
        throw Problem(
          .notImplemented,
          "the server does not know this method; expected one of: \(Self.methods.joined(separator: ", "))")
      }
      if allowed.isEmpty { throw Self.nothingHere }
      throw Self.notAllowed(request.method, allowed)
    }
    if method == .options { return .now(options(request, route.methods)) }

    let answer = try noting(request, of: route) { try dispatch(route, method, request, target, identity) }
    if route.isInSession || method != .get && method != .head { return answer }
    guard case .now(let response) = answer else { return answer }
    return .now(response.meeting(ResourceConditions(request)))
  }

  private func dispatch(
    _ route: Route, _ method: RequestMethod, _ request: HTTPRequest, _ target: RequestTarget, _ identity: ClientIdentity
  ) throws -> HTTPAnswer {
    switch route {
    case .health: return .now(.plain(200, Array("ok\n".utf8), Self.probe))
    case .ready:
      if readiness.isDraining { throw Self.draining }
      return .now(.plain(200, Array("ready\n".utf8), Self.probe))
    case .metrics: return try metrics(request)
    case .models: return .now(models())
    case .description: return .now(description.response())
    case .problems: return .now(try ProblemPages.all.response(nil, request))
    case .problem(let name): return .now(try ProblemPages.all.response(name, request))
    case .sessions(let model):
      if readiness.isDraining { throw Self.draining }
      return try open(model, request, target, identity)
    case .session(let model, let id):
      return try method == .delete
        ? close(model, id, request, target, identity) : snapshot(session(model, id, request, identity), request)
    case .value(let model, let id, let path):
      let session = try session(model, id, request, identity)
      return method == .put
        ? try assign(session, path, request, target) : read(session, path, request)
    case .action(let model, let id, let path):
      let session = try session(model, id, request, identity)
      return try method == .delete
        ? cancel(session, path, request, target) : perform(session, path, request, target)
    case .actions(let model, let id):
      return try performBatch(session(model, id, request, identity), request, target)
    case .changes(let model, let id):
      return try changes(session(model, id, request, identity), request, target)
    case .file(let segments):
      guard let response = files.response(segments) else {
        throw Problem(.notFound, "there is no such file")
      }
      return .now(response)
    case .unknown: throw Self.nothingHere
    }
  }

  private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"]

  private static func notAllowed(_ method: String, _ allowed: [String]) -> Problem {
    let list = allowed.joined(separator: ", ")
    var problem = Problem(.methodNotAllowed, "\(method) is not allowed here; expected one of: \(list)")
    problem.fields = [HTTPField("Allow", list)]
    return problem
  }

  static let nothingHere = Problem(.notFound, "no resource of this server has this path")

  private static let draining = Problem(.draining, "the server is about to stop; it opens no sessions")

  /// Of an answer that is only true now.
  private static let probe = [
    HTTPField("Content-Type", "text/plain; charset=utf-8"), HTTPField("Cache-Control", "no-store"),
  ]

  private func models() -> HTTPResponse {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    writer.key("models")
    writer.beginArray()
    for name in host.modelNames { writer.string(name) }
    writer.endArray()
    writer.endObject()
    return .json(200, writer.bytes)
  }

  /// A number that no waiting poll has.
  func nextWaiter() -> UInt64 {
    lastWaiter.withLock { last in
      last += 1
      return last
    }
  }
}
