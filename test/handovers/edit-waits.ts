import { isJsonObject } from '../../src/core/base/json.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

/** An edit of a resource, and when all that its role makes was as the edit wants it. */
export interface EditWait {
  readonly resource: string
  readonly editedAt: number
  readonly doneAt: number
}

interface Edit {
  readonly value: number
  readonly at: number
}

/** What the role makes of each resource: two ConfigMaps and a status. */
const OBJECTS = 3

/**
 * How long each edit of each resource waits, by the objects as the server has them, whichever process has written them. The values of edits grow,
 * so a later value answers the earlier edits, too.
 */
export class EditWaits {
  readonly done: EditWait[] = []
  readonly #waiting = new Map<string, Edit[]>()
  readonly #values = new Map<string, Map<string, number>>()
  readonly #now: () => number

  /** @param now defaults to `performance.now()` */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  noteEdit(resource: string, value: number): void {
    const waiting = this.#waiting.get(resource) ?? []
    this.#waiting.set(resource, waiting)
    waiting.push({ value, at: this.#now() })
    this.#settle(resource)
  }

  /** Notes an object as a watch shows it. */
  see({ kind, metadata: { name = '' }, data, status }: KubeObject): void {
    const [resource] = /^p\d+/.exec(name) ?? []
    if (resource === undefined) return
    const values = this.#values.get(resource) ?? new Map<string, number>()
    this.#values.set(resource, values.set(`${kind} ${name}`, valueIn(data ?? status)))
    this.#settle(resource)
  }

  /** All edits. One that is not done yet has waited until now. */
  all(): readonly EditWait[] {
    const doneAt = this.#now()
    const open = [...this.#waiting].flatMap(([resource, edits]) =>
      edits.map(({ at }) => ({ resource, editedAt: at, doneAt })),
    )
    return [...this.done, ...open]
  }

  #settle(resource: string): void {
    const values = this.#values.get(resource)
    if (values?.size !== OBJECTS) return
    const value = Math.min(...values.values())
    const waiting = this.#waiting.get(resource) ?? []
    const doneAt = this.#now()
    while (waiting[0] && waiting[0].value <= value) {
      this.done.push({ resource, editedAt: waiting[0].at, doneAt })
      waiting.shift()
    }
  }
}

function valueIn(content: unknown): number {
  return Number(isJsonObject(content) ? content.value : 0) || 0
}
