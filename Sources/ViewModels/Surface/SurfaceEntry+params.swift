// SPDX-License-Identifier: MIT
public import JSONPatching

extension SurfaceEntry {
  /// The parameters of a session, as in `{"params":{"board":7}}`. They are checked when it is opened. The view
  /// model reads them by ``SessionContext/params(_:)``.
  ///
  /// ```swift
  /// struct BoardParams: Codable, JSONRepresentable { var board: Int, tab: String? }
  /// static let surface = Surface<Board>("board", .params(BoardParams.self), …)
  /// ```
  ///
  /// - Parameter type: the type of an object. A member that may be left out is an optional.
  public static func params<Params: JSONRepresentable>(_ type: Params.Type) -> Self {
    var entry = Self()
    entry.params = ParamsDeclaration(type)
    return entry
  }
}
