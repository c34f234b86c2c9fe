import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  printPath,
} from '../../core/base/json.ts'

/** The line of a role that a message is about. */
export interface WrittenPlace {
  /** The same wherever the role is kept: `roles/web/role.yaml`. */
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** The field of the task, as the role writes it. Absent when the task as a whole is meant. */
  readonly field?: string | undefined
}

/** How messages name a file of a role. A ConfigMap has no folders, and replicas may mount it elsewhere: that is not shown. */
export function roleFile(role: string, path = 'role.yaml'): string {
  return `roles/${role}/${path}`
}

/**
 * At which line each field of a task is written. Kept with the task, as all runs need it: lines are small, and its document
 * is not.
 */
export class WrittenLines {
  readonly #file: string
  readonly #body: string
  readonly #line: number
  /** By the path below the task. */
  readonly #lines: ReadonlyMap<string, number>

  /** @param body the key of the task that has its body: paths of fields may begin there, or at the task */
  constructor(file: string, body: string, lines: ReadonlyMap<string, number>) {
    this.#file = file
    this.#body = body
    this.#line = lines.get('') ?? 1
    this.#lines = lines
  }

  /** The place of a field, or of the nearest one around it that is written. Without a field, that of the task. */
  placeOf(field: string | undefined): WrittenPlace {
    const file = this.#file
    for (let path = field ?? ''; path !== ''; path = around(path)) {
      const line = this.#lines.get(`${this.#body}.${path}`) ?? this.#lines.get(path)
      if (line !== undefined) return { file, line, field: path }
    }
    return { file, line: this.#line }
  }
}

/** `spec.ports[0]` of `spec.ports[0].port`. */
function around(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')))
}

/** What is needed of the draft of a task. */
interface DraftOfTask {
  readonly path: JsonPath
  readonly kind: { readonly name: string }
  readonly body: JsonValue
  readonly modifiers: JsonObject
  /** By the field of the body that has them. */
  readonly lists: ReadonlyMap<string, unknown>
}

/** Where a task is written, and what stands in it, but for lists of other tasks: these have lines of their own. */
export function writtenLines(
  { path, kind, body, modifiers, lists }: DraftOfTask,
  writtenAt: (path: JsonPath) => WrittenPlace,
): WrittenLines {
  const inner = new Set([...lists.keys()].map((field) => printPath([kind.name, field])))
  const lines = new Map<string, number>()
  const visit = (value: JsonValue | undefined, below: JsonPath): void => {
    const field = printPath(below)
    lines.set(field, writtenAt([...path, ...below]).line)
    if (inner.has(field)) return
    if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, [...below, index])
    else if (isJsonObject(value)) for (const [key, within] of Object.entries(value)) visit(within, [...below, key])
  }
  visit({ ...modifiers, [kind.name]: body }, [])
  return new WrittenLines(writtenAt(path).file, kind.name, lines)
}

/** A message with the place that it is about at its end, in brackets. The field is named where the message does not. */
export function withPlace(
  message: string,
  place: WrittenPlace | undefined,
  longest = Number.POSITIVE_INFINITY,
): string {
  if (place === undefined) return cut(message, longest)
  const { file, line, field } = place
  const isNamed = field === undefined || message.includes(field)
  const end = ` (${file}:${line}${isNamed ? '' : `, field ${field}`})`
  return `${cut(message, longest - end.length)}${end}`
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, Math.max(0, longest - 1))}…` : text
}
