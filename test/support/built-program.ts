import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/rolebook')
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * The folder of the program as it is released, of the present sources. It starts in a fraction of the time of the
 * sources; it is built once, and all tests of all runs share it until a source changes.
 */
export function builtProgram(): string {
  known ??= build(join(CACHE, `program-${hashOfSources()}`))
  return known
}

let known: string | undefined

/** What halves the time of its starts. Coverage is exact without. */
export function compileCache(): NodeJS.ProcessEnv {
  return env.NODE_V8_COVERAGE ? {} : { NODE_COMPILE_CACHE: join(tmpdir(), 'rolebook-compile-cache') }
}

/** Mocha calls it before its workers start, so that they need not wait for each other. */
export function mochaGlobalSetup(): void {
  builtProgram()
}

function build(folder: string): string {
  if (existsSync(folder)) {
    // The new time marks it as in use, so that the build of another one does not remove it.
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  mkdirSync(CACHE, { recursive: true })
  const made = mkdtempSync(join(CACHE, 'building-'))
  execFileSync(execPath, [join(ROOT, 'bin/build.ts'), '--out', made], { stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    renameSync(made, folder)
  } catch {
    // Another process was faster.
    rmSync(made, { recursive: true })
  }
  for (const name of readdirSync(CACHE)) if (name.startsWith('program-')) removeOld(join(CACHE, name))
  return folder
}

function removeOld(folder: string): void {
  const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY }
  if (mtimeMs < Date.now() - DAY_MS) rmSync(folder, { recursive: true, force: true })
}

/** Of all that the program is built from. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = sources.map(({ parentPath, name }) => join(parentPath, name)).sort()
  for (const path of [
    ...paths,
    ...[
      'bin/build.ts',
      'bin/bundle.ts',
      'bin/bundled-packages.ts',
      'bin/public-declarations.ts',
      'bin/older-node.mjs',
      'bin/undici-dispatchers.cjs',
      'bin/kubeconfig-library.mjs',
      'bin/kubeconfig-stand-ins.mjs',
      'package-lock.json',
      'package.json',
    ].map((one) => join(ROOT, one)),
  ]) {
    const content = readFileSync(path)
    hash.update(`${path.slice(ROOT.length)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}
