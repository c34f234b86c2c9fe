import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { type Diagnostic, diagnosticAt, diagnosticOf, type Problem } from '../../core/yaml/diagnostic.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'

/** A file that was read, or why it was not. */
export type TextFile =
  | { readonly path: string; readonly source: SourceFile }
  | { readonly path: string; readonly source?: undefined; readonly problem: Diagnostic }

/** The bytes of a file, or why there are none. */
export type FileBytes = { readonly bytes: Buffer } | { readonly size: number } | { readonly problem: Problem }

/** No file of a project is larger; what each kind of file may have at most is checked when it is parsed. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Reads a regular file whose real place is inside `root` (a real path): links that stay inside are followed, as the kubelet
 * makes them for mounted ConfigMaps. Nothing else is ever opened: no device, no pipe, nothing outside.
 */
export async function readTextFile(path: string, root: string): Promise<TextFile> {
  const read = await readBytes(path, root, MAX_BYTES)
  if ('bytes' in read) return decode(path, read.bytes)
  if ('problem' in read) return refused(path, read.problem)
  const message = `the file has ${read.size} bytes: at most ${MAX_BYTES} are read`
  return refused(path, { code: 'RB1002', message })
}

/** The same for bytes: nothing but its size of a file that has more than `most`. */
export async function readBytes(path: string, root: string, most: number): Promise<FileBytes> {
  try {
    const real = await realpath(path)
    const problem = isInside(real, root) ? await kindProblem(real) : LINK
    if (problem) return { problem }
    // The checks are repeated on what was opened: it may have been exchanged since.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return await readOpened(file, most)
    } finally {
      await file.close()
    }
  } catch (error) {
    return { problem: fileProblem(error) }
  }
}

/** Whether a real path is the root or below it. */
export function isInside(real: string, root: string): boolean {
  const way = relative(root, real)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep))
}

/** Why a file or folder cannot be used, from the error of the system. */
export function fileProblem(error: unknown): Problem {
  const { code } = error as { readonly code: string }
  if (code === 'ENOENT' || code === 'ENOTDIR') return { code: 'RB1301', message: 'there is no such file or folder' }
  return { code: 'RB1302', message: `cannot be read: ${REASONS[code] ?? code}` }
}

export const LINK: Problem = {
  code: 'RB1304',
  message: 'a link leads out of the folder',
  hint: 'put the file itself here',
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  ELOOP: 'its links go round in circles',
  ENAMETOOLONG: 'its name is too long',
  EISDIR: 'it is a folder',
}

async function kindProblem(real: string): Promise<Problem | undefined> {
  const status = await stat(real)
  if (status.isFile()) return undefined
  const what = status.isDirectory() ? 'a folder' : 'a device, pipe or socket'
  return { code: 'RB1302', message: `cannot be read: it is ${what}, not a file` }
}

async function readOpened(file: FileHandle, most: number): Promise<FileBytes> {
  const status = await file.stat()
  if (!status.isFile()) return { problem: { code: 'RB1302', message: 'cannot be read: it is not a file' } }
  return status.size > most ? { size: status.size } : { bytes: await file.readFile() }
}

function decode(path: string, bytes: Buffer): TextFile {
  const source = new SourceFile(path, bytes.toString('utf8'))
  if (Buffer.from(source.text, 'utf8').equals(bytes)) return { path, source }
  const start = Math.max(0, source.text.indexOf('\uFFFD'))
  const problem = { code: 'RB1303', message: 'the file is not UTF-8', hint: 'save it as UTF-8' }
  return { path, problem: diagnosticAt({ source, start, end: start + 1 }, problem) }
}

function refused(path: string, problem: Problem): TextFile {
  return { path, problem: diagnosticOf(path, problem) }
}
