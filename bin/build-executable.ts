/**
 * Writes the program as one file that needs no Node: a Node as npm has it, with the files of the package in it.
 *
 *   npm run build:executable                           for this machine
 *   npm run build:executable -- --target linux-arm64   for another one; it may be given several times
 *
 * `--archive` writes an archive of each beside it, with the licences; `--output` names another folder than `dist-executables`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { archiveName, NODE_VERSION, nodeBase, TARGETS, type Target } from './executable/node-bases.ts'
import { tar } from './image/tar.ts'

const root = join(import.meta.dirname, '..')
const START = join(import.meta.dirname, 'executable/start.cjs')
/** What the program reads of its bundle. Types and the library are for other programs. */
const PROGRAM = /^(?!types\/|library-).*\.(mjs|bin|html|js|css)$/

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    output: { type: 'string', default: join(root, 'dist-executables') },
    dist: { type: 'string', default: join(root, 'dist') },
    archive: { type: 'boolean', default: false },
  },
})
const host = `${process.platform}-${process.arch}`
const wanted = values.target ?? [host]
const unknown = [host, ...wanted].find((name) => !isTarget(name))
if (unknown === undefined) {
  mkdirSync(values.output, { recursive: true })
  for (const target of wanted.filter(isTarget)) write(target)
} else {
  const reason = `no package with Node for ${unknown} is known`
  process.stderr.write(`cannot build an executable: ${reason} (take one of ${TARGETS.join(', ')})\n`)
  process.exitCode = 2
}

function isTarget(name: string): name is Target {
  return TARGETS.some((one) => one === name)
}

function write(target: Target): void {
  const path = resolve(values.output, `rolebook-${target}`)
  build(target, path)
  const isSigned = sign(target, path)
  process.stdout.write(
    `${path}: Node ${NODE_VERSION}${isSigned ? '' : `, not signed (on a Mac: codesign --sign - ${path})`}\n`,
  )
  if (values.archive) archive(target, path)
}

function build(target: Target, path: string): void {
  const work = mkdtempSync(join(tmpdir(), 'rolebook-executable-'))
  const settings = join(work, 'settings.json')
  const main = {
    main: START,
    mainFormat: 'commonjs',
    executable: join(nodeBase(target), 'bin/node'),
    output: path,
    disableExperimentalSEAWarning: true,
    assets: assets(),
  }
  try {
    writeFileSync(settings, JSON.stringify(main))
    execFileSync(join(nodeBase(host as Target), 'bin/node'), ['--build-sea', settings], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** By their names in the package. */
function assets(): Readonly<Record<string, string>> {
  const bundle = (readdirSync(values.dist, { recursive: true }) as string[]).filter((name) => PROGRAM.test(name))
  return {
    'start.cjs': START,
    'package.json': join(root, 'package.json'),
    'bin/rolebook.cjs': join(root, 'bin/rolebook.cjs'),
    ...Object.fromEntries(bundle.sort().map((name) => [`dist/${name}`, resolve(values.dist, name)])),
  }
}

/** macOS runs nothing without a signature, of whomever it is. Returns whether the executable has what its system asks for. */
function sign(target: Target, path: string): boolean {
  if (!target.startsWith('darwin-')) return true
  if (process.platform !== 'darwin') return false
  execFileSync('codesign', ['--sign', '-', '--force', path])
  return true
}

function archive(target: Target, path: string): void {
  const file = (name: string, from: string, mode = 0o644) => ({ path: name, mode, content: readFileSync(from) })
  const content = tar([
    file('rolebook', path, 0o755),
    file('LICENSE', join(root, 'LICENSE')),
    file('LICENSE-NODE', join(nodeBase(target), 'LICENSE')),
    file('THIRD-PARTY-LICENSES.txt', join(values.dist, 'THIRD-PARTY-LICENSES.txt')),
  ])
  writeFileSync(join(values.output, archiveName(target)), gzipSync(content))
}
