import { readFile, realpath } from 'node:fs/promises'
import { type Diagnostic, diagnosticOf } from '../../core/yaml/diagnostic.ts'
import type { ProjectFiles } from './project-files.ts'

/** A line of `/proc/self/mountinfo`. */
interface Mount {
  /** What of its file system is mounted. */
  readonly root: string
  readonly point: string
}

/**
 * What of a project is mounted by itself, as a `subPath` does it: the kubelet exchanges whole folders, so that a program that watches
 * such a mount sees its first content for ever. `table` is the path of the system's table of mounts; without one nothing
 * is known, and nothing is said.
 */
export async function frozenMounts(files: ProjectFiles, table: string): Promise<readonly Diagnostic[]> {
  const mounts = parseMounts(await readFile(table, 'utf8').catch(() => ''))
  const found = await Promise.all(pathsOf(files).map(async (path) => ({ path, place: await placeOf(path) })))
  const frozen = found.filter(({ place }) => mounts.some((mount) => mount.point === place))
  const folders = await Promise.all(files.directories.map(async (path) => ({ path, place: await placeOf(path) })))
  // A folder that is mounted is followed, unless it is one that the kubelet made for one moment.
  const stale = folders.filter(({ place }) => mounts.some(({ point, root }) => point === place && SNAPSHOT.test(root)))
  return [...frozen, ...stale].map(({ path }) => diagnosticOf(path, PROBLEM))
}

/** `..2026_11_21_12_00_00.123456`: what `..data` points to. */
const SNAPSHOT = /\/\.\.\d{4}_/

const PROBLEM = {
  code: 'RB1319',
  message: 'is mounted by itself: the kubelet never updates it, so changes would not be followed',
  hint: 'mount the whole folder of the ConfigMap, without `subPath`',
}

function pathsOf({ watches, roles, beside }: ProjectFiles): readonly string[] {
  const inFolders = [...roles.values()].flatMap((one) => [
    ...one.role,
    ...one.crds,
    ...one.samples,
    ...one.files.values(),
  ])
  return [...new Set([watches, ...inFolders, ...beside.values()].map(({ path }) => path))]
}

async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

function parseMounts(table: string): readonly Mount[] {
  return table.split('\n').flatMap((line) => {
    const [, , , root, point] = line.split(' ')
    return root === undefined || point === undefined ? [] : [{ root: unescapeOctal(root), point: unescapeOctal(point) }]
  })
}

/** Blanks and the like are written as `\040`. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
