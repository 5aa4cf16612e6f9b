// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing
import ViewModels

@testable import Sessions

@Suite(.timeLimit(.minutes(5)))
struct StoredSessionTests {
  private let store = HeldStore()

  /// Lets the next batch into the store.
  private func letThrough(
    _ batches: inout AsyncStream<(changes: [StoreChange], answer: HeldStore.Answer)>.Iterator
  ) async {
    guard let (changes, answer) = await batches.next() else { return }
    store.memory.commit(changes, survivesPowerCut: false, then: answer)
  }

  @Test func `nothing leaves before what it shows is stored, whoever asks`() async throws {
    let stored = try StoredHost(store)
    var batches = store.commits.stream.makeAsyncIterator()
    let told = Locked<[String]>([])
    let note: @Sendable (String) -> Void = { text in told.withLock { $0.append(text) } }

    let opened = try stored.host.open("note", as: nil)
    let session = opened.session
    guard case .held = session.enter({ $0.opened(url: "/") }) else {
      Issue.record("the answer to opening does not wait")
      return
    }
    session.whenStored { note("opened \($0 == nil)") }
    #expect(told.withLock { $0 } == [])
    await letThrough(&batches)
    #expect(await session.stored() == nil)
    #expect(told.withLock { $0 } == ["opened true"])

    // A request that only reads has nothing to wait for.
    let first = try session.now { $0.version }
    guard case .done = session.enter({ $0.version }) else {
      Issue.record("reading waits, though all is stored")
      return
    }
    let polled = session.enter { $0.poll(.poll(since: first)) { note(text($0)) } }
    guard case .done(nil) = polled else {
      Issue.record("a poll without news is answered")
      return
    }
    guard case .held = session.enter({ try? $0.rename("new") }) else {
      Issue.record("an action is told before it is stored")
      return
    }
    // This reader sees a change that is not stored yet, so it has to wait.
    guard case .held(let seen) = session.enter({ try? $0.title }) else {
      Issue.record("a value is told before it is stored")
      return
    }
    #expect(seen == "new")
    session.whenStored { note("read \($0 == nil)") }
    #expect(told.withLock { $0 } == ["opened true"])
    await letThrough(&batches)
    #expect(await session.stored() == nil)
    #expect(told.withLock { $0 } == ["opened true", "changed to 2", "read true"])
  }

  @Test func `where there is no room, nothing was applied, and the session is as it was stored last`() async throws {
    let stored = try StoredHost(store)
    var batches = store.commits.stream.makeAsyncIterator()
    let opened = try stored.host.open("note", as: nil)
    _ = opened.session.enter { $0.version }
    await letThrough(&batches)
    #expect(await opened.session.stored() == nil)
    _ = try opened.session.now { try $0.rename("kept") }
    await letThrough(&batches)
    #expect(await opened.session.stored() == nil)

    let answers = Answers()
    let version = try opened.session.now { $0.version }
    _ = try opened.session.now { $0.poll(since: version, waiter: answers.waiter(1)) }
    _ = try opened.session.now { try $0.rename("lost") }
    let full = StoreError(.full, "no room")
    let (changes, answer) = try #require(await batches.next())
    let failures = AsyncStream<SessionError?>.makeStream()
    opened.session.whenStored { failures.continuation.yield($0) }
    answer(changes.map { _ in .refused(full) })
    guard case .storeFull(let reason)? = await opened.session.stored() else {
      Issue.record("an action is told that was not stored")
      return
    }
    var told = failures.stream.makeAsyncIterator()
    let failure = await told.next()
    guard case .storeFull(reason)? = failure else {
      Issue.record("told \(String(describing: failure))")
      return
    }
    #expect(answers.all == ["1 failed: \(reason)"])
    // Readers are told when the host lets go of the copy, so the next request finds the stored session.
    let again = try await stored.living(opened.session.id, as: opened.newKey)
    #expect(again !== opened.session)
    #expect(try again.now { try $0.title } == "kept")
    #expect(try again.now { $0.epoch } != version.epoch)
  }

  @Test func `a session lives on in another process, with its client, its version's epoch its own`() async throws {
    let memory = MemorySessions()
    let first = try StoredHost(memory)
    let request = KeyedRequest(
      key: try #require(IdempotencyKey("open-1")), digest: Digest(method: "POST", path: [], body: [], key: nil))
    let opened = try await first.open()
    let key = try #require(opened.newKey)
    let other = try first.host.open("note", as: Credential(hashing: key), request).session
    _ = other.enter { $0.version }
    _ = try opened.session.now { try $0.rename("kept") }
    let version = try opened.session.now { $0.version }
    #expect(await opened.session.stored() == nil)
    #expect(await other.stored() == nil)

    let second = try StoredHost(MemorySessions(sharing: memory))
    #expect(second.host.count == 0)
    let again = try await second.living(opened.session.id, as: key)
    #expect(try again.now { try $0.title } == "kept")
    #expect(try again.now { $0.version.epoch } != version.epoch)
    // A reader with a version of the first process gets the whole state.
    let frame = try again.now { session in
      guard case .changed(let message) = session.poll(since: version) else { throw SessionError.closed }
      return message
    }
    #expect(try frame.value["state"]?["title"] == "kept")
    // Another client's key finds no session, and neither does a wrong id.
    if case .none = try await second.find(opened.session.id, as: "another") {} else { Issue.record("found by anybody") }
    if case .none = try await second.find(String(repeating: "A", count: 22), as: key) {
    } else {
      Issue.record("found by any name")
    }

    // The store knows the client, and the session that the client's request has opened.
    #expect(throws: SessionsToFetch.self) {
      _ = try StoredHost(MemorySessions(sharing: memory)).host.open("note", as: Credential(hashing: key), request)
    }
    let third = try StoredHost(MemorySessions(sharing: memory))
    let credential = Credential(hashing: key)
    #expect(
      await withCheckedContinuation { done in
        third.host.fetch(.clients([credential])) { done.resume(returning: $0.failure == nil) }
      })
    do {
      _ = try third.host.open("note", as: credential, request, hasFetched: true)
      Issue.record("a request that opened a session has opened another")
    } catch let SessionsToFetch.session(id, _) { #expect(id == other.id) }
  }

  @Test func `the one that claimed last has the session, and the other lets go of it`() async throws {
    let memory = MemorySessions()
    let first = try StoredHost(memory)
    let opened = try await first.open()
    let second = try StoredHost(MemorySessions(sharing: memory))
    let moved = try await second.living(opened.session.id, as: opened.newKey)
    _ = try opened.session.now { try $0.rename("of the first") }
    guard case .storeUnavailable? = await opened.session.stored() else {
      Issue.record("a change is told that another owner's has replaced")
      return
    }
    await first.host.drained()
    _ = try moved.now { try $0.rename("of the second") }
    #expect(await moved.stored() == nil)
    // A client that comes to the first process again takes the session back there.
    let back = try await first.living(opened.session.id, as: opened.newKey)
    #expect(try back.now { try $0.title } == "of the second")
  }

  @Test func `that a session is closed is known when it is stored, and in another process too`() async throws {
    let memory = MemorySessions()
    let first = try StoredHost(memory)
    let opened = try await first.open()
    let request = KeyedRequest(
      key: try #require(IdempotencyKey("close")), digest: Digest(method: "DELETE", path: [], body: [], key: nil))
    first.host.close(opened.session)
    #expect(await opened.session.stored() == nil)
    if case .closed(.byClient(nil)) = try await first.find(opened.session.id, as: opened.newKey) {
    } else {
      Issue.record("a session that was closed is found")
    }
    let other = try await first.open()
    _ = other.session.enter { $0.close(.byClient(request)) }
    #expect(await other.session.stored() == nil)
    let second = try StoredHost(MemorySessions(sharing: memory))
    if case .closed(.byClient(request)) = try await second.find(other.session.id, as: other.newKey) {
    } else {
      Issue.record("another process does not know by which request a session was closed")
    }
    if case .none = try await second.find(other.session.id, as: "another") {} else { Issue.record("found by anybody") }
  }

  @Test func `a view model that is to be kept in memory alone is in no store, and does not wait for one`() async throws
  {
    let stored = try StoredHost(store, types: [.hosting(durability: .memory) { Note() }])
    let opened = try stored.host.open("note", as: nil)
    if case .done = opened.session.enter({ try? $0.rename("x") }) {} else { Issue.record("it waits for the store") }
    #expect(store.memory.count() == StoreCount())
  }

  /// With the old frame, a client that already follows the new epoch would go back (PROTOCOL §4).
  @Test func `a request that was decided in another life keeps its answer, with a frame of this one`() async throws {
    let memory = MemorySessions()
    let first = try StoredHost(memory)
    let opened = try await first.open()
    let digest = Digest(method: "POST", path: ["rename"], body: Array("1".utf8), key: nil)
    let (done, refused) = (
      KeyedRequest(key: try #require(IdempotencyKey("a")), digest: digest),
      KeyedRequest(key: try #require(IdempotencyKey("b")), digest: digest)
    )
    let old = try opened.session.now { $0.version }
    /// Sends a request; `nil` if it is refused.
    func send(_ change: Change, _ key: KeyedRequest, since: Version? = nil, to session: Session) throws
      -> ChangeRequest.Outcome?
    {
      let told = Locked<ChangeRequest.Outcome?>(nil)
      let request = ChangeRequest(
        .success(.changes([change], isList: false, since: since, ifMatch: nil)), key: key,
        refusal: {
          ChangeRequest.Refusal($0, kept: .other(form: 412, body: Array("{}".utf8), version: old))
        })
      try session.now { session in
        let outcome = try? session.once(request) { _ in }
        told.withLock { $0 = outcome }
      }
      return told.withLock { $0 }
    }
    guard case .frame(let message) = try send(.perform(["rename"], "x"), done, to: opened.session) else {
      Issue.record("not applied")
      return
    }
    guard case .again(.frame(message)) = try send(.perform(["rename"], "x"), done, to: opened.session) else {
      Issue.record("the answer of this life is not the answer")
      return
    }
    #expect(try send(.perform(["nothing"]), refused, to: opened.session) == nil)
    #expect(await opened.session.stored() == nil)

    let second = try StoredHost(MemorySessions(sharing: memory))
    let again = try await second.living(opened.session.id, as: opened.newKey)
    let start = try again.now { $0.version }
    _ = try again.now { try $0.rename("later") }
    let version = try again.now { $0.version }
    for since in [nil, message.version] {
      guard case .again(.frame(let frame))? = try send(.perform(["rename"], "x"), done, since: since, to: again) else {
        Issue.record("not answered again")
        return
      }
      #expect(frame.version == version)
      #expect(try frame.value["from"] == (since.map { .string($0.description) } ?? .null))
      #expect(try frame.value["state"]?["title"] == "later")
      #expect(try frame.value["result"] == .null)
    }
    guard case .again(.frame(let patch))? = try send(.perform(["rename"], "x"), done, since: start, to: again) else {
      Issue.record("not answered again")
      return
    }
    #expect(try patch.value["from"] == .string(start.description))
    #expect(try patch.value["patch"] != nil && patch.value["state"] == nil)
    // The refusal is the same, with the present version beside it.
    let refusal = try send(.perform(["nothing"]), refused, to: again)
    guard case .again(.other(form: 412, body: Array("{}".utf8), version: version))? = refusal else {
      Issue.record("refused with \(String(describing: refusal))")
      return
    }
    #expect(try again.now { try $0.title } == "later")
  }

  @Test func `a refusal for another version, told again in another life, names none of the life before`() async throws {
    let memory = MemorySessions()
    let first = try StoredHost(memory)
    let opened = try await first.open()
    let old = try opened.session.now { $0.version }
    _ = try opened.session.now { try $0.rename("another") }
    let key = KeyedRequest(
      key: try #require(IdempotencyKey("a")),
      digest: Digest(method: "POST", path: ["rename"], body: Array("1".utf8), key: nil))
    /// The kept text of the refusal, and the version beside it.
    func refusal(in session: Session) throws -> (text: String, version: Version?) {
      let told = Locked<(String, Version?)>(("", nil))
      let request = ChangeRequest(
        .success(
          .changes([.perform(["rename"], "x")], isList: false, since: nil, ifMatch: .versions([old]))), key: key,
        refusal: { error in
          guard case SessionError.versionMoved(let version) = error else { return .init(error, kept: nil) }
          let text = "\(error)"
          told.withLock { $0 = (text, version) }
          return .init(error, kept: .other(form: 412, body: Array(text.utf8), version: version))
        })
      try session.now { session in
        guard case .again(.other(_, let body, let version))? = try? session.once(request, { _ in }) else { return }
        told.withLock { $0 = (String(decoding: body, as: UTF8.self), version) }
      }
      return told.withLock { $0 }
    }
    let refused = try refusal(in: opened.session)
    #expect(refused.version?.epoch == old.epoch)
    #expect(await opened.session.stored() == nil)
    let again = try await StoredHost(MemorySessions(sharing: memory)).living(opened.session.id, as: opened.newKey)
    let answer = try refusal(in: again)
    #expect(answer.text == refused.text)
    #expect(!answer.text.contains(old.epoch))
    #expect(answer.version == (try again.now { $0.version }))
  }

  @Test func `a session that was read stores from its first turn on, whoever comes first`() async throws {
    let stored = try StoredHost(store)
    var batches = store.commits.stream.makeAsyncIterator()
    let opened = try stored.host.open("note", as: nil)
    _ = opened.session.enter { $0.version }
    await letThrough(&batches)
    #expect(await opened.session.stored() == nil)
    let keeper = try #require(stored.host.keeper)
    let counts = try #require(stored.host.types["note"]).counts
    // This session has not settled in yet: settling in is a turn like any other.
    let session = Session(
      id: opened.session.id, modelName: "note", owner: opened.session.owner, opening: nil, epoch: "again",
      model: try HostedModelType.hosting { Note() }.make(for: "a session"), services: stored.host.services,
      counts: counts,
      keeping: Session.Keeping(
        keeper, try #require(opened.session.keeping).claim, .relaxed, schema: 1, isNew: false),
      nextCheck: stored.clock.now)
    guard case .held = session.enter({ try? $0.rename("x") }) else {
      Issue.record("an action is told that is not stored")
      return
    }
    await letThrough(&batches)
    #expect(await session.stored() == nil)
  }
}
