import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hashJson } from '../base/hash.ts'
import { type Diagnostic, diagnosticOf, type Problem } from '../yaml/diagnostic.ts'
import { fileProblem, isInside, LINK, readTextFile, type TextFile } from './read-text-file.ts'

export interface ProjectPlaces {
  readonly watchesFile: string
  readonly rolesPath: string
}

/** All files of a project, read at one moment and not yet understood. */
export interface ProjectFiles {
  /** Changes when any file does. */
  readonly hash: string
  readonly watches: TextFile
  /** By name. */
  readonly roles: ReadonlyMap<string, RoleFiles>
  /** About the folders themselves. */
  readonly diagnostics: readonly Diagnostic[]
  /** Where files may come, go or change. */
  readonly directories: readonly string[]
}

export interface RoleFiles {
  /** `<name>/role.yaml` and `<name>.yaml`: those that are there. */
  readonly role: readonly TextFile[]
  /** `<name>/crd.yaml` and `<name>.crd.yaml`: those that are there. */
  readonly crds: readonly TextFile[]
  readonly samples: readonly TextFile[]
}

/** More than that is no project: a wrong folder was named. */
const MAX_FILES = 2_000
const ATTEMPTS = 5

/**
 * Reads everything until two readings in a row are equal, so that what is being written while it is read is never seen half
 * (unless it never stands still: then the last reading counts, and the next change brings another).
 */
export async function readProjectFiles(places: ProjectPlaces): Promise<ProjectFiles> {
  let last = await readOnce(places)
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const next = await readOnce(places)
    if (next.hash === last.hash) return next
    last = next
  }
  return last
}

async function readOnce(places: ProjectPlaces): Promise<ProjectFiles> {
  const folder = new FolderReader(places)
  const home = dirname(places.watchesFile)
  const watches = await readTextFile(places.watchesFile, await realpath(home).catch(() => home))
  const roles = await folder.read()
  const files = [watches, ...[...roles.values()].flatMap(({ role, crds, samples }) => [...role, ...crds, ...samples])]
  const contents = files.map((file) => [file.path, contentOf(file)])
  const problems = folder.diagnostics.map(({ file, code }) => [file, code])
  const directories = [home, ...folder.directories]
  return { hash: hashJson([contents, problems]), watches, roles, diagnostics: folder.diagnostics, directories }
}

function contentOf(file: TextFile): string {
  return file.source ? file.source.text : `${file.problem.code} ${file.problem.message}`
}

/** The roles folder, whose roles are folders or, side by side, files. */
class FolderReader {
  readonly diagnostics: Diagnostic[] = []
  readonly directories: string[] = []
  readonly #path: string
  /** May lie in the same folder. */
  readonly #watchesFile: string
  readonly #roles = new Map<string, { role: TextFile[]; crds: TextFile[]; samples: TextFile[] }>()
  #root = ''
  #files = 0

  constructor({ rolesPath, watchesFile }: ProjectPlaces) {
    this.#path = rolesPath
    this.#watchesFile = resolve(watchesFile)
  }

  async read(): Promise<ReadonlyMap<string, RoleFiles>> {
    try {
      this.#root = await realpath(this.#path)
    } catch (error) {
      this.#report(this.#path, fileProblem(error))
      // Watched all the same: it may come.
      this.directories.push(dirname(this.#path))
      return this.#roles
    }
    for (const name of await this.#list(this.#path)) await this.#readEntry(name, join(this.#path, name))
    if (this.#files > MAX_FILES) {
      this.#report(this.#path, { code: 'RB1305', message: `the folder holds more than ${MAX_FILES} files of roles` })
    }
    return this.#roles
  }

  async #readEntry(name: string, path: string): Promise<void> {
    if (resolve(path) === this.#watchesFile) return
    if (name.endsWith('.crd.yaml')) await this.#readInto(this.#roleOf(name.slice(0, -'.crd.yaml'.length)).crds, path)
    else if (name.endsWith('.yaml')) await this.#readInto(this.#roleOf(name.slice(0, -'.yaml'.length)).role, path)
    else if (await isDirectory(path)) await this.#readRoleFolder(name, path)
  }

  async #readRoleFolder(name: string, path: string): Promise<void> {
    const names = await this.#list(path)
    const files = this.#roleOf(name)
    if (names.includes('role.yaml')) await this.#readInto(files.role, join(path, 'role.yaml'))
    if (names.includes('crd.yaml')) await this.#readInto(files.crds, join(path, 'crd.yaml'))
    if (!names.includes('samples')) return
    const samples = join(path, 'samples')
    const sampleNames = (await this.#list(samples)).filter((one) => one.endsWith('.yaml'))
    for (const one of sampleNames) await this.#readInto(files.samples, join(samples, one))
  }

  async #readInto(files: TextFile[], path: string): Promise<void> {
    this.#files += 1
    if (this.#files <= MAX_FILES) files.push(await readTextFile(path, this.#root))
  }

  #roleOf(name: string): { role: TextFile[]; crds: TextFile[]; samples: TextFile[] } {
    const files = this.#roles.get(name) ?? { role: [], crds: [], samples: [] }
    this.#roles.set(name, files)
    return files
  }

  /** Names in order, without hidden ones and the kubelet's `..data`. */
  async #list(path: string): Promise<readonly string[]> {
    try {
      const isAllowed = isInside(await realpath(path), this.#root)
      if (isAllowed) this.directories.push(path)
      if (isAllowed && (await isDirectory(path))) {
        return (await readdir(path)).filter((name) => !name.startsWith('.')).sort()
      }
      this.#report(path, isAllowed ? NO_FOLDER : LINK)
    } catch (error) {
      this.#report(path, fileProblem(error))
    }
    return []
  }

  #report(path: string, problem: Problem): void {
    this.diagnostics.push(diagnosticOf(path, problem))
  }
}

const NO_FOLDER: Problem = { code: 'RB1302', message: 'cannot be read: it is a file, not a folder' }

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  )
}
