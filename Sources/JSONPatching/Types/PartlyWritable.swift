// SPDX-License-Identifier: MIT

/// A type with some values that have no JSON and are written as `null`, such as numbers that are not finite and
/// dates beyond the calendar.
package protocol PartlyWritable {}

extension Double: PartlyWritable {}
extension Float: PartlyWritable {}
