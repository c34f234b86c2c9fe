// What the bundle has of undici: connections, and requests over them. A server of JSON needs no fetch, WebSockets, caches and mocks.
'use strict'

const Dispatcher = require('undici/lib/dispatcher/dispatcher')

exports.Agent = require('undici/lib/dispatcher/agent')
exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent')
exports.Dispatcher = Dispatcher
exports.errors = require('undici/lib/core/errors')
// As `undici/index.js` does.
Object.assign(Dispatcher.prototype, require('undici/lib/api'))
// The library that reads kubeconfigs brings clients that call it. None of them is used.
exports.fetch = () => Promise.reject(new Error('the bundle has no fetch of undici'))
