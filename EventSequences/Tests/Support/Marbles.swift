// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore

/// Draws sequences in time, a character a second: `-` is nothing, a letter an element, `|` the completion, `!`
/// an error. The events of one second stand in parentheses.
final class Marbles {
  let scheduler = VirtualTimeScheduler()

  /// A hot source that sends the drawn events; its seconds begin with this call.
  func hot(_ drawing: String) -> PublishSubject<String> {
    let subject = PublishSubject<String>()
    for (second, events) in Self.parse(drawing) {
      scheduler.schedule(after: .seconds(second)) { events.forEach(subject.on) }
    }
    return subject
  }

  /// A cold source that sends the drawn events; its seconds begin with each subscription.
  func cold(_ drawing: String) -> EventSequence<String> {
    .create { [scheduler] observer in
      for (second, events) in Self.parse(drawing) {
        scheduler.schedule(after: .seconds(second)) { events.forEach(observer.on) }
      }
      return nil
    }
  }

  /// The drawing of the events of `sequence` in `seconds`, without the silence at the end.
  func drawing(of sequence: EventSequence<String>, for seconds: Int = 20) -> String {
    var told: [String] = []
    let subscription = sequence.subscribeToEvents { event in
      switch event {
      case .next(let element): told.append(element)
      case .error: told.append("!")
      case .completed: told.append("|")
      }
    }
    defer { subscription.dispose() }
    var drawing = ""
    for _ in 0..<seconds {
      scheduler.run()
      drawing += told.isEmpty ? "-" : told.count == 1 ? told[0] : "(\(told.joined()))"
      told = []
      scheduler.advance(by: .seconds(1))
    }
    while drawing.last == "-" { drawing.removeLast() }
    return drawing
  }

  private static func parse(_ drawing: String) -> [(Int, [EventSequence<String>.Event])] {
    var result: [(Int, [EventSequence<String>.Event])] = []
    var second = 0
    var group: [EventSequence<String>.Event]?
    for character in drawing {
      switch character {
      case "-": second += 1
      case "(": group = []
      case ")":
        result.append((second, group ?? []))
        group = nil
        second += 1
      default:
        let event: EventSequence<String>.Event =
          character == "|" ? .completed : character == "!" ? .error(Failure()) : .next(String(character))
        if group != nil {
          group?.append(event)
        } else {
          result.append((second, [event]))
          second += 1
        }
      }
    }
    return result
  }
}
