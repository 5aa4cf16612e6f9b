// SPDX-License-Identifier: MIT
import Glibc
import Locking

/// Which actions hold their session's turn, and since when: what lets a watchdog name the one that holds it too long (D4).
final class ActionWatch: Sendable {
  /// An action that takes longer than this is reported, once.
  static let patience: Duration = .milliseconds(100)

  private struct Action {
    var path: [String] = []
    var model = ""
    var since = ContinuousClock.now
    /// What is left of one that is over is not looked at.
    var isAtWork = false
    var isReported = false

    mutating func begin(_ path: [String], _ model: String, _ since: ContinuousClock.Instant) {
      (self.path, self.model, self.since) = (path, model, since)
      (isAtWork, isReported) = (true, false)
    }
  }

  /// What one thread is at. Each thread has its own, so that threads do not meet at a lock for every action.
  // @unchecked Sendable: `watch` is touched by the thread itself alone; `action` is behind its lock.
  private final class Post: @unchecked Sendable {
    let action = Locked(Action())
    /// The watch that looks at this post; 0 for none yet.
    var watch: UInt64 = 0

    /// The running thread's.
    static var own: Post {
      if let pointer = pthread_getspecific(key) { return Unmanaged<Post>.fromOpaque(pointer).takeUnretainedValue() }
      let post = Post()
      pthread_setspecific(key, Unmanaged.passRetained(post).toOpaque())
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

  func during<Result>(
    _ path: [String], of model: String, since: ContinuousClock.Instant, _ body: () throws -> Result
  ) rethrows -> Result {
    let post = Post.own
    if post.watch != id {
      post.watch = id
      posts.withLock { posts in
        if !posts.contains(where: { $0 === post }) { posts.append(post) }
      }
    }
    post.action.withLock { $0.begin(path, model, since) }
    defer { post.action.withLock { $0.isAtWork = false } }
    return try body()
  }

  /// Each action that has been at work for too long and was not reported yet.
  func overdue(now: ContinuousClock.Instant) -> [SessionReport] {
    posts.withLock { $0 }.compactMap { post in
      post.action.withLock { action in
        guard action.isAtWork, !action.isReported, now - action.since > Self.patience else { return nil }
        action.isReported = true
        let milliseconds = Int((now - action.since) / .milliseconds(1))
        return .slowAction(action.path.joined(separator: "/"), model: action.model, milliseconds: milliseconds)
      }
    }
  }
}
