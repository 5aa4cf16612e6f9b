// SPDX-License-Identifier: MIT
// expected error: capture of 'name' with non-Sendable type 'Observable<String>' in a '@Sendable' closure
import EventSequences
import ObservableCore

@MainActor func readInBackground(_ name: Observable<String>) -> EventSequence<String> {
  BackgroundSource { observer in observer.onNext(name.value) }.observe()
}
