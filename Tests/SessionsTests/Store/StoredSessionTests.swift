// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import StoreRules
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `A stored session` {
  private let store = HeldStore()
  private let memory = MemorySessions()

  /// The next process, on the same store.
  private func next() throws -> StoredHost { try StoredHost(MemorySessions(sharing: memory)) }

  @Test func `answers nobody before the values that it shows are stored`() async throws {
    let stored = try StoredHost(store)
    let told = Locked<[String]>([])
    let note: @Sendable (String) -> Void = { text in told.withLock { $0.append(text) } }

    let session = try stored.host.open("note", as: nil).session
    #expect(session.enter { $0.opened(url: "/") }.held != nil)
    session.whenStored { note("opened \($0 == nil)") }
    #expect(told.withLock { $0 } == [])
    try await store.letThrough(lastOf: session)
    #expect(told.withLock { $0 } == ["opened true"])

    // A request that only reads has nothing to wait for.
    let first = try session.now { $0.version }
    #expect(session.enter { $0.version }.isDone)
    let entrance = session.enter { $0.poll(.poll(since: first)) { note(text($0)) } == nil }
    #expect(entrance.result == true, "a poll without news waits")
    #expect(session.enter { try? $0.rename("new") }.held != nil)
    // This reader sees a change that is not stored yet, so it has to wait.
    #expect(session.enter { try? $0.title }.held == "new")
    session.whenStored { note("read \($0 == nil)") }
    #expect(told.withLock { $0 } == ["opened true"])
    try await store.letThrough(lastOf: session)
    #expect(told.withLock { $0 } == ["opened true", "changed to 2", "read true"])
  }

  @Test func `is as it was stored last where there is no room, and nothing was applied`() async throws {
    let stored = try StoredHost(store)
    let opened = try await store.open(in: stored)
    try opened.session.now { try $0.rename("kept") }
    try await store.letThrough(lastOf: opened.session)

    let answers = Answers()
    let version = try opened.session.now { $0.version }
    _ = try opened.session.now { $0.poll(since: version, waiter: answers.waiter(1)) }
    try opened.session.now { try $0.rename("lost") }
    let (changes, answer) = try await store.next()
    let (failures, failure) = AsyncStream<SessionError?>.makeStream()
    opened.session.whenStored { failure.yield($0) }
    answer(changes.map { _ in .refused(StoreError(.full, "no room")) })
    let error = try #require(await opened.session.stored())
    let told = try #require(await failures.first { _ in true } ?? nil)
    #expect([error.name, told.name] == ["storeFull", "storeFull"] && "\(error)" == "\(told)")
    #expect(answers.all == ["1 failed: \(error)"])
    // Readers are told when the host lets go of the copy, so the next request finds the stored session.
    let again = try await stored.living(opened.session.id, as: opened.newKey)
    #expect(again !== opened.session)
    #expect(try again.now { try $0.title } == "kept")
    #expect(try again.now { $0.facts.epoch } != version.epoch)
  }

  @Test func `lives on in another process, with its client, in an epoch of its own`() async throws {
    let first = try StoredHost(memory)
    let request = try self.key("open-1")
    let opened = try await first.open()
    let (id, key) = (opened.session.id, try #require(opened.newKey))
    let other = try first.host.open("note", as: opened.credential, request).session
    other.enter { $0.version }
    try opened.session.now { try $0.rename("kept") }
    let version = try opened.session.now { $0.version }
    for session in [opened.session, other] { #expect(await session.stored() == nil) }

    let second = try next()
    #expect(second.host.count == 0)
    let again = try await second.living(id, as: key)
    #expect(try again.now { try $0.title } == "kept")
    #expect(try again.now { $0.version.epoch } != version.epoch)
    // A reader with a version of the first process gets the whole state.
    let frame = try again.now { $0.frame(since: version) }
    #expect(try frame.value["state"]?["title"] == "kept")
    // Another client's key finds no session, and neither does a wrong id.
    #expect(try await second.find(id, as: "another").text == "none")
    #expect(try await second.find(String(repeating: "A", count: 22), as: key).text == "none")

    // The store knows the client, and the session that the client's request has opened.
    let third = try next()
    #expect(throws: SessionsToFetch.self) { _ = try third.host.open("note", as: opened.credential, request) }
    #expect(await third.fetch(.clients([try #require(opened.credential)])) == nil)
    do {
      _ = try third.host.open("note", as: opened.credential, request, hasFetched: true)
      Issue.record("a request that opened a session has opened another")
    } catch let SessionsToFetch.session(id, _) { #expect(id == other.id) }
  }

  @Test func `is of the process that claimed it last, and the other lets go of it`() async throws {
    let first = try StoredHost(memory)
    let opened = try await first.open()
    let moved = try await next().living(opened.session.id, as: opened.newKey)
    try opened.session.now { try $0.rename("of the first") }
    #expect(await opened.session.stored()?.name == "storeUnavailable", "another owner's change has replaced it")
    await first.host.drained()
    try moved.now { try $0.rename("of the second") }
    #expect(await moved.stored() == nil)
    // A client that comes to the first process again takes the session back there.
    let back = try await first.living(opened.session.id, as: opened.newKey)
    #expect(try back.now { try $0.title } == "of the second")
  }

  @Test func `is known as closed when that is stored, and in another process too`() async throws {
    let first = try StoredHost(memory)
    let opened = try await first.open()
    first.host.close(opened.session)
    #expect(await opened.session.stored() == nil)
    #expect(try await first.find(opened.session.id, as: opened.newKey).closing == .byClient(nil))
    let request = try key("close")
    let other = try await first.open()
    other.session.enter { $0.close(.byClient(request)) }
    #expect(await other.session.stored() == nil)
    let second = try next()
    #expect(try await second.find(other.session.id, as: other.newKey).closing == .byClient(request))
    #expect(try await second.find(other.session.id, as: "another").text == "none")
  }

  @Test func `is not opened anew after a restart by the request that opened it, once it was closed`() async throws {
    let first = try StoredHost(memory)
    let client = try await first.open()
    let session = try first.host.open("note", as: client.credential, key("open-1")).session
    session.enter { $0.close(.byClient(nil)) }
    #expect(await session.stored() == nil)
    let again = try next()
    let refusal = await #expect(throws: SessionError.self) {
      try await again.opening(as: client.newKey, key("open-1"))
    }
    #expect(refusal.map { "\($0)" } == "\(SessionError.closed)")
  }

  @Test func `is in no store, and waits for none, if its view model is to be in memory alone`() async throws {
    let stored = try StoredHost(store, types: [.hosting(durability: .memory) { Note() }])
    let session = try stored.host.open("note", as: nil).session
    #expect(session.enter { try? $0.rename("x") }.isDone)
    #expect(store.memory.count() == StoreCount())
  }

  @Test func `is opened anew by the request for which the store had no room, when that comes again`() async throws {
    let stored = try StoredHost(store)
    let client = try await store.open(in: stored)
    let refused = try stored.host.open("note", as: client.credential, key("a")).session
    refused.enter { $0.version }
    try await store.next().answer([.refused(StoreError(.full, "it is full"))])
    #expect(await refused.stored()?.name == "storeFull")
    #expect(try await stored.opening(as: client.newKey, key("a")).session.id != refused.id)
  }

  private func key(_ text: String) throws -> KeyedRequest {
    KeyedRequest(
      key: try #require(IdempotencyKey(text)),
      digest: Digest(method: "POST", path: ["rename"], body: Array("1".utf8), key: nil))
  }

  /// Sends a request; `nil` if it is refused. A refusal is kept as its text, with the version that it names.
  private func send(
    _ change: Change, _ key: KeyedRequest, since: Version? = nil, ifMatch: Precondition? = nil, to session: Session
  ) throws -> ChangeRequest.Outcome? {
    try session.now { session in
      let request = ChangeRequest(
        .success(.changes([change], isList: false, since: since, ifMatch: ifMatch)), key: key
      ) { error in
        let version: Version? = if case SessionError.versionMoved(let version) = error { version } else { nil }
        return .init(
          error,
          kept: .other(form: 412, body: Array("\(error)".utf8), version: version ?? Version(epoch: "old", revision: 1)))
      }
      return try? session.once(request) { _ in }
    }
  }

  /// With the old frame, a client that already follows the new epoch would go back (PROTOCOL §4).
  @Test func `answers a request of another life again, with a frame of this one`() async throws {
    let opened = try await StoredHost(memory).open()
    let (done, refused) = (try key("a"), try key("b"))
    let message = try #require(try send(.perform(["rename"], "x"), done, to: opened.session)?.frame)
    #expect(try send(.perform(["rename"], "x"), done, to: opened.session)?.again == .frame(message))
    #expect(try send(.perform(["nothing"]), refused, to: opened.session) == nil)
    let kept = try #require(try send(.perform(["nothing"]), refused, to: opened.session)?.again)
    #expect(await opened.session.stored() == nil)

    let again = try await next().living(opened.session.id, as: opened.newKey)
    let start = try again.now { $0.version }
    try again.now { try $0.rename("later") }
    let version = try again.now { $0.version }
    for since in [nil, message.version, start] {
      let answer = try send(.perform(["rename"], "x"), done, since: since, to: again)?.again
      let frame = try #require(answer?.frame)
      let value = try frame.value
      #expect(frame.version == version && value["result"] == .null)
      #expect(value["from"] == (since.map { .string($0.description) } ?? .null))
      // The client that follows this life gets a patch.
      #expect(value["state"]?["title"] == (since == start ? nil : "later"))
      #expect((value["patch"] != nil) == (since == start))
    }
    // The refusal is the same, with the present version beside it.
    let refusal = try send(.perform(["nothing"]), refused, to: again)?.again
    #expect(refusal?.text == kept.text && kept.text != nil && refusal?.version == version)
    #expect(try again.now { try $0.title } == "later")
  }

  @Test func `names no version of another life in a refusal of that life, which it tells again`() async throws {
    let opened = try await StoredHost(memory).open()
    let old = try opened.session.now { $0.version }
    try opened.session.now { try $0.rename("another") }
    let key = try key("a")
    /// The kept text of the refusal, and the version beside it.
    func refusal(in session: Session) throws -> (text: String, version: Version?)? {
      let kept = try send(.perform(["rename"], "x"), key, ifMatch: .versions([old]), to: session)?.again
      return kept?.text.map { ($0, kept?.version) }
    }
    #expect(try refusal(in: opened.session) == nil, "the first time it is no answer again")
    let refused = try #require(try refusal(in: opened.session))
    #expect(refused.version?.epoch == old.epoch)
    #expect(await opened.session.stored() == nil)
    let again = try await next().living(opened.session.id, as: opened.newKey)
    let answer = try #require(try refusal(in: again))
    #expect(answer.text == refused.text && !answer.text.contains(old.epoch))
    #expect(answer.version == (try again.now { $0.version }))
  }

  /// A session that has not settled in yet: settling in is a turn like any other.
  private func made(
    _ id: String, of owner: Credential, _ claim: SessionClaim, isNew: Bool, in stored: StoredHost
  ) throws -> Session {
    Session(
      SessionFacts(id: id, modelName: "note", owner: owner, opening: nil, epoch: "again", hasContext: false),
      model: try HostedModelType.hosting { Note() }.make(for: "a session"), services: stored.host.services,
      counts: try #require(stored.host.types["note"]).counts,
      keeping: Session.Keeping(try #require(stored.host.keeper), claim, .relaxed, schema: 1, isNew: isNew),
      nextCheck: stored.clock.now)
  }

  @Test func `stores from its first turn on after it was read`() async throws {
    let stored = try StoredHost(store)
    let opened = try await store.open(in: stored).session
    let claim = try #require(opened.keeping).claim
    let session = try made(opened.id, of: opened.owner, claim, isNew: false, in: stored)
    #expect(session.enter { try? $0.rename("x") }.held != nil, "an action is told that is not stored")
    try await store.letThrough(lastOf: session)
  }

  @Test func `stores a turn to its end, though a job of that turn was the last to hold the session`() async throws {
    let stored = try StoredHost(store)
    let claim = SessionClaim(boot: 1, number: 1)
    let last = Locked<Session?>(try made("last", of: Credential(hashing: "x"), claim, isNew: true, in: stored))
    let executor = try #require(last.withLock { $0 }).executor
    let (answers, answer) = AsyncStream.makeStream(of: String.self)
    executor.submit {
      // The job that is submitted here runs later in this turn. Nothing else holds the session then.
      last.withLock { $0 }?.submit({ (try? $0.rename("kept")) != nil }) { answer.yield("\($0)") }
      last.withLock { $0 = nil }
    }
    try await store.letThrough()
    #expect(await answers.first { _ in true } == "success(true)")
    #expect(store.memory.count() == StoreCount(living: 1))
  }
}

extension ChangeRequest.Outcome {
  fileprivate var frame: Message? { if case .frame(let message) = self { message } else { nil } }
  fileprivate var again: KeptAnswer? { if case .again(let answer) = self { answer } else { nil } }
}

extension KeptAnswer {
  fileprivate var frame: Message? { if case .frame(let message) = self { message } else { nil } }
  /// The form and the text of another answer.
  fileprivate var text: String? {
    if case .other(let form, let body, _) = self { "\(form) \(String(decoding: body, as: UTF8.self))" } else { nil }
  }
}
