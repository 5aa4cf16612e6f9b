// SPDX-License-Identifier: MIT

extension ViewModel {
  /// Whether all fields of its surface are valid; fields of view models within it are not asked.
  ///
  /// ```swift
  /// .action("send", Registration.send, when: \.fieldsAreValid)
  /// ```
  public var fieldsAreValid: Bool {
    Self.surface.rules.fields(of: self).allSatisfy(\.isValid)
  }

  /// Touches all fields of its surface, so that their errors are shown, and says whether all are valid. It is
  /// meant for the first line of an action that submits them.
  public func checkFields() -> Bool {
    for field in Self.surface.rules.fields(of: self) { field.touch() }
    return fieldsAreValid
  }
}
