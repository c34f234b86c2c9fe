import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { REDACTED } from '../../../core/base/redactor.ts'
import {
  asRead,
  type Flow,
  FROM_CLUSTER,
  FROM_ROLE,
  type Mark,
  mixed,
  ROLE_MARK,
  SECRET_MARK,
  unionOf,
  worse,
  worstOf,
} from '../../expression/flow/flow.ts'
import { inferFlow } from '../../expression/flow/infer-flow.ts'
import type { FunctionTable } from '../../expression/function-table.ts'
import { splitTemplate, wholeExpression } from '../../expression/split-template.ts'

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
  /** Expressions that show a value in the message of their own error. */
  readonly errors: readonly Leak[]
  /** Its texts and keys, without the expressions in them. */
  readonly literals: readonly string[]
  /** The value with `<redacted>` in the place of each leak. */
  readonly shown: JsonValue | undefined
}

export interface ValueFlowOptions {
  readonly functions: FunctionTable
  /** Defaults to nothing being known. */
  readonly flows?: FlowSource | undefined
  /** Whether everything that expressions yield counts as a value of a Secret. */
  readonly sensitive?: boolean | undefined
}

const unknown: FlowSource = () => FROM_CLUSTER

/** The expressions of the value compile. */
export function valueFlow(value: JsonValue | undefined, path: JsonPath, options: ValueFlowOptions): ValueFlow {
  const reader = new FlowReader(options)
  const read = reader.read(value, path)
  const { leaks, errors, literals } = reader
  return { ...read, leaks, errors, literals }
}

type Read<Value = JsonValue | undefined> = Pick<ValueFlow, 'flow'> & { readonly shown: Value }

class FlowReader {
  readonly leaks: Leak[] = []
  readonly errors: Leak[] = []
  readonly literals: string[] = []
  readonly #options: ValueFlowOptions

  constructor(options: ValueFlowOptions) {
    this.#options = options
  }

  read(value: JsonValue | undefined, path: JsonPath): Read {
    if (typeof value === 'string') return this.#text(value, path, 'value')
    if (isJsonObject(value)) return this.#object(value, path)
    if (!isJsonArray(value)) return { flow: FROM_ROLE, shown: value }
    const items = value.map((item, index) => this.read(item, [...path, index]))
    return { flow: unionOf(...items.map(({ flow }) => flow)), shown: items.map(({ shown }) => shown ?? null) }
  }

  #object(object: JsonObject, path: JsonPath): Read {
    let [rest, names] = [ROLE_MARK, ROLE_MARK]
    const fields = new Map<string, Flow>()
    const entries = Object.entries(object).map(([key, inner]) => {
      const place = [...path, key]
      const value = this.read(inner, place)
      const name = this.#text(key, place, 'key')
      names = worse(names, worstOf(name.flow))
      if (key.includes('${')) rest = worse(rest, worstOf(value.flow))
      else fields.set(key, value.flow)
      return [name.shown, value.shown] as const
    })
    return { flow: { rest, fields, names }, shown: Object.fromEntries(entries) }
  }

  #text(text: string, path: JsonPath, at: Leak['at']): Read<string> {
    const parts = splitTemplate(text)
    let [shown, end] = ['', 0]
    const flows = parts.map((part) => {
      if ('text' in part) {
        this.literals.push(part.text)
        return FROM_ROLE
      }
      const leaks = this.leaks.length
      const flow = this.#expression(part, path, at)
      if (this.leaks.length > leaks) {
        shown += text.slice(end, part.offset - '${'.length) + REDACTED
        end = part.offset + part.source.length + '}'.length
      }
      return flow
    })
    return { flow: wholeExpression(parts) ? unionOf(...flows) : mixed(...flows), shown: shown + text.slice(end) }
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
