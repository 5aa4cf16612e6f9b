// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Logging
import ObservableCore
import Sessions
import ViewModels

/// Answers requests. The target leads to a resource, and the method to the handler of a route.
final class Application: Sendable {
  let host: SessionHost
  /// The declarations of the view models, by their names.
  let surfaces: [String: SurfaceDescription]
  let files: StaticFiles
  /// The page at the root, for paths without a file; `nil` for none.
  let rootPage: HostedPage?
  /// The page at the root, for an app that has none.
  let frontPage: FrontPage
  /// Whether pages help their author in the browser's console.
  let isInDevelopment: Bool
  let callers: Callers
  /// The OpenAPI descriptions.
  let descriptions: Descriptions
  let problems: ProblemPages
  let logger: Logger
  /// Whether there is a log of requests, whose lines say who has sent each.
  let logsRequests: Bool
  let readiness: Readiness
  private let faults: StoreFaults
  let streaming: StreamConfiguration
  let metrics: MetricsConfiguration
  /// The rate at which clients without a session may open one from one address; `nil` sets no limit.
  let openings: AddressRates?
  let table: RouteTable
  let runner: RouteRunner

  /// - Parameters:
  ///   - table: the routes, with the app's own among them.
  ///   - descriptions: the OpenAPI descriptions.
  ///   - models: the view models whose pages are served.
  ///   - takesTokens: whether clients have tokens here.
  init(
    host: SessionHost, surfaces: [SurfaceDescription], table: RouteTable, descriptions: Descriptions,
    readiness: Readiness, faults: StoreFaults, models: [HostedModelType], configuration: ServerConfiguration,
    takesTokens: Bool = true
  ) {
    rootPage = models.lazy.compactMap(\.page).first { $0.path == "/" }
    frontPage = FrontPage(of: models, isInDevelopment: configuration.isInDevelopment)
    self.table = table
    runner = RouteRunner(policy: configuration.contentSecurityPolicy, logger: configuration.log.logger)
    self.host = host
    if host.isNode, host.nodeClient == nil {
      stopProgram(bug: "a store of several servers has no client for the others")
    }
    self.surfaces = Dictionary(surfaces.map { ($0.name, $0) }) { first, _ in first }
    self.readiness = readiness
    self.faults = faults
    files = StaticFiles(directory: configuration.publicDirectory, policy: configuration.contentSecurityPolicy)
    isInDevelopment = configuration.isInDevelopment
    callers = Callers(configuration, host: host, takesTokens: takesTokens)
    self.descriptions = descriptions
    problems = ProblemPages(configuration.contentSecurityPolicy)
    logger = configuration.log.logger
    logsRequests = configuration.log.levelOfRequests != nil
    streaming = configuration.streams
    metrics = configuration.metrics
    openings = configuration.sessions.openingRate.map { AddressRates($0, now: host.now()) }
  }

  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    do { return try route(request) } catch let released as NotHere {
      return .now(released.response)
    } catch {
      let response = failure(error)
      return .now(files.page(inPlaceOf: response, for: request, but: table.reserved) ?? response)
    }
  }

  /// The response to an error.
  func failure(_ error: any Error) -> HTTPResponse { problem(error).response }

  /// The problem for an error. An error of the view model or of the store gets an id, by which the log has it.
  func problem(_ error: any Error) -> Problem {
    if let problem = Problem(error) { return faults.named(problem) }
    let id = Randomness.system.word()
    logger.error("a view model threw", metadata: ["id": "\(id)", "error": "\(error)"])
    var problem = Problem(.internalError, "the view model failed; the server's log has the reason under this id")
    problem.members = [("id", .string(id))]
    return problem
  }

  private func route(_ request: HTTPRequest) throws -> HTTPAnswer {
    let isServer = request.method == "OPTIONS" && request.target == "*"
    let target = RequestTarget(isServer ? "/" : request.target, isSecure: request.isSecure)
    let (resource, path) = if let target { table.find(target.segments) } else { (nil, PathTemplate.Match()) }
    request.mark(RequestLabel.mark(resource))
    tell(request)
    let method = RequestMethod(rawValue: request.method)
    let route = resource?.route(method)
    let caller = try callers.caller(
      of: request, at: target?.host, isForPeople: route?.isPage == true,
      takesOthers: route?.own?.otherSites == .allowed, isProbe: route?.isProbe == true)
    guard let target else {
      throw Problem(.badRequest, "the target must be a path in UTF-8, percent-encoded, without control characters")
    }
    if isServer { return .now(options(request, RequestMethod.allCases.map(\.rawValue))) }
    guard method != nil || Self.methods.contains(request.method) else {
      throw Problem(
        .notImplemented,
        "the server does not know this method; expected one of: \(Self.methods.joined(separator: ", "))")
    }
    guard let resource else { throw Self.nothingHere }
    if method == .options { return .now(options(request, methods(of: resource, path))) }
    guard let route else { throw Self.notAllowed(request.method, methods(of: resource, path)) }
    if route.mayCompress(request, caller) { request.allowGzip() }
    var call = Call(request: request, target: target, path: path, caller: caller)
    let answer = try answer(&call, by: route)
    // In a session, conditions are about its version, and checked in its turn.
    if resource.template.isInSession || route.method != .get { return answer }
    guard case .now(let response) = answer else { return answer }
    return .now(response.meeting(ResourceConditions(request)).inRange(of: request))
  }

  /// Answers by a route's handler, once its caller is known. What has to be looked up first is, and the request is
  /// handled anew then.
  private func answer(_ call: inout Call, by route: Route) throws -> HTTPAnswer {
    do {
      // A server that is about to stop looks for no client, and ends none, for a session that it does not open.
      if case .opener = route.need { try refuseWhileDraining() }
      try callers.identify(&call.caller, of: call.request, as: route.need)
      return try route.handler(self, call)
    } catch let missing as SessionsToFetch {
      return try fetching(missing, for: call)
    } catch let unasked as Authenticator.Unasked {
      return authenticating(unasked, for: call)
    } catch let planted as Callers.PlantedKey {
      return ending(planted.clients)
    }
  }

  /// Adds up to three things to the answer, whatever that will be. They are the fields for pages of allowed
  /// origins, the mark of a server in development, and over TLS the word that this host is reached only by TLS
  /// (RFC 6797). The last is left out for localhost, which all servers of a machine share.
  func tell(_ request: HTTPRequest) {
    if isInDevelopment { request.addToAnswer([HTTPField("Euripus-Development", "?1")]) }
    if request.isSecure, request.header("Host").map({ CrossSite.isLocalhost($0) }) == false {
      request.addToAnswer([HTTPField("Strict-Transport-Security", "max-age=31536000")])
    }
    let crossSite = callers.crossSite
    if crossSite.allowsOthers { request.addToAnswer(crossSite.fields(for: request.header("Origin"))) }
  }

  /// The answer to OPTIONS: the methods that there are. If a browser asks on behalf of a page of an allowed
  /// origin, also the fields that such a page may send.
  private func options(_ request: HTTPRequest, _ methods: [String]) -> HTTPResponse {
    var fields = [HTTPField("Allow", methods.joined(separator: ", "))]
    if request.headerCount("Access-Control-Request-Method") > 0, callers.crossSite.allows(request.header("Origin")) {
      fields += CrossSite.preflightFields(methods)
    }
    return .noContent(fields)
  }

  /// The methods of a path, by the view model's declarations there. Without a declaration, the methods of the
  /// path's form.
  private func methods(of resource: Resource, _ path: PathTemplate.Match) -> [String] {
    resource.methods(surfaces[path.model].map { Declaration.all(in: $0, at: path.tokens) } ?? [])
  }

  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]

  private static func notAllowed(_ method: String, _ allowed: [String]) -> Problem {
    let list = allowed.joined(separator: ", ")
    var problem = Problem(.methodNotAllowed, "\(method) is not allowed here; expected one of: \(list)")
    problem.fields = [HTTPField("Allow", list)]
    return problem
  }

  static let nothingHere = Problem(.notFound, "no resource of this server has this path")

  func refuseWhileDraining() throws(Problem) {
    if readiness.isDraining { throw Problem(.draining, "the server is about to stop; it opens no sessions") }
  }

  func refuseWhileStoreFails() throws(Problem) {
    if host.isStoreFailing {
      throw Problem(
        .storeUnavailable, "the session store cannot be used now; the server's log has the reason under this id")
    }
  }

  func models() -> HTTPResponse {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    writer.key("models")
    writer.beginArray()
    for name in host.modelNames { writer.string(name) }
    writer.endArray()
    writer.endObject()
    return .json(200, writer.bytes)
  }
}
