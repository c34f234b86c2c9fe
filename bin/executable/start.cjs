/**
 * What a single-file executable runs: it holds the files of the package, and this serves them to Node as if they lay in a folder of the name of
 * the executable. They are read from memory; nothing is unpacked. A thread runs this file, too, with the URL of its own module.
 */
'use strict'

const fs = require('node:fs')
const module_ = require('node:module')
const { basename, join } = require('node:path')
const sea = require('node:sea')
const { fileURLToPath, pathToFileURL } = require('node:url')
const threads = require('node:worker_threads')

/** No file can be there: the executable is no folder. */
const root = join(process.execPath, '/')
const rootUrl = pathToFileURL(root).href
const files = new Set(sea.getAssetKeys())
/** This file. */
const START = 'start.cjs'
/** What runs in the package as npm installs it. */
const PROGRAM = 'bin/rolebook.cjs'
const FORMATS = { '.mjs': 'module', '.cjs': 'commonjs', '.json': 'json' }

serveModules()
serveData()
serveThreads()
if (threads.isMainThread) startProgram()

function serveModules() {
  module_.registerHooks({
    resolve(specifier, context, next) {
      const file = packageFile(isRelative(specifier) ? new URL(specifier, context.parentURL) : specifier)
      if (file === undefined) return next(specifier, context)
      return { url: new URL(file, rootUrl).href, format: formatOf(file), shortCircuit: true }
    },
    load(url, context, next) {
      const file = packageFile(url)
      if (file === undefined) return next(url, context)
      return { format: formatOf(file), source: sea.getAsset(file, 'utf8'), shortCircuit: true }
    },
  })
}

/** The package asks for its data by these two functions alone. */
function serveData() {
  const { existsSync, readFileSync } = fs
  fs.existsSync = (path) => packageFile(path) !== undefined || isPackageFolder(path) || existsSync(path)
  fs.readFileSync = (path, options) => {
    const file = packageFile(path)
    if (file === undefined) return readFileSync(path, options)
    const content = Buffer.from(sea.getRawAsset(file))
    const encoding = typeof options === 'string' ? options : options?.encoding
    return encoding ? content.toString(encoding) : content
  }
  module_.syncBuiltinESMExports()
}

function serveThreads() {
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(program, options) {
      super(...(packageFile(program) === undefined ? [program, options] : threadOf(program, options)))
    }
  }
  module_.syncBuiltinESMExports()
}

/** A thread begins with a Node that knows nothing of the package. */
function threadOf(program, options) {
  const code = `${sea.getAsset(START, 'utf8')}\nimport(${JSON.stringify(String(program))})`
  return [code, { ...options, eval: true }]
}

/** With the arguments that a script has: Node repeats here, as the path of the script, how the executable was called. */
function startProgram() {
  const [node, calledAs, ...args] = process.argv
  // As a child, it is started as Node would be: with a script.
  const script = args[0]?.startsWith(root) ? args.shift() : join(root, 'bin', basename(calledAs))
  process.argv = [node, script, ...args]
  module_.createRequire(rootUrl)(join(root, PROGRAM))
}

function isRelative(specifier) {
  return specifier.startsWith('./') || specifier.startsWith('../')
}

function formatOf(file) {
  return FORMATS[file.slice(file.lastIndexOf('.'))]
}

/** The name of a file that the executable holds, by a path or a URL. */
function packageFile(place) {
  const name = nameInPackage(place)
  return files.has(name) ? name : undefined
}

function isPackageFolder(place) {
  const name = nameInPackage(place)?.replace(/\/?$/, '/')
  return name !== undefined && [...files].some((file) => file.startsWith(name))
}

function nameInPackage(place) {
  const text = String(place)
  const path = text.startsWith(rootUrl) ? fileURLToPath(text) : text
  return path.startsWith(root) ? path.slice(root.length) : undefined
}
