// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import Testing

@testable import Demos

/// Each demo is the same after a restart, whatever a client did with it.
@Suite(.timeLimit(.minutes(30))) struct `A demo after a restart` {
  /// A wait that is soon over, on another thread. A test that does not wait for it finds the command at work.
  static let pause: @Sendable (Duration) async throws -> Void = { _ in
    await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
    try Task.checkCancellation()
  }

  @Test func `is the login that it was`() async throws {
    try await expectRestorable { LoginViewModel() }
  }

  @Test func `is the sign-up that it was`() async throws {
    try await expectRestorable { SignUpViewModel() }
  }

  @Test func `is the list of people that it was`() async throws {
    try await expectRestorable(texts: ["anna", "bert", "3", "4"]) {
      FollowViewModel(service: HeldFollowService(isPrompt: true))
    }
  }

  @Test func `is the page of modules that it was`() async throws {
    try await expectRestorable(texts: ["admin", "123456"]) { PageViewModel(sleep: Self.pause) }
  }

  @Test func `has the profiles and forms that it had`() async throws {
    try await expectRestorable(texts: ["1", "2", "3"]) { ProfileViewModel() }
  }

  @Test func `is the reference that it was`() async throws {
    try await expectRestorable { ReferenceViewModel(pause: Self.pause) }
  }

  @Test func `is the cookbook that it was`() async throws {
    try await expectRestorable { CookbookViewModel($0, pause: Self.pause) }
  }

  @Test func `shows the pages of recordings that it showed, with the typed texts`() async throws {
    let directory = TemporaryDirectory()
    try directory.write(
      """
      {"format":1,"next":5,"items":[{"id":"1","parent":"root","name":"Talks","length":null},\
      {"id":"2","parent":"1","name":"Monday","length":65.0},{"id":"3","parent":"1","name":"Old","length":null},\
      {"id":"4","parent":"3","name":"Friday","length":5.0}]}
      """)
    let store = directory.open()
    // All sessions share the library, so no session has stored it.
    try await expectRestorable(
      without: ["createFolder", "createRecording", "delete", "rename"], texts: ["1", "2", "3", "4"]
    ) { RecordingsViewModel(store: store) }
    withExtendedLifetime(directory) {}
  }

  @Test func `has the error of a save that was interrupted`() async throws {
    let directory = TemporaryDirectory()
    let store = directory.open()
    let json = #"{"save":{"executing":true},"isBusy":false}"#
    let model = try await LivingModel(
      .hosting(at: "/recordings") { RecordingsViewModel(store: store) }, stored: try JSONReader.read(Array(json.utf8)))
    #expect(await model.state["problem"] == .string(CommandInterrupted().detail))
    withExtendedLifetime(directory) {}
  }
}
