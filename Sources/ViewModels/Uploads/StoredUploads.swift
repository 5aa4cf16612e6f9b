// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface.Stored {
  /// Files that clients send: their rows, of which those are ready whose bytes are still there.
  static func uploads(_ name: String, _ uploads: @escaping @Sendable (Model) -> Uploads) -> Surface<Model>.Stored {
    let rows = Self.nested(name, uploads)
    return Surface<Model>.Stored(
      name: name, stage: rows.stage, write: rows.write,
      putBack: { model, object, restoration in
        try rows.putBack(model, object, restoration)
        restoration.look { uploads(model).lookForFiles() }
      },
      losses: rows.losses, variables: rows.variables)
  }
}
