// SPDX-License-Identifier: MIT
import Glibc

/// The names of the functions in a program or library: those of an ELF file for 64 bits, little-endian (System V ABI, chapters
/// 4 and 5). Of a file that was stripped there are those that others link to.
enum ModuleSymbols {
  /// A function, and how far into it an address is.
  struct Found: Equatable {
    var name: String
    var offset: UInt64
  }

  /// The functions at these addresses of the file, as far as it names them. Looks at each symbol once.
  static func find(_ addresses: [UInt64], inFileAt path: String) -> [UInt64: Found] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [:] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return [:] }
    let size = Int(status.st_size)
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return [:] }
    defer { munmap(start, size) }
    return find(addresses, in: UnsafeRawBufferPointer(start: start, count: size))
  }

  static func find(_ addresses: [UInt64], in file: UnsafeRawBufferPointer) -> [UInt64: Found] {
    let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
    guard file.count >= 64, zip(file, magic).allSatisfy({ $0 == $1 }) else { return [:] }
    let sections = sections(of: file)
    // All symbols, or else those that others link to.
    guard let symbols = sections.first(where: { $0.type == 2 }) ?? sections.first(where: { $0.type == 11 }),
      sections.indices.contains(Int(symbols.link))
    else { return [:] }
    let names = sections[Int(symbols.link)].bytes
    let sorted = addresses.sorted()
    var found: [UInt64: Found] = [:]
    for entry in stride(from: symbols.bytes.lowerBound, to: symbols.bytes.upperBound - 23, by: 24) {
      // A function.
      guard file[entry + 4] & 0xF == 2, let value = file.number64(entry + 8), let size = file.number64(entry + 16),
        let name = file.number32(entry)
      else { continue }
      let end = value.addingReportingOverflow(size).partialValue
      for address in sorted[firstIndex(in: sorted, from: value)...] {
        guard address < end else { break }
        // Two names of one function say the same.
        guard found[address] == nil, let text = file.text(names, at: UInt64(name)) else { continue }
        found[address] = Found(name: text, offset: address - value)
      }
    }
    return found
  }

  private static func firstIndex(in sorted: [UInt64], from value: UInt64) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private struct Section {
    let type: UInt32
    let link: UInt32
    let bytes: Range<Int>
  }

  /// The sections; one that is not wholly in the file has no bytes.
  private static func sections(of file: UnsafeRawBufferPointer) -> [Section] {
    guard let start = file.number64(0x28), let size = file.number16(0x3A), let count = file.number16(0x3C), size >= 64
    else { return [] }
    return (0..<UInt64(count)).map { index in
      let (header, isTooFar) = start.addingReportingOverflow(index * UInt64(size))
      guard !isTooFar, let place = Int(exactly: header), let type = file.number32(place + 4),
        let offset = file.number64(place + 0x18), let length = file.number64(place + 0x20),
        let link = file.number32(place + 0x28), offset <= UInt64(file.count), length <= UInt64(file.count) - offset
      else { return Section(type: 0, link: 0, bytes: 0..<0) }
      return Section(type: type, link: link, bytes: Int(offset)..<Int(offset + length))
    }
  }
}

/// Numbers and texts of a file; `nil` for what is not in it.
extension UnsafeRawBufferPointer {
  fileprivate func number64(_ offset: Int) -> UInt64? { number(offset) }
  fileprivate func number32(_ offset: Int) -> UInt32? { number(offset) }
  fileprivate func number16(_ offset: Int) -> UInt16? { number(offset) }

  private func number<Number: FixedWidthInteger>(_ offset: Int) -> Number? {
    guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
    return Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// A text that ends with a zero byte.
  fileprivate func text(_ texts: Range<Int>, at offset: UInt64) -> String? {
    guard offset < UInt64(texts.count) else { return nil }
    let bytes = self[(texts.lowerBound + Int(offset))..<texts.upperBound].prefix { $0 != 0 }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
