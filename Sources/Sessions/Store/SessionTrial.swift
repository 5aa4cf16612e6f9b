// SPDX-License-Identifier: MIT
import JSONPatching
package import ViewModels

/// A stored session as an operator's trial reads it.
package struct ReadSession: Sendable {
  package let id: String
  /// The session, or why what is stored is none.
  package let session: Result<StoredSession, StoreError>

  package init(id: String, session: Result<StoredSession, StoreError>) {
    (self.id, self.session) = (id, session)
  }
}

/// The fate that a stored session would have with the view models of this program. No value of its state is in it.
package enum SessionTrial: Sendable, Equatable {
  /// It would be made again.
  case restored(RestorationTrial)
  /// It would not, for this reason.
  case refused(String)
}

extension SessionRecord {
  /// Makes the session's view model of what is stored, and lets it go: its code runs as for a request after a restart, but no
  /// command does.
  ///
  /// - Parameter types: the program's, by their names.
  package func tryOut(on types: [String: HostedModelType]) -> SessionTrial {
    guard let type = types[model] else {
      let names = types.keys.sorted().joined(separator: ", ")
      return .refused("this program has no view model '\(model)'; it has: \(names)")
    }
    do {
      // The times in it do not matter.
      _ = try KeyMemory(decoding: keys, limits: .init(), at: Moment(instant: .now, milliseconds: Moment.wallClock()))
      let state = try stateJSON()
      let visitor = try context.map { Visitor(stored: try JSONReader.read($0)) } ?? Visitor()
      if type.takesParams, let fault = type.faults(of: visitor.params).first {
        return .refused(
          "its parameters do not fit: expected \(fault.expected) at '\(fault.pointer)', got \(fault.found)")
      }
      let origin = SessionOrigin(
        id: id, client: owner.name, isOfUser: type.scope == .user, visitor: visitor)
      return .restored(try type.tryOut(state, schema: schema, for: origin))
    } catch let failure as ViewModelFailure {
      // The text of an app's error may have anything in it.
      return .refused("its view model's code threw an error of the type '\(Swift.type(of: failure.cause))'")
    } catch { return .refused("\(error)") }
  }
}
