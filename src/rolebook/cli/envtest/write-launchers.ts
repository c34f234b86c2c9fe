import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { UsageError } from '../command.ts'

export const PROGRAMS = ['kube-apiserver', 'etcd'] as const

export type ProgramName = (typeof PROGRAMS)[number]

/** How this program is called. */
export interface Caller {
  readonly node: string
  readonly program: string
  /** Where kubectl may be. */
  readonly path: string
  /** What each program says of its flags. envtest asks before every start, and need not wait for Node. */
  readonly helps: Readonly<Record<ProgramName, string>>
}

/**
 * Writes what envtest looks for in `KUBEBUILDER_ASSETS`: a program of each name that calls this one, and a link to kubectl
 * where there is one. Returns the absolute path of the folder.
 *
 * @throws UsageError when a file of that name is there that was not written by this
 */
export function writeLaunchers(dir: string, { node, program, path, helps }: Caller): string {
  const folder = resolve(dir)
  mkdirSync(folder, { recursive: true })
  const taken = PROGRAMS.map((name) => join(folder, name)).find((file) => existsSync(file) && !isLauncher(file))
  if (taken !== undefined) throw new UsageError(`cannot write ${taken}: it is there already (choose another folder)`)
  for (const name of PROGRAMS) {
    const command = [node, program, 'envtest', '--run', name, '--'].map(quoted).join(' ')
    writeFileSync(join(folder, name), scriptOf(command, helps[name]), { mode: 0o755 })
  }
  linkKubectl(join(folder, 'kubectl'), path)
  return folder
}

function scriptOf(command: string, help: string): string {
  const lines = ['#!/bin/sh', MARK, 'if [ "$1" = --help ]; then', "cat <<'END'", help.trimEnd(), 'END', 'exit', 'fi']
  return `${[...lines, `exec ${command} "$@"`].join('\n')}\n`
}

const MARK = '# Written by rolebook envtest.'

function isLauncher(file: string): boolean {
  return readFileSync(file, 'utf8').includes(MARK)
}

function linkKubectl(link: string, path: string): void {
  const found = path
    .split(delimiter)
    .map((folder) => resolve(folder, 'kubectl'))
    .find((file) => file !== link && isExecutable(file))
  if (found === undefined) return
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(link)
  if (!existsSync(link)) symlinkSync(found, link)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
