// SPDX-License-Identifier: MIT

/// What one method does with one resource: what it takes, what it answers, and what can go wrong.
///
/// The rows of the one table (``Endpoint/table``) from which `Allow`, `405`, the OpenAPI description and the proofs of
/// the documentation all come, so that they cannot say different things.
struct Endpoint: Sendable {
  enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// What a request may say beside its path and its body.
  enum Parameter: Sendable, CaseIterable {
    /// `?since=V`: where the answer's frame starts.
    case since
    /// `Prefer: wait=N`
    case wait
    case ifMatch
    case ifNoneMatch
    /// `Idempotency-Key`
    case key
    case lastEventID
  }

  enum Body: Sendable {
    case none
    /// What a session is opened with; may be empty.
    case opening
    /// The value to set, of the type that the path's value has.
    case value
    /// The value that the action takes; empty where it takes none.
    case argument
    /// Many actions at once, or one in their form (``BatchBody``).
    case batch
  }

  /// An answer that is no problem.
  struct Answer: Sendable {
    enum Content: Sendable {
      case nothing
      case text
      case names
      /// The OpenAPI description.
      case description
      /// What problems there are, and what one means, in one of three forms.
      case problems, problem
      case opened, snapshot, frame
      /// A frame, or an event stream of them.
      case frames
      /// What an action or a command has changed, with its result; or that it was done already.
      case outcome
      /// What many actions have changed together, with the result of each.
      case outcomes
      /// One value of the state, of the type that the path's value has.
      case value
    }

    enum Field: Sendable, CaseIterable {
      case etag
      /// The same, of an answer that may be a stream, which has none.
      case etagUnlessStream
      case location, setCookie, preferenceApplied, retryAfter, wwwAuthenticate
    }

    let status: Int
    let content: Content
    /// The fields that this answer has, or may have, beside those of every answer.
    let fields: [Field]
    /// When it comes.
    let description: String

    init(_ status: Int, _ content: Content, _ fields: [Field] = [], _ description: String) {
      self.status = status
      self.content = content
      self.fields = fields
      self.description = description
    }
  }

  let method: Method
  let resource: Resource
  /// A name of its own, in the OpenAPI description and for programs made from that.
  let name: String
  /// What it does, in a line.
  let summary: String
  /// What else there is to know, in whole sentences.
  var details = ""
  var parameters: [Parameter] = []
  var body = Body.none
  let answers: [Answer]
  /// What can go wrong here; what can go wrong anywhere (``Problem/Kind/anywhere``) comes on top.
  var problems: [Problem.Kind] = []
}
