// SPDX-License-Identifier: MIT
import Locking

/// The topics of one server, and the sessions that follow them. Any thread may use it.
package final class TopicHub: Sendable {
  /// The listeners of each topic that has some.
  private let listeners = Locked<[String: [ObjectIdentifier: TopicListener]]>([:])

  package init() {}

  /// The part of a name that counts. It fits into a notice of a database.
  static func name(_ topic: String) -> String { String(topic.prefix(200)) }

  /// Listens to a topic from now on, until the listener's ``TopicListener/news`` ends.
  func listen(to topic: String, as session: String) -> TopicListener {
    let listener = TopicListener(session)
    let id = ObjectIdentifier(listener)
    listener.whenOver { [weak self] in self?.remove(id, from: topic) }
    listeners.withLock { $0[topic, default: [:]][id] = listener }
    return listener
  }

  private func remove(_ id: ObjectIdentifier, from topic: String) {
    listeners.withLock { listeners in
      listeners[topic]?[id] = nil
      if listeners[topic]?.isEmpty == true { listeners[topic] = nil }
    }
  }

  /// Tells all who follow a topic. O(those).
  ///
  /// - Parameter session: the session that tells it; `nil` for none.
  package func tell(_ topic: String, by session: String?) {
    let told = listeners.withLock { Array(($0[Self.name(topic)] ?? [:]).values) }
    for listener in told { listener.hear(TopicNews(isOwn: listener.session == session)) }
  }

  /// Tells everybody, as something may have been missed. O(all listeners).
  package func tellAll() {
    let told = listeners.withLock { $0.values.flatMap(\.values) }
    for listener in told { listener.hear(TopicNews(isOwn: false)) }
  }

  /// The number of topics that somebody follows.
  package var count: Int { listeners.withLock { $0.count } }
}

/// One who follows a topic. All that it was told and has not taken is one piece of news.
package final class TopicListener: Sendable {
  let session: String
  /// Has an element when there may be news to take; first of all at the beginning.
  let news: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let untaken = Locked<TopicNews?>(TopicNews(isOwn: false))

  fileprivate init(_ session: String) {
    self.session = session
    // While one element waits, a further one says nothing more.
    (news, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    bell.yield()
  }

  fileprivate func whenOver(_ body: @escaping @Sendable () -> Void) { bell.onTermination = { _ in body() } }

  func hear(_ news: TopicNews) {
    untaken.withLock { $0 = TopicNews(isOwn: $0?.isOwn != false && news.isOwn) }
    bell.yield()
  }

  func end() { bell.finish() }

  /// Takes the news; `nil` if there is none, as it was taken since the last ring.
  func take() -> TopicNews? {
    untaken.withLock { untaken in
      defer { untaken = nil }
      return untaken
    }
  }
}
