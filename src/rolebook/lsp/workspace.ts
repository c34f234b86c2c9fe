import { join, sep } from 'node:path'
import type { KubeObject } from '../../core/kube/object.ts'
import type { Diagnostic } from '../../core/yaml/diagnostic.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import { TaskPlaces } from '../../engine/role/parse/task-places.ts'
import { findProject } from '../config/find-project.ts'
import { buildProject } from '../config/load-project.ts'
import { type ProjectFiles, readProjectFiles } from '../config/project-files.ts'
import { isExpectedToFail } from '../role-test/expected-refusals.ts'
import { type LoadedTests, type LoadOptions, loadTests } from '../role-test/load-tests.ts'
import { trialOf } from '../trial/check-project.ts'
import { withOpenTexts } from './open-texts.ts'
import { ProjectView, type ViewOptions } from './project-view.ts'

/** What is wrong with a project, in all its files. */
export interface CheckedProject {
  readonly found: readonly Diagnostic[]
  /** What else a trial of its roles finds. Absent: the project has errors, and is not tried. */
  readonly tryRoles?: ((goesOn: () => Promise<boolean>) => Promise<readonly Diagnostic[]>) | undefined
}

/** The projects of the files that are open, with what the editor has of them instead of what is on disk. */
export class Workspace {
  /** The paths are those below the folder of each project. */
  readonly #options: ViewOptions
  readonly #open = new Map<string, SourceFile>()
  /** By their folder. */
  readonly #files = new Map<string, Promise<ProjectFiles>>()
  readonly #views = new Map<string, ProjectView>()

  constructor(options: ViewOptions) {
    this.#options = options
  }

  setText(path: string, text: string): void {
    if (this.#open.get(path)?.text === text) return
    this.#open.set(path, new SourceFile(path, text))
    this.#views.clear()
  }

  close(path: string): void {
    this.#open.delete(path)
    this.forgetDisk()
  }

  /** Something has changed on disk. */
  forgetDisk(): void {
    this.#files.clear()
    this.#views.clear()
  }

  get openPaths(): readonly string[] {
    return [...this.#open.keys()]
  }

  /** The folder of the project that a file belongs to. */
  projectOf(path: string): Promise<string | undefined> {
    return findProject(path, this.#options.watchesFile)
  }

  async viewOf(path: string): Promise<ProjectView | undefined> {
    const folder = await this.projectOf(path)
    if (folder === undefined) return undefined
    const files = await this.#filesOf(folder)
    const view = this.#views.get(folder) ?? new ProjectView(withOpenTexts(files, this.#open), this.#optionsFor(folder))
    this.#views.set(folder, view)
    return view
  }

  /** What `check` says of a project without a trial of its roles. */
  async check(folder: string): Promise<CheckedProject> {
    const files = withOpenTexts(await this.#filesOf(folder), this.#open)
    const places = new TaskPlaces()
    const options = this.#optionsFor(folder)
    const result = buildProject(files, { ...options, places })
    const { project, diagnostics } = result
    const tests = project && (await this.#testsOf(project, options))
    const inFolder = (text: string): string => text.replaceAll(folder + sep, '')
    const shown = (some: readonly Diagnostic[]): readonly Diagnostic[] =>
      some.map((one) => ({ ...one, message: inFolder(one.message), hint: one.hint && inFolder(one.hint) }))
    const found = shown([...diagnostics, ...(tests?.diagnostics ?? [])])
    if (!project || !tests) return { found }
    const isRefusalExpected = (sample: KubeObject): boolean => isExpectedToFail(sample, tests.tests)
    const { schemas } = options
    return {
      found,
      tryRoles: async (goesOn) => shown(await trialOf(result, { project, schemas, places, isRefusalExpected, goesOn })),
    }
  }

  #testsOf(project: LoadOptions['project'], { rolesPath, schemas }: ViewOptions): Promise<LoadedTests> {
    return loadTests({ project, rolesPath, schemas: schemas.builtin, open: this.#open })
  }

  #filesOf(folder: string): Promise<ProjectFiles> {
    const files = this.#files.get(folder) ?? readProjectFiles(this.#optionsFor(folder))
    this.#files.set(folder, files)
    return files
  }

  #optionsFor(folder: string): ViewOptions {
    const { watchesFile, rolesPath } = this.#options
    return { ...this.#options, watchesFile: join(folder, watchesFile), rolesPath: join(folder, rolesPath) }
  }
}
