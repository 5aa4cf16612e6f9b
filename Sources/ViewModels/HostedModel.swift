// SPDX-License-Identifier: MIT
public import JSONPatching

/// One living view model behind its surface, its type erased: the state as JSON, the actions by name.
///
/// Outputs are numbered from 0 in the order of the surface. Each call that writes is one transaction, and one that throws
/// has changed nothing. Not `Sendable`: its session lets in one thread at a time.
public protocol HostedModel: AnyObject {
  var labels: [OutputLabel] { get }

  /// No state is shorter than this many bytes.
  var leastStateLength: Int { get }

  /// Says where the view model lives: commands run there, and what they write after a suspension, outside every call
  /// of this protocol, is announced by `didChange`.
  ///
  /// - Parameter didChange: called once when an output has changed after changes were last taken; it must not read.
  func live(in isolation: any Actor, didChange: @escaping () -> Void)

  /// The outputs whose part of the state has changed since this was last called, in order.
  func takeChanges() -> [Int]

  /// Whether the state has the output: only a secret that is set is absent.
  func isPresent(_ output: Int) -> Bool

  /// Writes the value of an output that is present.
  func write(_ output: Int, to writer: inout JSONWriter)

  /// The output that can be read under `name`.
  ///
  /// - Throws: `SurfaceError.noSuchValue`, `.unreadable`.
  func readableOutput(_ name: String) throws -> Int

  /// Performs an action; `value` is `nil` where none came.
  ///
  /// - Throws: ``SurfaceError``, or ``ViewModelFailure`` for what the view model threw.
  func perform(_ action: String, _ value: JSON?) throws

  /// Sets a two-way value or a secret.
  ///
  /// - Throws: ``SurfaceError``, or ``ViewModelFailure`` for what the view model threw.
  func assign(_ name: String, _ value: JSON) throws

  /// Drops every closure of the view model, whatever cycles it made.
  func close()
}

extension HostedModel {
  /// Writes the whole state as one object.
  public func writeState(to writer: inout JSONWriter) {
    writer.beginObject()
    for (output, label) in labels.enumerated() where isPresent(output) {
      writer.rawPrefix(label.member)
      write(output, to: &writer)
    }
    writer.endObject()
  }
}

/// A type of view model that can be hosted: its name, and how to make one.
public struct HostedModelType: Sendable {
  public let name: String
  private let maker: @Sendable () throws -> any HostedModel

  public init<Model: ViewModel>(_ type: Model.Type) {
    name = Model.surface.name
    maker = { try Hosted<Model>() }
  }

  /// Makes a view model in a graph of its own.
  ///
  /// - Throws: ``ViewModelFailure`` for what its `init` threw.
  public func make() throws -> any HostedModel { try maker() }
}
