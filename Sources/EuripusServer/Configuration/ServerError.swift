// SPDX-License-Identifier: MIT

/// The reason why a server did not start.
public enum ServerError: Error, CustomStringConvertible {
  case noSuchDirectory(String)
  case notAnOrigin(String)
  case notAnAddress(String)
  /// Fields name the user, but no proxy is trusted to set them.
  case userHeaderWithoutProxy
  /// Any host is to be accepted that a trusted proxy passes on, but none is trusted.
  case anyHostWithoutProxy
  /// A Content-Security-Policy with a fault.
  case notAPolicy(String, fault: String)
  /// A server in development listens at this address, which other machines reach.
  case developmentInPublic(String)
  /// Operators are to be served at this host, which other machines reach.
  case administrationInPublic(String)
  /// Operators cannot be served, because of this error.
  case noAdministration(any Error)
  /// A route of the app that cannot be served, with its fault.
  case badRoute(String, fault: String)
  /// The page of a view model that cannot be served, with its fault.
  case badPage(String, fault: String)

  public var description: String {
    switch self {
    case .notAnOrigin(let text):
      "'\(text)' is not an origin; expected a scheme, a host and a port that is not the scheme's own, such as https://app.example"
    case .notAnAddress(let text):
      "'\(text)' is not the address of a proxy; expected one in numbers or a range, such as 127.0.0.1 or 10.0.0.0/8"
    case .userHeaderWithoutProxy:
      "a field is to say who the user is, and no proxy is trusted to set it; expected the proxy's address: --trusted-proxy"
    case .anyHostWithoutProxy:
      """
      the host name '*' stands for each by which a trusted proxy is reached, and no proxy is trusted; expected the proxy's \
      address: --trusted-proxy, or the names themselves
      """
    case .notAPolicy(let text, let fault): "'\(text)' is not a Content-Security-Policy: \(fault)"
    case .developmentInPublic(let host):
      "a server in development listens at '\(host)'; expected an address of this machine alone, such as 127.0.0.1"
    case .administrationInPublic(let host):
      "operators are to be served at '\(host)'; expected an address of this machine alone, such as 127.0.0.1"
    case .noAdministration(let error): "\(error) (--admin says where operators are served)"
    case .badRoute(let route, let fault): "the route '\(route)' cannot be served: \(fault)"
    case .badPage(let model, let fault): "the page of '\(model)' cannot be served: \(fault)"
    case .noSuchDirectory(let path):
      "there is no directory '\(path)' to serve static files from; a relative path starts at the current directory"
    }
  }
}
