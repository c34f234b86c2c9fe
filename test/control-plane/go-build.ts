/** Builds Go programs from modules whose folders stand here, once, into a cache outside the checkout. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { env, pid, stderr } from 'node:process'

export interface GoProgram {
  /** The folder here, or the path of one elsewhere, that pins the versions, and holds the source when it is our own. */
  readonly module: string
  readonly package: string
  /** Asked for when it is built. Defaults to those that make it small. */
  readonly flags?: () => readonly string[]
  /** Whether it is the tests of the package, as a program. Defaults to false. */
  readonly isTest?: boolean
  /** Where it is built. Defaults to the folder of the module here. */
  readonly folder?: string
}

export function hasGo(): boolean {
  return spawnSync('go', ['version']).status === 0
}

/**
 * The path of the program, built if it is not there.
 * All are built alike: Go compiles what several have in common once, and keeps it in a cache of its own.
 */
export function buildProgram(name: string, program: GoProgram): string {
  const cache = cacheFolder(program.module)
  const path = join(cache, name)
  if (existsSync(path)) return path
  stderr.write(`building ${name}, once …\n`)
  mkdirSync(cache, { recursive: true })
  // Renamed at the end: a build that was interrupted leaves no half a program.
  const unfinished = `${path}.${pid}`
  const flags = program.flags?.() ?? ['-ldflags', '-s -w']
  const verb = program.isTest ? ['test', '-c'] : ['build']
  execFileSync('go', [...verb, '-trimpath', '-buildvcs=false', ...flags, '-o', unfinished, program.package], {
    cwd: program.folder ?? moduleFolder(program.module),
    env: goEnvironment(),
    stdio: 'inherit',
  })
  renameSync(unfinished, path)
  return path
}

/** Keyed by what the module pins and by its source, so that a new version is a new build. */
export function cacheFolder(module: string): string {
  const hash = createHash('sha256')
  const sources = globSync('*.go', { cwd: moduleFolder(module) }).sort()
  for (const file of ['go.sum', ...sources]) hash.update(readFileSync(join(moduleFolder(module), file)))
  const key = hash.digest('hex').slice(0, 12)
  return join(
    env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'rolebook',
    'control-plane',
    `${basename(module)}-${key}`,
  )
}

/** What a Go command prints in the folder of a module. */
export function go(module: string, ...args: readonly string[]): string {
  return execFileSync('go', args, { cwd: moduleFolder(module), env: goEnvironment(), encoding: 'utf8' }).trim()
}

function moduleFolder(module: string): string {
  return resolve(import.meta.dirname, module)
}

function goEnvironment(): NodeJS.ProcessEnv {
  return { ...env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly' }
}
