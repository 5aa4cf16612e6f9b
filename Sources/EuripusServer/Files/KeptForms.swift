// SPDX-License-Identifier: MIT

/// Forms of files by the stamps of these, in a room of so many bytes. If they need more, those go first that
/// were used least recently.
struct KeptForms {
  /// The outcome of a file's compression.
  enum Form: Equatable {
    case gzip([UInt8])
    /// The file is to be sent as it is.
    case notSmaller

    /// The bytes that it takes, with those for the entry itself.
    var cost: Int {
      switch self {
      case .gzip(let bytes): 256 + bytes.count
      case .notSmaller: 256
      }
    }
  }

  private let room: Int
  private var forms: [OpenedFile.Stamp: (form: Form, lastUse: UInt64)] = [:]
  private var uses: UInt64 = 0
  /// The bytes that all forms take.
  private(set) var cost = 0

  init(room: Int) { self.room = room }

  /// The form of a file, which is used by this; `nil` if it is not kept.
  mutating func form(of stamp: OpenedFile.Stamp) -> Form? {
    uses += 1
    forms[stamp]?.lastUse = uses
    return forms[stamp]?.form
  }

  /// Keeps a form. O(forms) if others have to go for it.
  mutating func keep(_ form: Form, of stamp: OpenedFile.Stamp) {
    uses += 1
    if let earlier = forms.updateValue((form, uses), forKey: stamp) { cost -= earlier.form.cost }
    cost += form.cost
    while cost > room, let oldest = forms.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      forms[oldest.key] = nil
      cost -= oldest.value.form.cost
    }
  }
}
