// SPDX-License-Identifier: MIT

/// The tries to log in that failed, by name, by client and by network, and how long the next one has to wait.
///
/// Four tries may fail, or twenty of a network, which many people may share. From the next on there is a wait after
/// each: a second at first, then twice as long each time, up to a minute. A quarter of an hour without a try forgets
/// them. A client that has logged in with the name before waits for its own failures alone: others cannot keep it out.
struct LoginAttempts {
  static let free = 4
  static let freeOfNetwork = 20
  static let longestWait = Duration.seconds(60)
  static let memory = Duration.seconds(900)
  /// The most names, clients and networks that are remembered. With one more, the half that was longest without a try
  /// is forgotten.
  static let most = 10_000

  private enum Subject: Hashable {
    case name(String)
    case client(String)
    case network(String)

    var free: Int { if case .network = self { LoginAttempts.freeOfNetwork } else { LoginAttempts.free } }
  }

  private struct Failures {
    var count = 0
    var last: ContinuousClock.Instant
    var freeFrom: ContinuousClock.Instant
  }

  private var failures: [Subject: Failures] = [:]

  /// The number of names, clients and networks that are remembered.
  var count: Int { failures.count }

  /// Counts a try, as a failed one until `succeed` says otherwise. So no more tries are let through when many come at
  /// once.
  ///
  /// - Parameter isKnown: whether the client has logged in with this name before.
  /// - Throws: ``LoginRefusal/tooManyTries(seconds:)`` for one that comes too early, which is not counted.
  mutating func begin(
    _ name: String, from client: String, in network: String = "", isKnown: Bool = false, at now: ContinuousClock.Instant
  ) throws(LoginRefusal) {
    let subjects = Self.subjects(name, client, network)
    for subject in subjects {
      if let failed = failures[subject], now - failed.last >= Self.memory { failures[subject] = nil }
    }
    let waited = isKnown ? [.client(client)] : subjects
    let wait = waited.compactMap { failures[$0]?.freeFrom }.max().map { $0 - now } ?? .zero
    if wait > .zero { throw .tooManyTries(seconds: Int((wait / .seconds(1)).rounded(.up))) }
    for subject in subjects {
      var failed = failures[subject] ?? Failures(last: now, freeFrom: now)
      failed.count += 1
      failed.last = now
      failed.freeFrom = now + Self.wait(after: failed.count, free: subject.free)
      failures[subject] = failed
    }
    if failures.count > Self.most {
      let latest = failures.sorted { $0.value.last > $1.value.last }.prefix(Self.most / 2)
      failures = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
    }
  }

  /// Takes back the count of `begin`. The name's failures are forgotten, as its owner has come; those of the client
  /// and of the network are not. An attacker may have a name of its own to log in with between its tries at others.
  mutating func succeed(_ name: String, from client: String, in network: String = "") {
    takeBack(name, from: client, in: network)
    failures[.name(name)] = nil
  }

  /// Takes back the count of `begin`, for a try that came to nothing by no fault of the client's.
  mutating func takeBack(_ name: String, from client: String, in network: String = "") {
    for subject in Self.subjects(name, client, network) {
      guard var failed = failures[subject] else { continue }
      failed.count -= 1
      failed.freeFrom = failed.last
      failures[subject] = failed.count > 0 ? failed : nil
    }
  }

  private static func subjects(_ name: String, _ client: String, _ network: String) -> [Subject] {
    [.name(name), .client(client)] + (network.isEmpty ? [] : [.network(network)])
  }

  private static func wait(after count: Int, free: Int) -> Duration {
    count <= free ? .zero : min(.seconds(1 << min(count - free - 1, 16)), longestWait)
  }
}
