// SPDX-License-Identifier: MIT

/// A question or an order of the engine to a node. Code that knows the type of the node's value answers it.
@usableFromInline
enum Operation {
  /// Whether the present value differs from the one before, by the cut-off.
  case hasChanged
  /// Runs a combiner's handler, and stores its value.
  case evaluate
  /// Tells the entry's observer the present value; this runs user code.
  case tell
  /// Exchanges the present value and the one from before.
  case restore
  /// Releases the value from before.
  case forgetBefore
  /// Whether the present value of a computed differs from the one that its observers know.
  case isNews
  /// Makes the value from before the one that the observers know.
  case knowBefore
  /// Releases the value that the observers know.
  case forgetKnown
  /// Makes the next pulse of an event the present one. Answers whether there is one.
  case nextPulse
}

/// Runs an operation of one node. It is a closure, made where the type is known and compiled for just that
/// type. A method that subclasses override would be called in its general form, for any type.
@usableFromInline
typealias Operate = (_ node: Node, _ operation: Operation, _ entry: SubscriberPlacePointer?) throws -> Bool
