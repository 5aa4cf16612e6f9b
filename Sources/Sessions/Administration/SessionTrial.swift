// SPDX-License-Identifier: MIT
import JSONPatching
package import Storing
package import ViewModels

/// The result of trying a stored session with the view models of this program. It holds no value of the
/// session's state.
package enum SessionTrial: Sendable, Equatable {
  /// The session would be made again.
  case restored(RestorationTrial)
  /// The session would not be made again, for this reason.
  case refused(String)
}

extension SessionRecord {
  /// Makes the session's view model from the record, and drops it. Its code runs as for a request after a
  /// restart, but no command runs.
  ///
  /// - Parameter types: the program's view models, by their names.
  package func tryOut(on types: [String: HostedModelType]) -> SessionTrial {
    guard let type = types[model] else {
      let names = types.keys.sorted().joined(separator: ", ")
      return .refused("this program has no view model '\(model)'; it has: \(names)")
    }
    do {
      // The times in the memory do not matter here.
      _ = try SessionKeys(decoding: keys, limits: .init(), at: .now)
      let state = try stateJSON()
      let visitor = try context.map { Visitor(stored: try JSONReader.read($0)) } ?? Visitor()
      if type.takesParams, let fault = type.faults(of: visitor.params).first {
        return .refused(
          "its parameters do not fit: expected \(fault.expected) at '\(fault.pointer)', got \(fault.found)")
      }
      let origin = SessionOrigin(
        id: id, client: owner.name, owner: type.owner, visitor: visitor)
      return .restored(try type.tryOut(state, schema: schema, for: origin))
    } catch let failure as ViewModelFailure {
      // The text of an app's error may hold anything, so only its type is told.
      return .refused("its view model's code threw an error of the type '\(Swift.type(of: failure.cause))'")
    } catch { return .refused("\(error)") }
  }
}
