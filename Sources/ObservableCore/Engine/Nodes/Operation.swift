// SPDX-License-Identifier: MIT

/// A question or an order of the engine to a node, for the code that knows the type of its value.
@usableFromInline
enum Operation {
  /// Whether the present value differs from the one before, by the cut-off.
  case hasChanged
  /// Run a combiner's handler, and take in its value.
  case evaluate
  /// Tell the observer of the entry the present value; runs user code.
  case tell
  /// Exchange the present value with the one from before.
  case restore
  /// Let go of the value from before.
  case forgetBefore
  /// Whether the present value of a computed differs from the one that its observers know.
  case isNews
  /// Take the value from before for the one that the observers know.
  case knowBefore
  /// Let go of that one.
  case forgetKnown
  /// Make the next pulse of an event the present one. Answers whether there is one.
  case nextPulse
}

/// Does it, for one node. It is a closure, made where the type is known and compiled for just that type: a method that
/// subclasses override would be called in its general form, for any type.
@usableFromInline
typealias Operate = (_ node: Node, _ operation: Operation, _ entry: SubscriberPlacePointer?) throws -> Bool
