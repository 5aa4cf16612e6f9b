// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore

/// Writes down the events that it is told as text: elements, then `|` for the completion or `!error`.
final class Recorder<Element>: EventObserver {
  private(set) var events: [String] = []
  var onEvent: (EventSequence<Element>.Event) -> Void = { _ in }

  var text: String { events.joined(separator: " ") }

  func on(_ event: EventSequence<Element>.Event) {
    switch event {
    case .next(let element): events.append("\(element)")
    case .error(let error): events.append("!\(error)")
    case .completed: events.append("|")
    }
    onEvent(event)
  }
}

extension EventSequence {
  /// The events that come while the sequence is subscribed to.
  var recorded: String {
    let recorder = Recorder<Element>()
    subscribe(recorder).dispose()
    return recorder.text
  }
}

struct Failure: Error, CustomStringConvertible { let description = "failure" }

/// An object whose end a test watches for.
final class Canary {}
