// SPDX-License-Identifier: MIT
import Demos
@main struct Command { static func main() {} }
