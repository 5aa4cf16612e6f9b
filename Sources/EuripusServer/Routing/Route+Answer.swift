// SPDX-License-Identifier: MIT

extension Route {
  /// An answer that is not a problem.
  package struct Answer: Sendable {
    package enum Content: Sendable {
      case nothing
      case text
      case names
      /// The OpenAPI description.
      case description
      /// A page for people, in HTML.
      case page
      case opened, snapshot
      /// A frame, or a stream of events with frames.
      case frames
      /// The changes by an action or a command, with its result; or the message that it was done already.
      case outcome
      /// The changes by many actions together, with each action's result.
      case outcomes
      /// One value of the state, of the type of the path's value.
      case value
      /// The address of the view model's page.
      case address
      /// A file that a client has sent.
      case file
      /// The address to which a client sends a file, at the app's store.
      case uploadAddress
      /// The sessions of a client and its user.
      case ownSessions
      /// Contents for operators: a page of sessions, a session with its snapshot, and the number of sessions
      /// that have ended.
      case sessions, look, ended
    }

    package let status: Int
    package let content: Content
    /// The fields that this answer has or may have, beside those of every answer.
    package let fields: [AnswerField]
    /// The case in which the answer comes.
    package let description: String

    init(_ status: Int, _ content: Content, _ fields: [AnswerField] = [], _ description: String) {
      self.status = status
      self.content = content
      self.fields = fields
      self.description = description
    }
  }
}
