// SPDX-License-Identifier: MIT
// expected error: type 'Model' does not conform to the 'Sendable' protocol
import EventSequences

final class Model {
  var text = ""
}

func modelsFromBackground() -> BackgroundSource<Model> {
  BackgroundSource { observer in observer.onNext(Model()) }
}
