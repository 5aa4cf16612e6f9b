// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore

final class Model {
  var text = ""
}

// expected error: cannot convert '@Sendable (CommandOwner<Model>, Int, CommandRun) async -> Int' to 'nonisolated(nonsending) @Sendable (CommandOwner<Model>, Int, CommandRun) async throws -> Int'
func commandWithCaptureList(of model: Model) -> Command<Int, Int> {
  Command<Int, Int>(model) { [weak model] _, input, _ in model == nil ? 0 : input }
}

// expected error: capture of 'name' with non-Sendable type 'Observable<String>' in a '@Sendable' closure
@MainActor func observableInBackground(_ name: Observable<String>) -> EventSequence<String> {
  BackgroundSource { observer in observer.onNext(name.value) }.observe()
}

// expected error: type 'Model' does not conform to the 'Sendable' protocol
func referenceFromBackground() -> BackgroundSource<Model> {
  BackgroundSource { observer in observer.onNext(Model()) }
}
