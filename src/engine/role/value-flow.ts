import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { REDACTED } from '../../core/base/redactor.ts'
import {
  asRead,
  type Flow,
  FROM_CLUSTER,
  FROM_ROLE,
  type Mark,
  mixed,
  ROLE_MARK,
  unionOf,
  worse,
  worstOf,
} from '../expression/flow/flow.ts'
import { inferFlow } from '../expression/flow/infer-flow.ts'
import type { FunctionTable } from '../expression/function-table.ts'
import { splitTemplate, wholeExpression } from '../expression/split-template.ts'

/** What flows into the variables that a place of a role sees. */
export type FlowSource = (name: string) => Flow | undefined

/** An expression through which a value of a Secret comes. */
export interface Leak {
  readonly path: JsonPath
  readonly at: 'key' | 'value'
  /** Of its source in the text there. */
  readonly offset: number
  readonly length: number
  readonly trail: Mark['trail']
}

/** What flows into a value with expressions in it. */
export interface ValueFlow {
  readonly flow: Flow
  readonly leaks: readonly Leak[]
  /** Expressions that tell a value in the message of an error of their own. */
  readonly errors: readonly Leak[]
  /** Its texts and keys, without the expressions in them. */
  readonly literals: readonly string[]
}

export interface ValueFlowOptions {
  readonly functions: FunctionTable
  /** Defaults to nothing being known. */
  readonly flows?: FlowSource | undefined
  /** Whether everything that expressions yield counts as a value of a Secret. */
  readonly sensitive?: boolean | undefined
}

export const SECRET_MARK: Mark = { origin: 'secret', trail: [] }

const unknown: FlowSource = () => FROM_CLUSTER

/** The expressions of the value compile. */
export function valueFlow(value: JsonValue | undefined, path: JsonPath, options: ValueFlowOptions): ValueFlow {
  const reader = new FlowReader(options)
  const flow = reader.read(value, path)
  const { leaks, errors, literals } = reader
  return { flow, leaks, errors, literals }
}

class FlowReader {
  readonly leaks: Leak[] = []
  readonly errors: Leak[] = []
  readonly literals: string[] = []
  readonly #options: ValueFlowOptions

  constructor(options: ValueFlowOptions) {
    this.#options = options
  }

  read(value: JsonValue | undefined, path: JsonPath): Flow {
    if (typeof value === 'string') return this.#text(value, path, 'value')
    if (isJsonArray(value)) return unionOf(...value.map((item, index) => this.read(item, [...path, index])))
    if (!isJsonObject(value)) return FROM_ROLE
    let [rest, names] = [ROLE_MARK, ROLE_MARK]
    const fields = new Map<string, Flow>()
    for (const [key, inner] of Object.entries(value)) {
      const place = [...path, key]
      const flow = this.read(inner, place)
      names = worse(names, worstOf(this.#text(key, place, 'key')))
      if (key.includes('${')) rest = worse(rest, worstOf(flow))
      else fields.set(key, flow)
    }
    return { rest, fields, names }
  }

  #text(text: string, path: JsonPath, at: Leak['at']): Flow {
    const parts = splitTemplate(text)
    const flows = parts.map((part) => {
      if ('source' in part) return this.#expression(part, path, at)
      this.literals.push(part.text)
      return FROM_ROLE
    })
    return wholeExpression(parts) ? unionOf(...flows) : mixed(...flows)
  }

  #expression({ source, offset }: { source: string; offset: number }, path: JsonPath, at: Leak['at']): Flow {
    const { functions, flows = unknown, sensitive } = this.#options
    const { value, errors, reads } = inferFlow(source, { functions, variable: flows })
    const lead = source.length - source.trimStart().length
    const place = { path, at, offset: offset + lead, length: Math.max(1, source.trim().length) }
    const worst = sensitive ? SECRET_MARK : worstOf(value)
    if (worst.origin === 'secret') this.leaks.push({ ...place, trail: worst.trail })
    if (errors.origin === 'secret') this.errors.push({ ...place, trail: errors.trail })
    if (sensitive) return { rest: SECRET_MARK }
    // What is not made of role and input alone is never taken for harmless, even where nothing seems to flow.
    return reads.origin === 'role' ? value : asRead(value)
  }
}

/** The value at a path with another text where expressions would tell what flows through them. */
export function withoutLeaks(value: JsonValue, path: JsonPath, leaks: readonly Leak[]): JsonValue {
  if (leaks.length === 0) return value
  const inner = (step: string | number): readonly Leak[] => leaks.filter((leak) => leak.path[path.length] === step)
  if (typeof value === 'string') return withoutParts(value, leaks)
  if (isJsonArray(value)) return value.map((item, index) => withoutLeaks(item, [...path, index], inner(index)))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, field]) => {
    const place = [...path, key]
    const within = inner(key)
    const isKey = ({ at, path: { length } }: Leak): boolean => at === 'key' && length === place.length
    const rest = within.filter((leak) => !isKey(leak))
    return [withoutParts(key, within.filter(isKey)), field && withoutLeaks(field, place, rest)] as const
  })
  return Object.fromEntries(entries)
}

function withoutParts(text: string, leaks: readonly Leak[]): string {
  return leaks.toReversed().reduce((rest, { offset, length }) => {
    const start = rest.lastIndexOf('${', offset)
    const end = rest.indexOf('}', offset + length)
    return rest.slice(0, start) + REDACTED + rest.slice(end + 1)
  }, text)
}
