/** The files of the project in the page, where the program has a disk. Paths begin with `/`. */
export class MemoryFiles {
  readonly #files = new Map<string, Uint8Array>()
  readonly #folders = new Set<string>(['/'])

  /** All files at once: those of before are gone. */
  replace(files: Readonly<Record<string, string>>): void {
    this.#files.clear()
    this.#folders.clear()
    this.#folders.add('/')
    for (const [path, text] of Object.entries(files)) this.write(path, text)
  }

  write(path: string, text: string): void {
    this.#files.set(path, ENCODER.encode(text))
    for (let folder = parentOf(path); !this.#folders.has(folder); folder = parentOf(folder)) this.#folders.add(folder)
  }

  /** @throws an error with the code `ENOENT` or `EISDIR` */
  read(path: string): Uint8Array {
    const bytes = this.#files.get(plain(path))
    if (bytes) return bytes
    throw failure(this.#folders.has(plain(path)) ? 'EISDIR' : 'ENOENT', path)
  }

  has(path: string): boolean {
    return this.#files.has(plain(path)) || this.#folders.has(plain(path))
  }

  isFolder(path: string): boolean {
    return this.#folders.has(plain(path))
  }

  /**
   * The names in a folder, in order.
   *
   * @throws an error with the code `ENOENT` or `ENOTDIR`
   */
  list(path: string): readonly string[] {
    const folder = plain(path)
    if (!this.#folders.has(folder)) throw failure(this.#files.has(folder) ? 'ENOTDIR' : 'ENOENT', path)
    const all = [...this.#files.keys(), ...this.#folders]
    const inside = all.filter((one) => one !== '/' && parentOf(one) === folder)
    return inside.map((one) => one.slice(one.lastIndexOf('/') + 1)).sort()
  }
}

/** Those of this worker. */
export const memoryFiles = new MemoryFiles()

const ENCODER = new TextEncoder()

/** As the errors of the system. */
export function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}

function plain(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}
