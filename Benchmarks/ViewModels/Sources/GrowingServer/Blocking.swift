// SPDX-License-Identifier: MIT
import Euripus
import Glibc

/// A view model with an action that blocks its thread, for as many milliseconds as it is given.
final class Blocking: ViewModel {
  let block = Observer<Int>()

  init() { block.handle(self) { _, milliseconds in usleep(useconds_t(clamping: milliseconds * 1_000)) } }

  static let surface = Surface<Blocking>("blocking", .action("block", \.block))
}
