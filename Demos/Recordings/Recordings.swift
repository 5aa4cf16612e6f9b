// SPDX-License-Identifier: MIT
import Euripus

/// The recordings as one session has them: what its view models show, and how they change it.
///
/// The loop is the documents' (S3-16): an action saves to the store; what comes back is another library, here and, told by
/// the store, in all other sessions; what the pages show follows from that.
final class Recordings {
  let library: Observable<Library>
  /// The trouble with the store, or with the last change.
  let problem: Computed<String?>
  private let storeDidChange = Observer<Library>()
  /// Whether the last change was not even taken.
  let isBusy = Observable(false, name: "isBusy")
  let save: Command<Job, Void>

  struct Job {
    let change: RecordingStore.Change
    let orElse: () -> Void
  }

  init(_ store: RecordingStore) {
    // Before the library is read, so that none is missed.
    let follower = store.follow()
    let library = Observable(store.library, name: "library")
    save = Command<Job, Void>(library, policy: .queue(), name: "save") { library, job, _ in
      let new: Library
      do { new = try await store.apply(job.change, by: follower) } catch {
        job.orElse()
        throw error
      }
      do { try Self.take(library(), new) } catch {
        // The command was cancelled or took too long; what it did is done.
        store.remind(follower)
        throw error
      }
    }
    let (error, isBusy) = (save.error, isBusy)
    problem = Computed(name: "problem") {
      if isBusy.value { return RecordingsError.isBusy.detail }
      return (try error.get() as? any PresentableError ?? store.unusable)?.detail
    }
    self.library = library
    storeDidChange.handle(library, Self.take)
    storeDidChange.follow(follower.libraries)
  }

  /// Has the library be a newer one. An older one may arrive later: what others did comes by another way than what this session
  /// does.
  private static func take(_ library: Observable<Library>, _ new: Library) {
    if new.revision > library.value.revision { library.value = new }
  }

  /// Saves a change.
  ///
  /// - Parameter orElse: is done if it was not saved, and `owner` is still there.
  func save<Owner: AnyObject>(
    _ change: RecordingStore.Change, _ owner: Owner, orElse: @escaping (Owner) -> Void = { _ in }
  ) {
    let job = Job(change: change) { [weak owner] in if let owner { orElse(owner) } }
    isBusy.value = false
    if case .refused = save.execute(job, isolation: nil) {
      isBusy.value = true
      job.orElse()
    }
  }
}
