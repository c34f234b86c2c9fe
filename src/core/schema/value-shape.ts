import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/json.ts'
import { isContainer } from './changes.ts'
import { DEDUCED, type ListType, type MapType, type MergeType } from './merge-type.ts'

/**
 * What values of a type have in common if only their contents differ: the same fields in the same order, of the same JSON
 * types and equally empty, and lists whose items have the same keys. So they have the same set of fields, and all of them fit
 * their type, or none does. Equal shapes are the same object, as long as they are remembered.
 */
export type ValueShape = object

/** The shape of a value; `undefined` when none is worth remembering: it is very large, or has keys that are not scalars. */
export function shapeOf(value: JsonValue, type: MergeType): ValueShape | undefined {
  if (known > MAX_KNOWN) forgetAll()
  room = MAX_NEW
  const root = roots.get(type) ?? new Step()
  roots.set(type, root)
  const end = walk(root, value, type)
  return end === NOWHERE ? undefined : end
}

/** How many steps are remembered in all, and how many a single value may add. */
const MAX_KNOWN = 50_000
const MAX_NEW = 2000

let roots = new WeakMap<MergeType, Step>()
let known = 0
let room = 0

function forgetAll(): void {
  roots = new WeakMap()
  known = 0
}

type Token = string | number | boolean | null | undefined | symbol

/**
 * A place in the tree of all walks through values of a type, which are read as one line of tokens. Values of the same
 * shape end at the very same place.
 */
class Step {
  /** Of the field whose name was read last. */
  type: MergeType | undefined
  /** The list or object that was read from here last, and where that led: values that come one after the other share parts. */
  last: { readonly value: JsonArray | JsonObject; readonly end: Step } | undefined
  #token: Token
  #next: Step | undefined
  #others: Map<Token, Step> | undefined

  after(token: Token): Step {
    if (this.#token === token && this.#next !== undefined) return this.#next
    return this.#others?.get(token) ?? this.#add(token)
  }

  #add(token: Token): Step {
    if (room === 0 || this === NOWHERE) return NOWHERE
    room--
    known++
    const step = new Step()
    if (this.#next === undefined) {
      this.#token = token
      this.#next = step
    } else {
      this.#others ??= new Map()
      this.#others.set(token, step)
    }
    return step
  }
}

/** From there no way leads on. */
const NOWHERE = new Step()

const MAP = Symbol('map')
const LIST = Symbol('list')
const END = Symbol('end')
const TEXT = Symbol('text')
const NUMBER = Symbol('number')

function walk(step: Step, value: JsonValue | undefined, type: MergeType): Step {
  if (!isContainer(value)) return step.after(kindOf(value))
  if (step.last?.value === value) return step.last.end
  const end = isJsonArray(value)
    ? walkList(step.after(LIST), value, type.list)
    : walkMap(step.after(MAP), value, type.map)
  if (end !== NOWHERE) step.last = { value, end }
  return end
}

/** Empty and non-empty values differ: the zero value of a Go struct may have an empty one already. */
function kindOf(value: string | number | boolean | null | undefined): Token {
  if (typeof value === 'string') return value === '' ? '' : TEXT
  return typeof value === 'number' && value !== 0 ? NUMBER : value
}

function walkMap(start: Step, value: JsonObject, type: MapType | undefined): Step {
  let step = start
  for (const name of Object.keys(value)) {
    const field = step.after(name)
    field.type ??= type?.field(name) ?? DEDUCED
    step = walk(field, value[name], field.type)
  }
  return step.after(END)
}

function walkList(start: Step, items: JsonArray, type: ListType | undefined): Step {
  if (items.length === 0) return start.after(END)
  const element = type?.element ?? DEDUCED
  let step = start
  for (const item of items) step = walk(identify(step, item, type), item, element)
  return step.after(END)
}

/** An item of a set or map is known by its content or keys. */
function identify(start: Step, item: JsonValue, type: ListType | undefined): Step {
  if (type === undefined || type.kind === 'atomic') return start
  if (type.kind === 'set') return afterScalar(start, item)
  let step = start
  for (const key of type.keys) step = afterScalar(step, isJsonObject(item) ? item[key] : undefined)
  return step
}

function afterScalar(step: Step, value: JsonValue | undefined): Step {
  return typeof value === 'object' && value !== null ? NOWHERE : step.after(value)
}
