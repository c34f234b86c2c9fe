import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath, pid, stderr } from 'node:process'
import { buildProgram, hasGo } from '../../test/control-plane/go-build.ts'
import { builtProgram } from '../../test/support/built-program.ts'
import type { TemporaryFolder } from '../../test/support/temporary-folder.ts'
import type { Command } from './contestant-process.ts'
import { writeProject } from './rolebook-project.ts'
import type { Workload } from './workload.ts'

export interface Contestant {
  /** For the command line. */
  readonly id: string
  readonly name: string
  /** False for a loop that only writes: it has no restart, and repairs nothing. */
  readonly isOperator: boolean
  /** Why it cannot run here; undefined when it can. */
  readonly missing: () => string | undefined
  /** Builds what is not built. */
  readonly command: (options: CommandOptions) => Command
}

export interface CommandOptions {
  readonly workload: Workload
  readonly kubeconfig: string
  /** For files of the contestant. */
  readonly folder: TemporaryFolder
}

/** The rival that others are compared with. */
export const GO = 'Go, create-or-update'
export const ROLEBOOK = 'rolebook'

const KOPF = join(import.meta.dirname, 'kopf')

export const CONTESTANTS: readonly Contestant[] = [
  { id: 'rolebook', name: ROLEBOOK, isOperator: true, missing: nothing, command: (options) => rolebook(options) },
  { id: 'go', name: GO, isOperator: true, missing: missingGo, command: (options) => goOperator(options, []) },
  {
    id: 'go-apply',
    name: 'Go, server-side apply',
    isOperator: true,
    missing: missingGo,
    command: (options) => goOperator(options, ['-apply']),
  },
  { id: 'kopf', name: 'kopf', isOperator: true, missing: missingPython, command: kopf },
  {
    id: 'loop-apply',
    name: 'bare loop, apply',
    isOperator: false,
    missing: nothing,
    command: (options) => bareLoop(options, 'apply'),
  },
  {
    id: 'loop-create',
    name: 'bare loop, create',
    isOperator: false,
    missing: nothing,
    command: (options) => bareLoop(options, 'create'),
  },
]

/** As users run it: the bundle, with the settings that it has by itself, or with `more`. */
export function rolebook({ workload, kubeconfig, folder }: CommandOptions, more: readonly string[] = []): Command {
  const watches = writeProject(folder, workload)
  const files = ['--watches-file', watches, '--roles-path', folder.at('roles')]
  const run = [join(builtProgram(), 'rolebook.mjs'), 'run', '--kubeconfig', kubeconfig, ...files, ...more]
  const args = [...nodeOptions(), ...run]
  return { path: execPath, args, env: { NODE_COMPILE_CACHE: join(tmpdir(), 'rolebook-compile-cache') } }
}

/** Such as `--cpu-prof`, to see where the time goes. */
function nodeOptions(): readonly string[] {
  return env.BENCH_NODE_OPTIONS?.split(' ') ?? []
}

function goOperator({ workload: { kinds, objects }, kubeconfig }: CommandOptions, more: readonly string[]): Command {
  const path = buildProgram('widget-operator', { module: join(import.meta.dirname, 'go'), package: '.' })
  return { path, args: ['-server', kubeconfig, '-kinds', String(kinds), '-objects', String(objects), ...more] }
}

function kopf({ workload: { kinds, objects }, kubeconfig }: CommandOptions): Command {
  const more = { KUBECONFIG: kubeconfig, WIDGET_KINDS: String(kinds), WIDGET_OBJECTS: String(objects) }
  const args = ['-m', 'kopf', 'run', '--namespace', 'bench', '--log-format=plain', join(KOPF, 'operator_of_widgets.py')]
  return { path: join(virtualEnvironment(), 'bin/python'), args, env: more }
}

function bareLoop({ workload: { kinds, objects }, kubeconfig }: CommandOptions, verb: string): Command {
  return {
    path: execPath,
    args: [join(import.meta.dirname, 'bare-loop.ts'), kubeconfig, String(kinds), String(objects), verb],
  }
}

/** Where kopf is installed, once for each set of versions. */
function virtualEnvironment(): string {
  const requirements = join(KOPF, 'requirements.txt')
  const key = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  const folder = join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rolebook', `kopf-${key}`)
  if (existsSync(folder)) return folder
  stderr.write('installing kopf, once …\n')
  // Renamed at the end: an installation that was interrupted leaves no half an environment.
  const unfinished = `${folder}.${pid}`
  execFileSync('python3', ['-m', 'venv', unfinished])
  execFileSync(join(unfinished, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '-r', requirements])
  renameSync(unfinished, folder)
  return folder
}

function nothing(): undefined {
  return undefined
}

function missingGo(): string | undefined {
  return hasGo() ? undefined : 'Go is not on the path'
}

function missingPython(): string | undefined {
  return spawnSync('python3', ['-m', 'venv', '-h']).status === 0 ? undefined : 'python3 with venv is not on the path'
}
