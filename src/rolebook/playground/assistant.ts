import { join } from 'node:path'
import { RoleParser } from '../../engine/role/parse/parse-role.ts'
import { TaskRegistry } from '../../engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../engine/tasks/builtin-task-kinds.ts'
import { complete } from '../lsp/completion.ts'
import { hover } from '../lsp/hover.ts'
import { PROBE_TASK } from '../lsp/probe-task.ts'
import type { Request } from '../lsp/request.ts'
import type { AnySchema } from '../lsp/schema-places.ts'
import { Workspace } from '../lsp/workspace.ts'
import { TEST_SCHEMA } from '../role-test/test-schema.ts'
import type { ProjectTools } from './project-folder.ts'
import type { CompletionView, HoverView, TextPlace } from './protocol.ts'

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

  /** Files have changed that are not open. */
  forgetFiles(): void {
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

  async #requestFor({ path, text, offset }: TextPlace): Promise<Request | undefined> {
    const whole = join(this.#folder, path)
    this.#workspace.setText(whole, text)
    const view = await this.#workspace.viewOf(whole)
    return view && { path: whole, text, offset, view, tests: TEST_SCHEMA as AnySchema }
  }
}
