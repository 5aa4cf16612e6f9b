// SPDX-License-Identifier: MIT
import JSONPatching

extension Problem.Kind {
  /// The meaning of problems with a change that was not made.
  var meaningOfChange: Problem.Meaning {
    switch self {
    case .readOnly:
      .init(
        "The value is one that the view model shows and a view cannot write.",
        remedy: "Perform an action that changes it. `/openapi.json` has the values that can be written.",
        detail: "'instruction' is read-only: the view sees it and cannot write it")
    case .notAllowed:
      .init(
        "The view model has this action, or this value, for certain users alone, and the session's user is none of them.",
        remedy: "Sign in as somebody who may, or have an operator give the user the role.",
        detail: "'delete' is for the role 'owner' alone")
    case .actionDisabled:
      .init(
        """
        The view model does not allow this action, or the writing of this value, in its present state. The server decides, \
        not the view.
        """,
        remedy: "Read the state: what is missing is usually in it. Show the action as disabled for as long.",
        detail: "'loginTouched' is disabled now by the view model")
    case .commandBusy:
      .init(
        "The command is executing, and is one that does not take another run meanwhile.",
        remedy: "Wait until its `executing` is false, or cancel it with DELETE.",
        detail: "'suggest' takes no more now: it is executing, and its policy is to refuse")
    case .outOfOrder:
      .init(
        """
        The `Idempotency-Key` has a number that is not the next of its name: requests with the numbers before it have not \
        come, and doing this one first would do them in another order.
        """,
        remedy: "Send the requests from the number that `expected` says, in order.",
        detail: "the next number of this key's name is 4", members: [("expected", 4)])
    case .versionMoved:
      .init(
        """
        The request is conditional, and its condition does not hold: `If-Match` names another version than there is, or \
        `If-None-Match` the one that there is.
        """,
        remedy: "Read the state, decide again, and send `If-Match` with what its `ETag` says.",
        detail: "the state is not at the version that the request is for; ETag has the one that it is at")
    case .invalidAction:
      .init(
        """
        The path names no action or value of the view model, or what came is of another type than it takes. What a person \
        typed is never the reason: whether a name is too short is the view model's to say, in its state.
        """,
        remedy: "`errors` says which part of the body is wrong, and what was expected. `/openapi.json` has the types.",
        detail: "expected integer, got string", pointer: "/1/value")
    case .keyReused:
      .init(
        """
        The `Idempotency-Key` came before with another method, path or body. The same key says that a request is the same \
        one again, which this one cannot be.
        """,
        remedy: "Make a new key for each request that is not a repetition.",
        detail: "the key came with another method, path or body before")
    default:
      .init(
        "The change would have made the state of the session larger than the server allows, and was taken back.",
        remedy: "Remove something first. An operator can allow more.",
        detail: "the state of a session may have 1048576 bytes at most")
    }
  }
}
