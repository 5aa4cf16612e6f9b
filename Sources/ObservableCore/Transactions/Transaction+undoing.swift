// SPDX-License-Identifier: MIT

/// Calls `undoing` after the present transaction, if that is undone: what was made in it outside of the graph can go then.
/// Outside of a transaction nothing can be undone, and it is not called.
package func onUndo(_ undoing: @escaping () -> Void) { withPropagation { $0.onUndo(undoing) } }
