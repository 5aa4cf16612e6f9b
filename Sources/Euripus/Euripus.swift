// SPDX-License-Identifier: MIT

// The module that an app imports: the graph, the surface, and the server that hosts them.
@_exported public import EuripusOpenAPI
@_exported public import EuripusServer
@_exported public import enum HTTPListening.HTTPListeningError
@_exported public import struct HTTPListening.HTTPField
@_exported public import struct HTTPListening.HTTPListenerConfiguration
@_exported public import struct HTTPListening.TLSIdentity
@_exported public import JSONPatching
@_exported public import ObservableCore
@_exported public import SQLiteSessions
@_exported public import struct Sessions.Rate
@_exported public import struct Sessions.SessionConfiguration
@_exported public import struct Storing.SessionStorage
@_exported public import struct Storing.SharedStore
@_exported public import ViewModels
