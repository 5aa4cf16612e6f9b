// SPDX-License-Identifier: MIT
import Sessions
import Storing
public import ViewModels

/// The server as an app's services see it.
extension EuripusServer {
  /// The database of the sessions, in which the app has tables of its own; `nil` if sessions are not stored. It can be used
  /// from the app's `start` on, until the server has stopped.
  public var database: AppDatabase? { host.database }

  /// Tells all who follow a topic, at this server and at those with which it shares a database
  /// (``SessionContext/tell(_:)``). What was written before can be read by then.
  public func tell(_ topic: String) { host.tell(topic) }

  /// Does work in the background for as long as the server runs.
  ///
  /// ```swift
  /// server.background("escalation", onlyOnOne: true) {
  ///   while true {
  ///     try await desk.escalate()
  ///     try await Task.sleep(for: .seconds(60))
  ///   }
  /// }
  /// ```
  ///
  /// If it throws, it begins anew: after a second at first, and after a minute at most. The log has the error. If it returns,
  /// it is done. When the server stops, its task is cancelled.
  ///
  /// - Parameters:
  ///   - name: the work, as the log names it.
  ///   - onlyOnOne: whether one server of several does it, those that share a database. If that one goes, another one takes
  ///     it over within some seconds. For these seconds two may do it.
  ///   - body: the work.
  public func background(_ name: String, onlyOnOne: Bool = false, _ body: @escaping @Sendable () async throws -> Void) {
    guard onlyOnOne, host.isNode else { return work.begin(name, lock: nil, body) }
    work.begin(
      name,
      lock: { [host] in try await BackgroundWork.off { Result { try host.lock(name) } }.get() }, body)
  }
}
