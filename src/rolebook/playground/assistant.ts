import { join } from 'node:path'
import type { SourceRange } from '../../core/yaml/diagnostic.ts'
import { RoleParser } from '../../engine/role/parse/parse-role.ts'
import { TaskRegistry } from '../../engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../engine/tasks/builtin-task-kinds.ts'
import { complete } from '../lsp/completion.ts'
import { hover } from '../lsp/hover.ts'
import { fileAt, meaningAt, nameAt } from '../lsp/navigation.ts'
import { PROBE_TASK } from '../lsp/probe-task.ts'
import type { Request } from '../lsp/request.ts'
import type { AnySchema } from '../lsp/schema-places.ts'
import { Workspace } from '../lsp/workspace.ts'
import { TEST_SCHEMA } from '../role-test/test-schema.ts'
import type { ProjectTools } from './project-folder.ts'
import type { CompletionView, FileEdit, HoverView, TextPlace, TextRange } from './protocol.ts'

/** Answers the editor of the page as the language server answers others. */
export class Assistant {
  readonly #folder: string
  readonly #workspace: Workspace

  constructor({ folder, schemas }: ProjectTools) {
    this.#folder = folder
    this.#workspace = new Workspace({
      ...{ watchesFile: 'watches.yaml', rolesPath: 'roles', environment: {}, kinds: builtinTaskKinds },
      parser: new RoleParser(new TaskRegistry([...builtinTaskKinds, PROBE_TASK])),
      schemas: { builtin: schemas },
    })
  }

  /** The files of the project have changed: they are newer than the texts of former questions. */
  forgetFiles(): void {
    for (const path of this.#workspace.openPaths) this.#workspace.close(path)
    this.#workspace.forgetDisk()
  }

  /** What may stand at the place, the best first. */
  async complete(place: TextPlace): Promise<CompletionView> {
    const request = await this.#requestFor(place)
    if (!request) return { suggestions: [], start: place.offset, end: place.offset }
    const { suggestions, start, end } = complete(request)
    const sorted = suggestions.toSorted((left, right) => left.rank - right.rank)
    return { start, end, suggestions: sorted.map(({ rank: _, ...suggestion }) => suggestion) }
  }

  /** What is known of what stands at the place. */
  async hover(place: TextPlace): Promise<HoverView | null> {
    const request = await this.#requestFor(place)
    const found = request && hover(request)
    return found ? { text: found.text, start: found.range.start, end: found.range.end } : null
  }

  /** Where the name at the place comes from, or the beginning of the file that it names. */
  async define(place: TextPlace): Promise<readonly TextRange[]> {
    const request = await this.#requestFor(place)
    if (!request) return []
    const file = fileAt(request)
    if (file !== undefined) return [{ path: this.#below(file), start: 0, end: 0 }]
    return (meaningAt(request)?.definitions ?? []).map((range) => this.#rangeOf(range))
  }

  /** The name at the place, if it can be renamed. */
  async name(place: TextPlace): Promise<TextRange | null> {
    const request = await this.#requestFor(place)
    const meaning = request && meaningAt(request)
    const found = meaning && nameAt(meaning, request)
    return found ? this.#rangeOf(found) : null
  }

  /**
   * What gives the name at the place another one, wherever it stands.
   *
   * @throws Error when it cannot be called so
   */
  async rename(place: TextPlace, name: string): Promise<readonly FileEdit[]> {
    const request = await this.#requestFor(place)
    const meaning = request && meaningAt(request)
    if (!meaning) throw new Error('cannot rename: there is no variable or task at the cursor (put it on its name)')
    const renamed = meaning.rename(name)
    if ('problem' in renamed) throw new Error(`cannot rename: ${renamed.problem} (choose another name)`)
    return [...meaning.definitions, ...meaning.uses].map((range) => ({ ...this.#rangeOf(range), text: renamed.text }))
  }

  #rangeOf({ source, start, end }: SourceRange): TextRange {
    return { path: this.#below(source.path), start, end }
  }

  #below(path: string): string {
    return path.slice(this.#folder.length + 1)
  }

  async #requestFor({ path, text, offset }: TextPlace): Promise<Request | undefined> {
    const whole = join(this.#folder, path)
    this.#workspace.setText(whole, text)
    const view = await this.#workspace.viewOf(whole)
    return view && { path: whole, text, offset, view, tests: TEST_SCHEMA as AnySchema }
  }
}
