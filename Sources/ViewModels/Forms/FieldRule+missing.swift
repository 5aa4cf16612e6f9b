// SPDX-License-Identifier: MIT
import JSONPatching

/// A value that may stand for no value: an empty text, `nil`, a box that is not ticked.
public protocol MayBeMissing: SendableMetatype {
  var isMissing: Bool { get }
}

extension String: MayBeMissing {
  public var isMissing: Bool { isEmpty }
}

extension Bool: MayBeMissing {
  public var isMissing: Bool { !self }
}

extension Array: MayBeMissing {
  public var isMissing: Bool { isEmpty }
}

extension Optional: MayBeMissing {
  public var isMissing: Bool {
    // In a `Bool?` `false` is an answer, "No", and no box that is not ticked.
    guard let self, !(self is Bool) else { return self == nil }
    return (self as? any MayBeMissing)?.isMissing ?? false
  }
}

extension FieldRule where Value: MayBeMissing {
  /// A value has to be there: a text that is not empty, a number, a tick. The message is in English.
  public static var required: Self { required("This is needed") }

  /// The same rule with a message of your own.
  public static func required(_ message: String) -> Self {
    Self(isKept: { !$1.isMissing }, message: message, bounds: [FieldBound(name: .required, value: true)])
  }
}
