// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// Something that runs a view model's code, as it is noted while it does: what a request asks for, or a session that is restored.
///
/// It keeps a hash of a request's body and nothing else of that, of its fields and of its query.
package struct Work: Sendable {
  /// A hash of what is to be done and to what, the same in every process; never 0.
  let mark: UInt64
  /// For people; the mark has it as well.
  private let verb: String
  private let object: [UInt8]
  /// What counts of `object`.
  private let length: Int

  /// What a request asks for.
  ///
  /// - Parameter target: its query counts for nothing, as it says what the client has seen and not what is to be done.
  package init(method: String, target: [UInt8], body: [UInt8]) {
    let length = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
    var verb = method
    var mark = verb.withUTF8 { esv_mark(0, $0.baseAddress, $0.count) }
    mark = target.withUnsafeBytes { esv_mark(mark, $0.baseAddress, length) }
    mark = body.withUnsafeBytes { esv_mark(mark, $0.baseAddress, $0.count) }
    self.init(mark: mark, verb: method, object: target, length: length)
  }

  /// A session that is made again from what is stored of it.
  package static func restoring(_ model: String, _ id: String) -> Work {
    Work(method: "RESTORE", target: Array("/sessions/\(model)/\(id)".utf8), body: [])
  }

  private init(mark: UInt64, verb: String, object: [UInt8], length: Int) {
    (self.mark, self.verb, self.object, self.length) = (mark, verb, object, length)
  }

  /// What is noted in a slot.
  init(noted slot: UnsafePointer<esv_slot>) {
    let text = UnsafeBufferPointer(start: esv_slot_text(slot), count: Int(slot.pointee.length))
    let space = text.firstIndex(of: UInt8(ascii: " ")) ?? text.endIndex
    let object = Array(text[space...].dropFirst())
    self.init(
      mark: slot.pointee.mark, verb: String(decoding: text[..<space], as: UTF8.self), object: object,
      length: object.count)
  }

  func note(in slot: UnsafeMutablePointer<esv_slot>) {
    var verb = verb
    verb.withUTF8 { verb in
      object.withUnsafeBufferPointer { object in
        esv_begin(slot, mark, verb.baseAddress, verb.count, object.baseAddress, length)
      }
    }
  }
}
