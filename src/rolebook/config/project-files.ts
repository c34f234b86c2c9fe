import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { hashJson } from '../../core/base/hash.ts'
import { type Diagnostic, diagnosticOf, type Problem } from '../../core/yaml/diagnostic.ts'
import { CHARTS_FILE, parseChartsFile } from './charts-file.ts'
import { type ChartFiles, hashCharts, readCharts } from './read-charts.ts'
import { fileProblem, isInside, LINK, readTextFile, type TextFile } from './read-text-file.ts'
import { MAX_DEPTH, OTHER_PURPOSES } from './unread-paths.ts'

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
  /** Files that stand beside the roles, by name: those of roles without a folder. */
  readonly beside: ReadonlyMap<string, TextFile>
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
  /** Files of tasks and texts, by their path below the folder of the role. */
  readonly files: ReadonlyMap<string, TextFile>
  /** Helm charts. Absent for a role without a folder. */
  readonly charts?: ChartFiles | undefined
}

/** More than that is not a project: a wrong folder was named. */
const MAX_FILES = 2_000
/** All files together: a mounted ConfigMap has a mebibyte at most. */
const MAX_CHARACTERS = 64 * 1024 * 1024
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
  const { beside } = folder
  const inFolders = [...roles.values()].flatMap((one) => [
    ...one.role,
    ...one.crds,
    ...one.samples,
    ...one.files.values(),
  ])
  const files = [watches, ...inFolders, ...beside.values()]
  const contents = files.map((file) => [file.path, contentOf(file)])
  const problems = folder.diagnostics.map(({ file, code }) => [file, code])
  const directories = [home, ...folder.directories]
  const charts = [...roles].map(([name, { charts: files }]) => [name, files ? hashCharts(files) : ''])
  return {
    hash: hashJson([contents, problems, charts]),
    watches,
    roles,
    beside,
    diagnostics: folder.diagnostics,
    directories,
  }
}

function contentOf(file: TextFile): string {
  return file.source ? file.source.text : `${file.problem.code} ${file.problem.message}`
}

/** The roles folder, whose roles are folders or, side by side, files. */
class FolderReader {
  readonly diagnostics: Diagnostic[] = []
  readonly directories: string[] = []
  readonly beside = new Map<string, TextFile>()
  readonly #path: string
  /** May lie in the same folder. */
  readonly #watchesFile: string
  readonly #roles = new Map<string, GrowingFiles>()
  #root = ''
  #files = 0
  #characters = 0

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
    } else if (this.#characters > MAX_CHARACTERS) {
      const message = `the files of the roles have more than ${MAX_CHARACTERS} characters`
      this.#report(this.#path, { code: 'RB1305', message })
    }
    return this.#roles
  }

  async #readEntry(name: string, path: string): Promise<void> {
    if (resolve(path) === this.#watchesFile) return
    if (name.endsWith('.crd.yaml')) await this.#readInto(this.#roleOf(name.slice(0, -'.crd.yaml'.length)).crds, path)
    else if (name.endsWith('.yaml')) await this.#readInto(this.#roleOf(name.slice(0, -'.yaml'.length)).role, path)
    else if (await isDirectory(path)) await this.#readRoleFolder(name, path)
    else if (name.endsWith(CHARTS_FILE)) await this.#readCharts(name.slice(0, -CHARTS_FILE.length), path)
    else if (name.includes('.files.')) await this.#readNamed(this.beside, name, path)
    else if (name.endsWith('.crd.yml')) this.#warnOfUnread(path)
  }

  async #readCharts(role: string, path: string): Promise<void> {
    const read = await readTextFile(path, this.#root)
    const files = read.source ? parseChartsFile(read.source.text) : read.problem
    if ('code' in files) return this.#report(path, files)
    const inFolder = this.#roleOf(role).charts
    if (inFolder && inFolder.files.size + inFolder.sizes.size > 0) return this.#report(path, twice(role))
    this.#roleOf(role).charts = { files, sizes: new Map(), directories: [], diagnostics: [] }
  }

  async #readRoleFolder(name: string, path: string): Promise<void> {
    const names = await this.#list(path)
    const files = this.#roleOf(name)
    if (names.includes('role.yaml')) await this.#readInto(files.role, join(path, 'role.yaml'))
    if (names.includes('crd.yaml')) await this.#readInto(files.crds, join(path, 'crd.yaml'))
    const root = await realpath(path).catch(() => this.#root)
    files.charts = await readCharts(path, root)
    this.directories.push(...files.charts.directories)
    this.diagnostics.push(...files.charts.diagnostics)
    for (const one of names) await this.#readBelow(files.files, one, { path: join(path, one), root })
    if (names.includes('samples')) await this.#readSamples(files.samples, join(path, 'samples'))
    if (names.includes('crd.yml')) this.#warnOfUnread(join(path, 'crd.yml'))
    // Only unread files are reported here. The test runner reports all other mistakes of tests.
    const tests = names.includes('tests') ? await listNames(join(path, 'tests'), root) : { names: [] }
    for (const one of 'names' in tests ? tests.names : []) this.#warnOfUnread(join(path, 'tests', one))
  }

  async #readSamples(files: TextFile[], path: string): Promise<void> {
    for (const name of await this.#list(path)) {
      if (name.endsWith('.yaml')) await this.#readInto(files, join(path, name))
      else this.#warnOfUnread(join(path, name))
    }
  }

  /** Of a file that has the other ending of YAML. */
  #warnOfUnread(path: string): void {
    if (!path.endsWith('.yml')) return
    const hint = `rename it to ${basename(path, '.yml')}.yaml`
    const message = 'is not read: names of YAML files end in `.yaml`'
    this.#report(path, { severity: 'warning', code: 'RB1320', message, hint })
  }

  /**
   * Everything in `files/`, and YAML elsewhere, less what a role has for other purposes. `name` begins at the folder of the
   * role, whose real place is `root`. What cannot be read is reported where it is used.
   */
  async #readBelow(files: Map<string, TextFile>, name: string, place: { path: string; root: string }): Promise<void> {
    const { path, root } = place
    const steps = name.split('/')
    if (steps.length > MAX_DEPTH || OTHER_PURPOSES.has(name)) return
    if (!(await isDirectory(path))) {
      if (name.endsWith('.yaml') || steps[0] === 'files') await this.#readNamed(files, name, path, root)
      return
    }
    const found = await listNames(path, root)
    if ('problem' in found) files.set(name, { path, problem: diagnosticOf(path, found.problem) })
    else {
      this.directories.push(path)
      for (const one of found.names) await this.#readBelow(files, `${name}/${one}`, { path: join(path, one), root })
    }
  }

  async #readInto(files: TextFile[], path: string): Promise<void> {
    const file = await this.#read(path)
    if (file) files.push(file)
  }

  async #readNamed(files: Map<string, TextFile>, name: string, path: string, root = this.#root): Promise<void> {
    const file = await this.#read(path, root)
    if (file) files.set(name, file)
  }

  /** Of too many, no more than the first are read. */
  async #read(path: string, root = this.#root): Promise<TextFile | undefined> {
    this.#files += 1
    if (this.#files > MAX_FILES || this.#characters > MAX_CHARACTERS) return undefined
    const file = await readTextFile(path, root)
    this.#characters += file.source?.text.length ?? 0
    return file
  }

  #roleOf(name: string): GrowingFiles {
    const files = this.#roles.get(name) ?? { role: [], crds: [], samples: [], files: new Map() }
    this.#roles.set(name, files)
    return files
  }

  async #list(path: string): Promise<readonly string[]> {
    const found = await listNames(path, this.#root)
    if ('problem' in found) this.#report(path, found.problem)
    if (!('problem' in found) || found.problem === NO_FOLDER) this.directories.push(path)
    return 'problem' in found ? [] : found.names
  }

  #report(path: string, problem: Problem): void {
    this.diagnostics.push(diagnosticOf(path, problem))
  }
}

function twice(role: string): Problem {
  const message = `the charts of role \`${role}\` stand here and in its folder`
  return { code: 'RB1312', message, hint: 'remove one of the two' }
}

interface GrowingFiles {
  readonly role: TextFile[]
  readonly crds: TextFile[]
  readonly samples: TextFile[]
  readonly files: Map<string, TextFile>
  charts?: ChartFiles
}

const NO_FOLDER: Problem = { code: 'RB1302', message: 'cannot be read: it is a file, not a folder' }

/** Names in a folder whose real place is inside `root`, in order, without hidden ones and the kubelet's `..data`. */
async function listNames(
  path: string,
  root: string,
): Promise<{ readonly names: readonly string[] } | { readonly problem: Problem }> {
  try {
    if (!isInside(await realpath(path), root)) return { problem: LINK }
    if (!(await isDirectory(path))) return { problem: NO_FOLDER }
    return { names: (await readdir(path)).filter((name) => !name.startsWith('.')).sort() }
  } catch (error) {
    return { problem: fileProblem(error) }
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  )
}
