// SPDX-License-Identifier: MIT

// The names that the main file of an app needs beside those of its view models: for its options, and for the
// log.
@_exported public import struct ArgumentParser.ArgumentHelp
@_exported public import protocol ArgumentParser.EnumerableFlag
@_exported public import protocol ArgumentParser.ExpressibleByArgument
@_exported public import struct ArgumentParser.Flag
@_exported public import struct ArgumentParser.Option
@_exported public import struct ArgumentParser.OptionGroup
@_exported public import protocol ArgumentParser.ParsableArguments
@_exported public import struct ArgumentParser.ValidationError
@_exported public import Euripus
// Date, UUID, URL and Decimal on a surface. The parser of arguments links the libraries that they need in any
// case.
@_exported public import EuripusFoundation
@_exported public import struct Logging.Logger
