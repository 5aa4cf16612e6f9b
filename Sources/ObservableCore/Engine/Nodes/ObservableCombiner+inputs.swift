// SPDX-License-Identifier: MIT

extension ObservableCombiner {
  /// Makes a node an input.
  func attach(_ input: Node) {
    withPropagation { propagation in
      if input.state.has(.computed) { propagation.guarding { try propagation.bringUpToDate(input.state) } }
      propagation.decideEarly(input.state)
      propagation.link(state, to: input.state, after: state.pointee.inputs?.pointee.previousInput, before: nil)
      // A node that depends on a stale one is stale as well.
      if input.state.has(.stale), !state.has([.stale, .onPath]) {
        state.pointee.flags.insert(.stale)
        propagation.enqueue(state)
        propagation.mark(state)
      }
    }
  }

  /// Whether one of its links keeps an input alive.
  @usableFromInline
  func keeps(_ input: Node) -> Bool {
    var link = state.pointee.inputs
    while let here = link {
      if here.input == input.state { return true }
      link = here.pointee.nextInput
    }
    return false
  }

  /// Sets the handler. It is not called for notifications from before (S0-20).
  @usableFromInline
  func install(_ handler: @escaping Operate) {
    var link = state.pointee.inputs
    while let here = link {
      if here.pointee.entry.seen != here.input.pointee.version {
        here.pointee.entry.seen = here.input.pointee.version
        here.pointee.hasNotified = true
      }
      link = here.pointee.nextInput
    }
    state.pointee.flags.insert(.handled)
    operate = handler
  }

  /// Sets a handler that gets the values of the inputs, which the combiner keeps alive.
  @inlinable  // so that a closure for just these types is made where they are known
  func install<each Input>(
    _ handler: @escaping (repeat each Input) throws -> Value, over inputs: repeat ObservableValue<each Input>
  ) {
    // These references are not counted: the links keep the inputs alive for as long as the handler is called.
    let inputs = (repeat Unmanaged.passUnretained(each inputs))
    let plain = operate
    install { node, operation, entry in
      guard operation == .evaluate else { return try plain(node, operation, entry) }
      try unsafeDowncast(node, to: Observable<Value>.self).writeDecided(
        try handler(repeat (each inputs).takeUnretainedValue().get()))
      return true
    }
  }
}

extension CombineStrategy {
  @usableFromInline
  var flags: NodeFlags {
    switch self {
    case .every: .combiner
    case .first: [.combiner, .firstOnly]
    case .all: [.combiner, .afterAll]
    }
  }
}
