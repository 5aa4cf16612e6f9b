// SPDX-License-Identifier: MIT
public import Logging

/// A handler of swift-log that writes one line for each event. It uses one call, so that lines of several
/// threads do not mix.
///
/// ```
/// 2026-11-21T15:33:52.104Z warning an action holds its session action=save milliseconds=150 model=note
/// {"time":"2026-11-21T15:33:52.104Z","level":"warning","message":"an action holds its session","action":"save",…}
/// ```
///
/// Metadata comes in the order of its names. No text can break a line, or bring a control character to the
/// terminal. By default the lines go to the standard error. The handler never waits for a reader there. Lines
/// for which there is no room are lost, and the next line that is written says how many.
public struct LineLogHandler: LogHandler {
  /// The form of a line.
  public enum Format: String, Sendable, CaseIterable {
    /// Lines for people: the time, the level, the message, and `name=value`.
    case text
    /// Lines for programs: one JSON object with `time` (RFC 3339, UTC), `level` and `message`, and with the
    /// metadata as further members.
    case json
  }

  public var logLevel: Logger.Level
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  private let format: Format
  private let now: @Sendable () -> LogTime
  private let write: (@Sendable (String) -> Void)?

  /// - Parameters:
  ///   - level: the lowest level that is written.
  ///   - write: takes each line, without its end, on the thread that logs; `nil` for the standard error.
  public init(
    _ format: Format = .text, level: Logger.Level = .info, now: @escaping @Sendable () -> LogTime = { .now },
    write: (@Sendable (String) -> Void)? = nil
  ) {
    self.format = format
    logLevel = level
    self.now = now
    self.write = write
  }

  public subscript(metadataKey name: String) -> Logger.Metadata.Value? {
    get { metadata[name] }
    set { metadata[name] = newValue }
  }

  public func log(event: LogEvent) {
    var members = metadata
    if let metadataProvider { members.merge(metadataProvider.get()) { $1 } }
    if let own = event.metadata { members.merge(own) { $1 } }
    if let error = event.error { members["error"] = "\(error)" }
    let line = LogLine(
      time: now(), level: event.level, message: event.message.description, members: members.sorted { $0.key < $1.key })
    if let write { return write(text(line)) }
    LogOutput.standardError.write(text(line)) { lost in
      text(
        LogLine(
          time: line.time, level: .warning, message: "lines of the log were lost",
          members: [("lines", .stringConvertible(lost))]))
    }
  }

  private func text(_ line: LogLine) -> String {
    switch format {
    case .text: line.text
    case .json: line.json
    }
  }
}
