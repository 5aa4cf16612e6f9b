// SPDX-License-Identifier: MIT
import Storing

/// The requests of one session that wait for commands. A value.
struct CommandWaits {
  private var waits: [CommandWait] = []

  var isEmpty: Bool { waits.isEmpty }
  /// The number of readers that get an answer when their commands are over.
  var readerCount: Int { waits.reduce(0) { $0 + $1.readers.count } }

  mutating func add(_ wait: CommandWait) { waits.append(wait) }

  /// Has a reader wait for the answer of the first request with its key.
  ///
  /// - Returns: whether that request waits.
  mutating func join(_ reader: CommandWait.Reader, _ key: KeyedRequest) -> Bool {
    guard let index = waits.firstIndex(where: { $0.key == key }) else { return false }
    waits[index].readers.append(reader)
    return true
  }

  /// The request that waits for a run, if it has a reader.
  func request(waitingFor run: UInt64) -> ChangeRequest? {
    waits.first { $0.allRuns.contains(run) && !$0.readers.isEmpty }?.request
  }

  /// The path of the command whose result a run brings to an answer; `nil` if no answer has it.
  func path(ofResultOf run: UInt64) -> [String]? {
    waits.lazy.flatMap(\.results.parts).first { $0.run == run }?.path
  }

  /// Notes that a run is over.
  ///
  /// - Parameters:
  ///   - result: the JSON of its result; `nil` if it has none.
  ///   - fault: the fault of a run that has not succeeded.
  mutating func noteEnd(of run: UInt64, result: [UInt8]?, fault: CommandFault? = nil) {
    for index in waits.indices where waits[index].runs.remove(run) != nil {
      if let fault { waits[index].faults.append(fault) }
      guard let result else { continue }
      for part in waits[index].results.parts.indices where waits[index].results.parts[part].run == run {
        waits[index].results.parts[part].result = result
      }
    }
  }

  /// Has the answer to a request that waits send its client to another page.
  ///
  /// - Returns: whether that request waits.
  mutating func send(_ request: ChangeRequest, to location: String) -> Bool {
    guard let index = waits.firstIndex(where: { $0.request === request }) else { return false }
    waits[index].results.location = location
    return true
  }

  /// Takes out the waits whose commands are over, in the order in which they began.
  mutating func removeOver() -> [CommandWait] {
    guard waits.contains(where: { $0.runs.isEmpty }) else { return [] }
    defer { waits.removeAll { $0.runs.isEmpty } }
    return waits.filter { $0.runs.isEmpty }
  }

  /// Takes out the wait of a request; `nil` if it is over.
  mutating func remove(_ request: ChangeRequest) -> CommandWait? { index(of: request).map { waits.remove(at: $0) } }

  /// Forgets the reader of a request. A request with a key is answered when the commands are over, even without a
  /// reader; that takes no longer than commands may take.
  mutating func removeReader(of request: ChangeRequest) {
    guard let index = index(of: request) else { return }
    waits[index].readers.removeAll { $0.request === request }
    if waits[index].isForgotten { waits.remove(at: index) }
  }

  /// Takes out the readers that come with a client's credential.
  ///
  /// - Parameters:
  ///   - client: the client; `nil` for all.
  ///   - kept: a request that goes on waiting.
  mutating func removeReaders(of client: Credential?, but kept: ChangeRequest?) -> [CommandWait.Reader] {
    removeReaders(but: kept) { client == nil || $0.client == client }
  }

  /// Takes out the readers of certain clients.
  ///
  /// - Parameter kept: a request that goes on waiting.
  mutating func removeReaders(
    but kept: ChangeRequest? = nil, of isTheirs: (Requester) -> Bool
  ) -> [CommandWait.Reader] {
    let isRemoved: (CommandWait.Reader) -> Bool = { $0.request.requester.map(isTheirs) ?? false }
    var removed: [CommandWait.Reader] = []
    for index in waits.indices where waits[index].request !== kept {
      removed += waits[index].readers.filter(isRemoved)
      waits[index].readers.removeAll(where: isRemoved)
    }
    waits.removeAll(where: \.isForgotten)
    return removed
  }

  /// Takes out all waits.
  ///
  /// - Returns: their readers.
  mutating func removeAll() -> [CommandWait.Reader] {
    defer { waits = [] }
    return waits.flatMap(\.readers)
  }

  private func index(of request: ChangeRequest) -> Int? {
    waits.firstIndex { $0.readers.contains { $0.request === request } }
  }
}

/// A request whose commands are waited for, together with the same request where it was sent again meanwhile.
struct CommandWait {
  typealias Reader = (request: ChangeRequest, answer: ChangeRequest.Answer)

  /// The request that came first.
  let request: ChangeRequest
  /// The readers that get the answer. A request with a key is answered even if all of them have gone, since its
  /// client may come again.
  var readers: [Reader]
  let key: KeyedRequest?
  let since: Version
  var results: ActionResults
  /// The runs that are not over.
  var runs: Set<UInt64>
  /// All runs that are waited for, including those that are over.
  let allRuns: Set<UInt64>
  /// The faults of the runs that are over and have not succeeded.
  var faults: [CommandFault] = []

  init(_ reader: Reader, key: KeyedRequest?, since: Version, _ results: ActionResults, for runs: Set<UInt64>) {
    (request, readers, self.key, self.since, self.results) = (reader.request, [reader], key, since, results)
    (self.runs, allRuns) = (runs, runs)
  }

  /// The error that answers the request at a version; `nil` if it asked for none, or if its commands have succeeded.
  func failure(at version: Version) -> CommandsFailed? {
    request.isStrict ? CommandsFailed(faults + runs.map { _ in .atWork }, at: version) : nil
  }

  /// Whether nobody is to get the answer, now or later.
  var isForgotten: Bool { readers.isEmpty && key == nil }
}
