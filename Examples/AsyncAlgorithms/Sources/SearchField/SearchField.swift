// SPDX-License-Identifier: MIT
import AsyncAlgorithms
public import EventSequences
public import ObservableCore

/// A search field whose search starts when typing pauses, or at once on a choice from the history.
@MainActor public final class SearchField {
  public let typed = Observable("", name: "typed")
  public let chosen = Observable("", name: "chosen")
  /// The text to search for now.
  public let search = Observable("", name: "search")

  private let bag = DisposeBag()

  /// - Parameter pause: the time for which typing has to pause.
  public init(pause: Duration) {
    // `debounce` and `merge` work in tasks of their own, so they need `Sendable` sequences: `sendableValues()`.
    let paused = typed.sendableValues().debounce(for: pause)
    merge(paused, chosen.sendableValues())
      .filter { !$0.isEmpty }
      .bind(to: search)
      .disposed(by: bag)
  }

  /// The first `count` texts to search for, without repeats. Algorithms that stay in the isolation take `values` as it
  /// is.
  public func searches(_ count: Int) async -> [String] {
    var found: [String] = []
    for await text in search.values.removeDuplicates() where !text.isEmpty {
      found.append(text)
      if found.count == count { break }
    }
    return found
  }
}
