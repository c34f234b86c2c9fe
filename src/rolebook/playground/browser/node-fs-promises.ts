/** Stands for `node:fs/promises` in the page: reads `memoryFiles`, which has no links. */
import { failure, memoryFiles } from './memory-files.ts'

interface Status {
  readonly size: number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

export async function stat(path: string): Promise<Status> {
  const isFolder = memoryFiles.isFolder(path)
  const size = isFolder ? 0 : memoryFiles.read(path).length
  return { size, isFile: () => !isFolder, isDirectory: () => isFolder, isSymbolicLink: () => false }
}

export const lstat = stat

export async function realpath(path: string): Promise<string> {
  await access(path)
  return path
}

export async function readdir(path: string): Promise<readonly string[]> {
  return memoryFiles.list(path)
}

export async function access(path: string): Promise<void> {
  if (!memoryFiles.has(path)) throw failure('ENOENT', path)
}

export async function readFile(path: string): Promise<Buffer> {
  return Buffer.from(memoryFiles.read(path))
}

export async function open(path: string) {
  await access(path)
  return { stat: () => stat(path), readFile: () => readFile(path), close: async () => undefined }
}
