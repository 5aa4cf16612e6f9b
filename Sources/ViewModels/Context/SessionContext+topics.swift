// SPDX-License-Identifier: MIT
public import ObservableCore

/// Topics, by which sessions tell each other that something outside of them has changed.
extension SessionContext {
  /// Tells all who follow a topic that it has news: sessions of this server, and of those with which it shares a database.
  ///
  /// ```swift
  /// func close(_ database: DatabaseTransaction) throws {
  ///   try database.execute("UPDATE tickets SET isOpen = 0 WHERE id = ?", id)
  ///   context.tell("tickets/\(id)")
  /// }
  /// ```
  ///
  /// They are told once the action is stored, with what it has written, and not at all if it throws. If its commit fails,
  /// those at this server may be told in vain. A topic that is told several times at once is told once. Other servers hear
  /// of it within a second.
  ///
  /// - Parameter topic: a name of the app's. The first 200 characters count.
  public func tell(_ topic: String) {
    let topic = TopicHub.name(topic)
    if told.value.contains(topic) { return }
    // Nobody observes it.
    try? told.set(told.value + [topic])
    didTell()
  }

  /// Follows a topic: runs `read` at once, and after each time that somebody tells the topic.
  ///
  /// ```swift
  /// reading = context.follow("tickets/\(id)", by: self) { me, news in
  ///   let ticket = try await me().service.ticket(id)
  ///   try me().title = ticket.title
  /// }
  /// ```
  ///
  /// It runs in the session as a command does: each step from one `await` to the next is a transaction, and it may take as
  /// long as a command. It never runs twice at once. What is told while it runs has it run once more, however often that
  /// was. An error is its ``TopicFollowing/failure``, and it goes on following.
  ///
  /// A session that comes back into memory makes its view model anew, which follows anew. So nothing is missed meanwhile.
  ///
  /// - Parameters:
  ///   - topic: the name by which it is told.
  ///   - owner: the view model that follows, which is not kept alive. It keeps the result.
  ///   - name: what it reads, as the log names it.
  ///   - read: gets the owner, and whether the session told it itself.
  /// - Returns: the following. It ends when nothing keeps it.
  public func follow<Owner: AnyObject>(
    _ topic: String, by owner: Owner, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    _ read: nonisolated(nonsending) @escaping @Sendable (CommandOwner<Owner>, TopicNews) async throws -> Void
  ) -> TopicFollowing {
    let listener = topics.listen(to: TopicHub.name(topic), as: session)
    let reading = Command<Void, Void>(owner, policy: .queue(limit: 1), name: name, file: file, line: line) { me, _, _ in
      if let news = listener.take() { try await read(me, news) }
    }
    return TopicFollowing(listener, reading)
  }

  /// The same with a method of the owner's.
  ///
  /// ```swift
  /// reading = context.follow("tickets/\(id)", by: self, Ticket.reload)
  /// func reload() async throws { … }
  /// ```
  public func follow<Owner: AnyObject>(
    _ topic: String, by owner: Owner, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    _ read: @escaping @Sendable (Owner) -> nonisolated(nonsending) () async throws -> Void
  ) -> TopicFollowing {
    follow(topic, by: owner, name: name, file: file, line: line) { me, _ in try await read(me())() }
  }

  /// The same, which also runs `read` after each change of a value: of the search, the order and the window by which a list
  /// is read, say.
  ///
  /// ```swift
  /// reading = context.follow("books", and: wanted, by: self, Books.read)
  /// ```
  ///
  /// - Parameter value: what `read` goes by, a formula as a rule. It is not passed on: `read` takes it from its owner.
  public func follow<Owner: AnyObject, Value>(
    _ topic: String, and value: ObservableValue<Value>, by owner: Owner, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line,
    _ read: @escaping @Sendable (Owner) -> nonisolated(nonsending) () async throws -> Void
  ) -> TopicFollowing {
    let following = follow(topic, by: owner, name: name, file: file, line: line, read)
    following.follow(value)
    return following
  }

  /// Takes the topics that a transaction has told which has passed; the next call gives none.
  package func takeTold() -> [String] {
    let taken = told.value
    // Nobody observes it.
    if !taken.isEmpty { try? told.set([]) }
    return taken
  }
}
