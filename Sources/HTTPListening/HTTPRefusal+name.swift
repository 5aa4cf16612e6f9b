// SPDX-License-Identifier: MIT

extension HTTPRefusal {
  /// What sort of refusal it is, such as `malformed-field`, without its limit: for metrics.
  public var name: String { kind.name }

  enum Kind: Int, CaseIterable {
    case malformedRequestLine, unsupportedVersion, targetTooLong, headersTooLarge, tooManyFields, malformedLineEnd
    case foldedField, malformedField, ambiguousHost, malformedLength, ambiguousLength, unknownTransferEncoding
    case transferEncodingTooEarly, unknownExpectation, bodyTooLarge, malformedChunk

    var name: String {
      switch self {
      case .malformedRequestLine: "malformed-request-line"
      case .unsupportedVersion: "unsupported-version"
      case .targetTooLong: "target-too-long"
      case .headersTooLarge: "headers-too-large"
      case .tooManyFields: "too-many-fields"
      case .malformedLineEnd: "malformed-line-end"
      case .foldedField: "folded-field"
      case .malformedField: "malformed-field"
      case .ambiguousHost: "ambiguous-host"
      case .malformedLength: "malformed-length"
      case .ambiguousLength: "ambiguous-length"
      case .unknownTransferEncoding: "unknown-transfer-encoding"
      case .transferEncodingTooEarly: "transfer-encoding-too-early"
      case .unknownExpectation: "unknown-expectation"
      case .bodyTooLarge: "body-too-large"
      case .malformedChunk: "malformed-chunk"
      }
    }
  }

  var kind: Kind {
    switch self {
    case .malformedRequestLine: .malformedRequestLine
    case .unsupportedVersion: .unsupportedVersion
    case .targetTooLong: .targetTooLong
    case .headersTooLarge: .headersTooLarge
    case .tooManyFields: .tooManyFields
    case .malformedLineEnd: .malformedLineEnd
    case .foldedField: .foldedField
    case .malformedField: .malformedField
    case .ambiguousHost: .ambiguousHost
    case .malformedLength: .malformedLength
    case .ambiguousLength: .ambiguousLength
    case .unknownTransferEncoding: .unknownTransferEncoding
    case .transferEncodingTooEarly: .transferEncodingTooEarly
    case .unknownExpectation: .unknownExpectation
    case .bodyTooLarge: .bodyTooLarge
    case .malformedChunk: .malformedChunk
    }
  }
}
