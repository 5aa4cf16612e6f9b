// SPDX-License-Identifier: MIT
import Euripus

/// The recordings as one session has them: the library that its view models show, and the ways to change it.
///
/// The loop is the documents' (S3-16): an action saves to the store. Another library comes back, here and, told by the
/// store, in all other sessions. The values that the pages show follow from that.
final class Recordings {
  @Observed var library: Library
  /// Whether the last change was not even taken.
  @Observed var isBusy = false
  /// The trouble with the store, or with the last change.
  lazy var problem = Computed(self) { me -> String? in
    if me.isBusy { return RecordingsError.isBusy.detail }
    return (try me.save.error.get() as? any PresentableError ?? me.store.unusable)?.detail
  }
  lazy var save = Command(self, Recordings.apply, policy: .queue())
  private let store: RecordingStore
  private let follower: RecordingStore.Follower
  private let storeDidChange = Observer<Library>()

  struct Job {
    let change: RecordingStore.Change
    let orElse: () -> Void
  }

  init(_ store: RecordingStore) {
    self.store = store
    // Before the library is read, so that none is missed.
    follower = store.follow()
    library = store.library
    storeDidChange.handle(self) { me, library in me.take(library) }
    storeDidChange.follow(follower.libraries, name: "libraries")
  }

  private func apply(_ job: Job, _ run: CommandRun) async throws {
    do { take(try await store.apply(job.change, by: follower)) } catch {
      job.orElse()
      throw error
    }
    // It was cancelled or took too long, so this session has not taken its library; its change is done.
    if run.isCancelled { store.remind(follower) }
  }

  /// Replaces the library by a newer one. An older one may arrive later: the changes of other sessions come by
  /// another way than the changes of this one.
  private func take(_ new: Library) {
    if new.revision > library.revision { library = new }
  }

  /// Saves a change.
  ///
  /// - Parameter orElse: is done if it was not saved, and `owner` is still there.
  func save<Owner: AnyObject>(
    _ change: RecordingStore.Change, _ owner: Owner, orElse: @escaping (Owner) -> Void = { _ in }
  ) {
    let job = Job(change: change) { [weak owner] in if let owner { orElse(owner) } }
    isBusy = false
    if case .refused = save.execute(job, isolation: nil) {
      isBusy = true
      job.orElse()
    }
  }
}
