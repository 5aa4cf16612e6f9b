// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Storing
package import ViewModels

/// Reverse flow: each request is one transaction and one revision.
extension Session {
  /// Makes the changes of a request in the session's turn, and answers when the answer may leave.
  ///
  /// It runs on this thread if the turn is free and the actions have proved quick (``Pace``), and elsewhere
  /// otherwise.
  package nonisolated func apply(_ request: ChangeRequest, answer: @escaping ChangeRequest.Answer) {
    let waits = keeping?.databaseActions.areAmong(request.changes) == true
    let mayRepeat = waits && request.mayRepeat && keeping?.databaseActions.mayRepeat(request.changes) == true
    // However quick it has been: it waits for a disk, and for others.
    let lane = waits ? .slow : services.pace.lane(of: request.changes, on: modelName)
    executor.submit(lane) {
      self.assumeIsolated { session in
        session.turnWork.isProven = lane == .here
        session.database?.mayWait = waits
        session.database?.mayRepeat = mayRepeat
        if waits {
          // An earlier deed goes to the store by itself: it must not be undone with this request.
          session.catchUp()
          session.store()
        }
        defer {
          session.turnWork.isProven = false
          session.database?.mayWait = true
          session.database?.mayRepeat = false
        }
        session.begin(request, mayRepeat ? Self.repeating(answer) : answer)
      }
    }
  }

  /// The same answer, where another transaction of the database came first that to handle the request anew. All others who are
  /// told of that have asked for something else.
  private static func repeating(_ answer: @escaping ChangeRequest.Answer) -> ChangeRequest.Answer {
    { result in
      if case .failure(SessionError.conflict) = result { return answer(.failure(SessionError.left)) }
      answer(result)
    }
  }

  func begin(_ request: ChangeRequest, _ answer: @escaping ChangeRequest.Answer) {
    guard arrive(), request.requester?.isPresent ?? true, guests == nil || receives(request.requester) else {
      return executor.afterTurn { answer(.failure(SessionError.left)) }
    }
    // The client may have been told meanwhile that the session was busy for too long.
    guard request.take() else { return }
    // A transaction holds the database, and lasts no longer than it must.
    defer {
      if database?.isOpen == true {
        if turnWork.mayEnd { endIfWanted() }
        store()
      }
    }
    touch(services.now())
    show(to: request.requester)
    let result: Result<ChangeRequest.Outcome, any Error>
    do {
      guard let outcome = try once(request, answer) else { return }
      result = .success(outcome)
    } catch { result = .failure(error) }
    tell(result, with: takeGrant(for: request), to: answer)
  }

  /// - Returns: the outcome; `nil` if the answer waits for commands.
  func fulfil(_ request: ChangeRequest, _ answer: @escaping ChangeRequest.Answer) throws -> ChangeRequest.Outcome? {
    // A malformed request counts too, since its answer is remembered with its key.
    if request.key != nil, case .failure = request.wish {
      try admit([nil], by: use(of: request), beside: 0)
    }
    switch try request.wish.get() {
    case .changes(let changes, let isList, let since, let ifMatch, let values):
      do {
        return try make(
          changes, isList: isList, since: since, ifMatch: ifMatch, values: values, for: (request, answer)
        ).map { .frame($0) }
      } catch let failed as CommandsFailed { return .failed(request.refusal(failed)) }
    case .close(let ifMatch):
      try check(ifMatch)
      close(.byClient(request.key))
      return .closed
    }
  }

  /// Makes changes as one transaction and one revision. All of them are made, or none.
  ///
  /// - Parameters:
  ///   - isList: whether the frame has a list of results.
  ///   - values: the conditions on single values, as ``ChangeRequest/Wish`` has them.
  ///   - requester: the client that acts; `nil` for none in particular.
  ///   - isOfServer: whether the server makes them by itself, so that they count against no limit of a client.
  /// - Returns: the frame from `since`, or from the version before the changes.
  /// - Throws: ``SessionError``, `ChangesRefused`, or the error of the view model. Nothing was changed then.
  package func make(
    _ changes: [Change], isList: Bool = false, since: Version? = nil, ifMatch: Precondition? = nil,
    values: [Precondition.Tags?] = [], as requester: Requester? = nil, isOfServer: Bool = false
  ) throws -> Message {
    let acting = requester.map { ChangeRequest.unheard(from: $0) }
    guard
      let message = try make(
        changes, isList: isList, since: since, ifMatch: ifMatch, values: values, for: nil, acting,
        isOfServer: isOfServer)
    else {
      stopProgram(bug: "a change that nobody waits for was not answered")
    }
    return message
  }

  private func make(
    _ changes: [Change?], isList: Bool, since: Version?, ifMatch: Precondition?, values: [Precondition.Tags?],
    for reader: (request: ChangeRequest, answer: ChangeRequest.Answer)?, _ acting: ChangeRequest? = nil,
    isOfServer: Bool = false
  ) throws -> Message? {
    try checkLiving()
    let request = reader?.request ?? acting
    let use = use(of: request)
    let others = use.time.begin()
    defer { use.time.end() }
    if !isOfServer { try admit(changes, by: use, beside: others) }
    let whole = changes.compactMap(\.self)
    // `If-Match` comes before `If-None-Match` (RFC 9110 §13.2.2), also where it is about one value.
    if !values.isEmpty, whole.count == changes.count { try check(values, of: whole) }
    try check(ifMatch)
    turnWork.request = hasContext ? request : nil
    turnWork.destination = nil
    defer { (turnWork.request, turnWork.madeKey) = (nil, nil) }
    // In a room each member stands for what they do.
    let actor = isRoom ? request?.requester?.client.name : nil
    guard whole.count == changes.count else { throw ChangesRefused(refusals: faults(of: changes, whole, by: actor)) }
    let before = version
    var results = ActionResults(isList: isList, parts: [])
    results.answersAddress = whole.contains { $0.isOfAddress }
    results.isMinimal = request?.isMinimal == true
    let running: [UInt64]
    do {
      runs.beginChanges()
      defer { runs.endChanges() }
      let given = try transact(whole, by: actor)
      results.parts = whole.indices.map { index in
        if let result = given[index] { return ActionResults.Part(path: nil, result: result) }
        return part(whole[index], run: runs.firstRun(ofChange: index))
      }
      results.location = turnWork.destination
      running = runs.begunAndRunning
    }
    let faults = runs.faults
    guard let reader, reader.request.waitsForCommands || facts.awaitsCommands, !running.isEmpty else {
      let all = faults + running.map { _ in .atWork }
      if request?.isStrict == true, let failed = CommandsFailed(all, at: version) { throw failed }
      return frame(since: since ?? before, results)
    }
    let key = key(of: reader.request)
    var wait = CommandWait(reader, key: key, since: since ?? before, results, for: Set(running))
    wait.faults = faults
    commandWaits.add(wait)
    noteWhenStored(reader.request)
    if let key { rememberAtWork(key) }
    return nil
  }

  /// Has a request that waits for commands know when its changes are stored.
  func noteWhenStored(_ request: ChangeRequest) { tell { if $0 == nil { request.noteStored() } } }

  /// The origin of the change at work, or of the change that started the command at work; `nil` if there is none.
  var actionAtWork: ActionOrigin? {
    guard let change = runs.changeAtWork else { return runs.actionAtStep }
    let requester = turnWork.request?.requester
    let key = turnWork.request?.key?.key.description ?? turnWork.madeKey ?? services.randomness.word()
    turnWork.madeKey = key
    let client = requester?.found
    let actor = actor(client)
    return ActionOrigin(
      client: requester?.client.name ?? "", user: client?.user == nil ? nil : actor, as: actor,
      // No request has a key with a space in it.
      key: change == 0 ? key : "\(key) \(change)",
      networkHash: requester?.network.seededHash)
  }

  /// The result of a change, as far as it is known.
  ///
  /// - Parameter own: the first run that it began: a command's own run begins before the runs that it starts.
  private func part(_ change: Change, run own: UInt64?) -> ActionResults.Part {
    guard case .perform = change.verb else { return ActionResults.Part(path: nil) }
    if let own, runs.isRunning(own) { return ActionResults.Part(path: change.path, run: own) }
    return ActionResults.Part(path: change.path, result: result(at: change.path))
  }

  /// The refusals of changes of which some are malformed, so that none is made. Looking for faults in the
  /// others runs code of the view model too, as it finds conditions and rows.
  ///
  /// - Parameter whole: the changes that are not malformed.
  private func faults(
    of changes: [Change?], _ whole: [Change], by client: String?
  ) -> [(index: Int, error: SurfaceError)] {
    if whole.isEmpty { return [] }
    let outer = beginWork(on: whole)
    let faults = model.faults(of: changes, by: client)
    let time = endWork(outer)
    // A quick look for faults does not show how long the actions take.
    if time >= Pace.limit { services.pace.note(whole, on: modelName, took: time) }
    return faults
  }

  /// Begins code of the view model for some changes, until ``endWork(_:)``.
  ///
  /// - Returns: the code that it interrupts.
  private func beginWork(on changes: [Change]) -> PresentWork? {
    limitState()
    turnWork.isChanging = true
    return beginCode(TimedWork(Self.name(of: changes), by: .client(use(of: turnWork.request))), since: life.lastUsed)
  }

  private static func name(of changes: [Change]) -> String {
    changes.count == 1 ? changes[0].path.joined(separator: "/") : "\(changes.count) at once"
  }

  /// Ends that code. Its writes are published even if it threw: its undoing has written, and its notices outside the
  /// graph are there.
  ///
  /// - Returns: the time that it took, with the publishing.
  private func endWork(_ outer: PresentWork?) -> Duration {
    turnWork.isChanging = false
    publish()
    let time = endCode(outer)
    counts.actions.add(time / .seconds(1))
    return time
  }

  /// Runs the transaction of some changes.
  ///
  /// - Parameter client: the client that acts, if the session is not one client's.
  /// - Returns: the results that they have already, by their indices.
  private func transact(_ changes: [Change], by client: String?) throws -> [Int: [UInt8]] {
    let outer = beginWork(on: changes)
    let result = Result { try model.apply(changes, by: client) { _ in runs.changeBegins() } }
    let time = endWork(outer)
    let given: [Int: [UInt8]]
    do { given = try result.get() } catch {
      if let failure = database?.rollBack(), let told = SessionError(failure) {
        // The next commit tells what has become of the session.
        if failure.isOfSession { custody.isUnsaved = true }
        if failure.kind == .conflict, database?.mayRepeat == true { throw SessionError.left }
        services.report(.databaseFailed(Self.name(of: changes), model: modelName, reason: failure.description))
        throw told
      }
      // A quick refusal does not show how long the action takes, nor whether there is an action with this name.
      let hasFailed = (error as? ViewModelFailure).map { $0.refusal == nil } ?? false
      if hasFailed || time >= Pace.limit {
        services.pace.note(Array(changes.prefix(runs.changesBegun)), on: modelName, took: time)
      }
      if let shortage = account.shortage, case SurfaceError.stateTooLong(_, let limit) = error,
        limit < services.configuration.maxStateBytes
      {
        throw shortage
      }
      throw error
    }
    // A quick run of code that has proved quick tells nothing new.
    if !turnWork.isProven || time >= Pace.limit { services.pace.note(changes, on: modelName, took: time) }
    // The stored part may have changed even if the shown state has not.
    custody.isUnsaved = true
    return given
  }

  /// Refuses changes that set values which are other ones by now than their sender had seen.
  ///
  /// A value that the state does not show, such as that of a row outside of a window, has no version of its own: there
  /// the version of the whole state counts.
  ///
  /// - Parameter values: for each change, the versions of which it needs one.
  /// - Throws: ``SessionError/valuesChanged(_:at:)``.
  private func check(_ values: [Precondition.Tags?], of changes: [Change]) throws {
    let conflicts = zip(changes, values).enumerated().compactMap { index, pair -> ValueConflict? in
      let (change, tags) = pair
      guard case .versions(let seen)? = tags else { return nil }
      let lastChange = model.lastChange(at: change.path) ?? revision
      if seen.contains(where: { $0.epoch == epoch && $0.revision >= lastChange && $0.revision <= revision }) {
        return nil
      }
      return ValueConflict(
        index: index, name: change.path.joined(separator: "/"),
        present: try? value(change.path).map { try JSONReader.read($0.json) })
    }
    if !conflicts.isEmpty { throw SessionError.valuesChanged(conflicts, at: version) }
  }

  /// - Throws: ``SessionError``, if the session has ended or does not have the expected version.
  package func check(_ ifMatch: Precondition?) throws {
    try checkLiving()
    if let ifMatch, !ifMatch.isMet(by: version) { throw SessionError.versionMoved(version) }
  }
}
