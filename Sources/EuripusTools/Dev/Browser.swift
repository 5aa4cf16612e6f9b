// SPDX-License-Identifier: MIT
import Foundation

/// The browser of the person at this machine.
enum Browser {
  /// Opens a page, if there is a screen.
  static func open(_ url: String) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", url]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Without the program the address is in the terminal all the same.
    try? process.run()
  }
}
