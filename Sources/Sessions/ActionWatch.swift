// SPDX-License-Identifier: MIT
import Glibc
import Locking
import Synchronization

/// Which actions hold their session's turn, and since when: what lets a watchdog name the one that holds it too long (D4).
final class ActionWatch: Sendable {
  /// An action that takes longer than this is reported, once.
  static let patience: Duration = .milliseconds(100)

  /// Lies on the stack of the thread that is at it, as what it points to does.
  private struct Action {
    let path: UnsafePointer<[String]>
    let model: UnsafePointer<String>
    let since: ContinuousClock.Instant
    var isReported = false
  }

  /// What one thread is at. Each thread has its own, so that threads do not meet at a lock for every action.
  // @unchecked Sendable: `watch` is touched by the thread itself alone.
  private final class Post: @unchecked Sendable {
    /// Where the action lies; 0 for none, and `looking` while a watch looks at it, which the thread waits for before it ends
    /// the action.
    private let action = Atomic<UInt>(0)
    private static let looking: UInt = 1
    /// The watch that looks at this post; 0 for none yet.
    var watch: UInt64 = 0

    /// Takes the place of what the thread was at.
    func begin(_ action: UnsafeMutablePointer<Action>) -> UInt {
      while true {
        let outer = self.action.load(ordering: .relaxed)
        if outer != Self.looking, exchange(outer, for: UInt(bitPattern: action)) { return outer }
        sched_yield()
      }
    }

    /// - Parameter outer: what the thread is at again.
    func end(_ action: UnsafeMutablePointer<Action>, _ outer: UInt) {
      while !exchange(UInt(bitPattern: action), for: outer) { sched_yield() }
    }

    /// What the action is, if there is one that has not been reported and began before `instant`, from another thread; it is
    /// taken for reported from here on.
    func overdue(_ instant: ContinuousClock.Instant) -> (path: [String], model: String, since: ContinuousClock.Instant)?
    {
      let address = action.load(ordering: .relaxed)
      guard address > Self.looking, exchange(address, for: Self.looking),
        let action = UnsafeMutablePointer<Action>(bitPattern: address)
      else { return nil }
      // No more than a copy is made: the thread may be waiting.
      defer { self.action.store(address, ordering: .releasing) }
      if action.pointee.isReported || action.pointee.since >= instant { return nil }
      action.pointee.isReported = true
      return (action.pointee.path.pointee, action.pointee.model.pointee, action.pointee.since)
    }

    private func exchange(_ expected: UInt, for desired: UInt) -> Bool {
      action.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing).exchanged
    }

    /// The running thread's.
    static var own: Unmanaged<Post> {
      if let pointer = pthread_getspecific(key) { return .fromOpaque(pointer) }
      let post = Unmanaged.passRetained(Post())
      pthread_setspecific(key, post.toOpaque())
      return post
    }

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      let status = pthread_key_create(&key) { pointer in
        if let pointer { Unmanaged<Post>.fromOpaque(pointer).release() }
      }
      precondition(status == 0, "pthread_key_create failed with \(status): the process has no thread key left")
      return key
    }()
  }

  private static let count = Locked<UInt64>(0)

  private let id = count.withLock { count in
    count += 1
    return count
  }
  /// The posts that this watch looks at: of as many threads as there are loops and workers.
  private let posts = Locked<[Post]>([])

  /// Has `watch` look at what `body` does, if that takes long.
  ///
  /// - Parameter watch: not counted, as all threads have it in common; it is there for as long as the call.
  static func watching<Result>(
    _ watch: Unmanaged<ActionWatch>, _ path: [String], of model: String, since: ContinuousClock.Instant,
    _ body: () throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: path) { path in
      try withUnsafePointer(to: model) { model in
        var action = Action(path: path, model: model, since: since)
        return try withUnsafeMutablePointer(to: &action) { action in
          // The thread keeps it, to its end.
          let post = Post.own
          let outer = post._withUnsafeGuaranteedRef { post in
            if post.watch != watch._withUnsafeGuaranteedRef({ $0.id }) {
              watch._withUnsafeGuaranteedRef { $0.add(post) }
            }
            return post.begin(action)
          }
          defer { post._withUnsafeGuaranteedRef { $0.end(action, outer) } }
          return try body()
        }
      }
    }
  }

  private func add(_ post: Post) {
    post.watch = id
    posts.withLock { posts in
      if !posts.contains(where: { $0 === post }) { posts.append(post) }
    }
  }

  /// Each action that has been at work for too long and was not reported yet.
  func overdue(now: ContinuousClock.Instant) -> [SessionReport] {
    posts.withLock { $0 }.compactMap { $0.overdue(now - Self.patience) }.map { action in
      let milliseconds = Int((now - action.since) / .milliseconds(1))
      return .slowAction(action.path.joined(separator: "/"), model: action.model, milliseconds: milliseconds)
    }
  }
}
