import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { RoleParser } from '../../../src/engine/role/parse/parse-role.ts'
import { TaskRegistry } from '../../../src/engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { type ProjectFiles, readProjectFiles } from '../../../src/rolebook/config/project-files.ts'
import { withOpenTexts } from '../../../src/rolebook/lsp/open-texts.ts'
import { PROBE_TASK } from '../../../src/rolebook/lsp/probe-task.ts'
import { ProjectView, type ViewOptions } from '../../../src/rolebook/lsp/project-view.ts'
import type { Request } from '../../../src/rolebook/lsp/request.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import type { ProjectFolder } from '../../support/project-folder.ts'

const kinds = builtinTaskKinds
const parser = new RoleParser(new TaskRegistry([...kinds, PROBE_TASK]))
const schemas = { builtin: loadBuiltinSchemas() }

/** A project as the language server sees it, in this process. */
export class ViewedProject {
  readonly #folder: ProjectFolder
  readonly #files: ProjectFiles
  readonly #options: ViewOptions

  private constructor(folder: ProjectFolder, files: ProjectFiles, options: ViewOptions) {
    this.#folder = folder
    this.#files = files
    this.#options = options
  }

  static async read(folder: ProjectFolder): Promise<ViewedProject> {
    const { watchesFile, rolesPath } = folder.options
    const options: ViewOptions = { watchesFile, rolesPath, environment: {}, kinds, parser, schemas }
    return new ViewedProject(folder, await readProjectFiles(options), options)
  }

  /** A question about a place of a file that an editor has open with a text. */
  request(file: string, text: string, offset: number): Request {
    const path = this.#folder.path(file)
    const open = new Map([[path, new SourceFile(path, text)]])
    const view = new ProjectView(withOpenTexts(this.#files, open), this.#options)
    return { path, text, offset, view, tests: {} }
  }
}
