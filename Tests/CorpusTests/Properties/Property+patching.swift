// SPDX-License-Identifier: MIT
import JSONPatching

extension Property {
  /// A pointer that is read is written as the same text.
  static let pointer = Property(name: "pointer") { bytes in
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    guard let pointer = JSONPointer(text) else {
      let escapes = bytes.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false).dropFirst()
      let isEscaped = escapes.allSatisfy { $0.first == UInt8(ascii: "0") || $0.first == UInt8(ascii: "1") }
      try want(!isEscaped || bytes.first != UInt8(ascii: "/"), "no pointer: \(text)")
      return
    }
    try want(Array(pointer.description.utf8) == bytes, "written as \(pointer)")
    for token in pointer.tokens {
      let again = JSONPointer("/" + JSONPointer.escape(token))?.tokens.map { Array($0.utf8) }
      try want(again == [Array(token.utf8)], "'\(token)' escaped is another token")
    }
  }

  /// A text `[document, patch]`. A patch that the reader takes is written as one that reads the same. If it fits
  /// the document, its operations one by one give the same result. If it does not, the document stays as it was.
  static let patch = Property(name: "patch") { bytes in
    guard let pair = try? JSONReader.read(bytes), let document = pair[0], let operations = pair[1],
      let patch = try? [PatchOperation](json: operations)
    else { return }
    var writer = JSONWriter()
    patch.write(to: &writer)
    let again = try? [PatchOperation](json: JSONReader.read(writer.bytes, limits: .init(depth: 64, nodes: .max)))
    try want(again == patch, "written as another patch")
    do {
      let result = try document.applying(patch)
      var steps = document
      for operation in patch { steps = try steps.applying([operation]) }
      try want(steps == result, "step by step it gives \(steps), at once \(result)")
      try want(written(steps) == written(result), "step by step it gives members in another order")
    } catch let error as PatchError {
      try want(patch.indices.contains(error.index), "an error of operation \(error.index) of \(patch.count)")
    }
  }
}
