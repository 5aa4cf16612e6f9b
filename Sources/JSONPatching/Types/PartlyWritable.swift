// SPDX-License-Identifier: MIT

/// A type some of whose values have no JSON and are written as `null`: a number that is not finite, a date beyond the calendar.
package protocol PartlyWritable {}

extension Double: PartlyWritable {}
extension Float: PartlyWritable {}
