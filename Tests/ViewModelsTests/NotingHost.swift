// SPDX-License-Identifier: MIT
import ObservableCore

/// A graph's host that notes the errors which reach no caller, as a session's log does.
final class NotingHost: GraphHost {
  private(set) var lines: [String] = []

  func take(_ error: any Error, of place: String) { lines.append("\(place) threw \(error)") }
  func admit(_ place: String, orLater goOn: @escaping () -> Void) -> Bool { true }

  /// The errors that reach no caller while `body` runs in a graph with such a host.
  static func lines(_ body: () throws -> Void) rethrows -> [String] {
    let (graph, host) = (Graph(), NotingHost())
    graph.host = host
    try graph.enter(body)
    return host.lines
  }
}
