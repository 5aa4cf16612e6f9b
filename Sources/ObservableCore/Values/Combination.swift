// SPDX-License-Identifier: MIT

/// A combiner with the inputs that it has so far, in order. It knows their types.
public struct Combination<Value, each Input> {
  @usableFromInline let combiner: ObservableCombiner<Value>
  @usableFromInline let inputs: (repeat ObservableValue<each Input>)

  init(combiner: ObservableCombiner<Value>, inputs: repeat ObservableValue<each Input>) {
    self.combiner = combiner
    self.inputs = (repeat each inputs)
  }

  /// Adds an input; the handler gets its value after those of the inputs before it (S0-13).
  public func combine<Next>(_ input: ObservableValue<Next>) -> Combination<Value, repeat each Input, Next> {
    combiner.attach(input)
    return Combination<Value, repeat each Input, Next>(combiner: combiner, inputs: repeat each inputs, input)
  }

  /// Sets the handler. It gets the present value of every input (S0-14), and gives the combiner's.
  ///
  /// It is not called for notifications from before (S0-20). A combiner whose graph was closed since it was
  /// combined has no inputs any more, and so gets no handler.
  @discardableResult
  @inlinable  // so that a closure for just these types is made where they are known
  public func handle(_ handler: @escaping (repeat each Input) throws -> Value) -> ObservableCombiner<Value> {
    for input in repeat each inputs { guard combiner.keeps(input) else { return combiner } }
    combiner.install(handler, over: repeat each inputs)
    return combiner
  }
}

extension Combination where Value == Void {
  /// Maps several observables to several. The handler gives the values of all `outputs`, which change as one
  /// (S0-23).
  ///
  /// Keep the combiner: dropping it ends the mapping.
  @discardableResult
  public func handle<each Output>(
    into outputs: repeat Observable<each Output>,
    by handler: @escaping (repeat each Input) throws -> (repeat each Output)
  ) -> ObservableCombiner<Void> {
    handle { (input: repeat each Input) in
      let values = try handler(repeat each input)
      repeat try (each outputs).set(each values)
    }
  }
}

extension ObservableCombiner where Value == Void {
  /// Makes a combiner whose handler gives no value of its own, for mapping several observables to several.
  public convenience init(
    _ strategy: CombineStrategy, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(strategy, (), cutOff: .never, name: name, file: file, line: line)
  }
}
