#!/usr/bin/env node
// Starts rolebook, or says which Node it needs: an old Node must be able to read this file.
'use strict'

const { spawn } = require('node:child_process')
const { existsSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { basename, dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')

const root = join(__dirname, '..')
/** In a checkout alone: Node strips no types in the packages that npm installs. */
const source = join(root, 'src', 'rolebook', 'cli', 'main.ts')
const isCheckout = existsSync(source)

const required = require('../package.json').engines.node.replace('>=', '')

/** A checkout is TypeScript. */
const runsHere = isAtLeast(process.versions.node, required) && (!isCheckout || process.features.typescript)
if (runsHere) start()
else if (isCheckout) startOnInstalledNode()
else refuse('install a newer one')

function isAtLeast(version, least) {
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = least.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

function start() {
  cacheCompiledCode()
  import(pathToFileURL(isCheckout ? source : join(root, 'dist', 'rolebook.mjs')).href)
}

/** It halves the time of a start. Beside the package if it is installed, never in a folder that others can write to. */
function cacheCompiledCode() {
  const modules = isCheckout ? join(root, 'node_modules') : dirname(root)
  // Coverage is exact without, and Node 20 has none.
  if (!enableCompileCache || process.env.NODE_V8_COVERAGE || basename(modules) !== 'node_modules') return
  enableCompileCache(join(modules, '.cache', 'rolebook'))
}

/** The development dependencies of a checkout hold a Node. */
function startOnInstalledNode() {
  const node = join(root, 'node_modules', 'node', 'bin', 'node')
  if (!existsSync(node)) return refuse("run 'npm ci', which brings one, or install a newer one")
  const child = spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(1, error.message))
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
}

function refuse(remedy) {
  fail(2, `it needs Node ${required} or newer, and this is ${process.version} (${remedy})`)
}

function fail(code, reason) {
  process.stderr.write(`rolebook: cannot start: ${reason}\n`)
  process.exitCode = code
}
