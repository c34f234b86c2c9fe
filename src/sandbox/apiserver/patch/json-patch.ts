import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { badRequest, jsonKindOf, PatchError, unprocessable } from './patch-error.ts'
import { setField } from './set-field.ts'

const MAX_OPERATIONS = 10_000
const TEXT_FIELDS = ['op', 'path', 'from'] as const

/** RFC 6902, with the liberties of the server's library: `replace` of an absent field adds it. @throws PatchError */
export function applyJsonPatch(live: JsonObject, patch: JsonValue): JsonObject {
  const target: Target = { document: structuredClone(live) as JsonObject, opened: new Set() }
  for (const operation of decode(patch)) run(target, operation)
  for (const object of target.opened) sortFields(object)
  if (isJsonObject(target.document)) return target.document
  throw notAnObject(target.document)
}

/** What the operations change, one after the other. */
interface Target {
  document: JsonValue
  /** The objects on the way of a path. The server's library makes Go maps of them, whose fields are printed by name. */
  readonly opened: Set<Mutable>
}

type Operation = JsonObject
type Mutable = { [name: string]: JsonValue | undefined }

/** As Go decodes a list of operations: null is an empty list, and an operation without fields. */
function decode(patch: JsonValue): readonly Operation[] {
  if (patch === null) return []
  if (!isJsonArray(patch)) throw undecodable(patch, 'value of type []handlers.jsonPatchOp')
  if (patch.length > MAX_OPERATIONS) {
    const message = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`
    throw new PatchError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`)
  }
  return patch.map(decodeOperation)
}

function decodeOperation(operation: JsonValue): Operation {
  if (operation === null) return {}
  if (!isJsonObject(operation)) throw undecodable(operation, 'value of type handlers.jsonPatchOp')
  for (const field of TEXT_FIELDS) {
    const value = operation[field]
    if (value === undefined || value === null || typeof value === 'string') continue
    throw undecodable(value, `struct field jsonPatchOp.${field} of type string`)
  }
  return operation
}

function undecodable(value: JsonValue, target: string): PatchError {
  return badRequest(`error decoding patch: json: cannot unmarshal ${jsonKindOf(value)} into Go ${target}`)
}

function notAnObject(document: JsonValue): PatchError {
  const target =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKindOf(document)} into Go value of type ${target}`
  const message = ` "" is invalid: patch: Invalid value: ${JSON.stringify(JSON.stringify(document))}: ${why}`
  return new PatchError(422, 'Invalid', message)
}

function run(target: Target, operation: Operation): void {
  const { op } = operation
  const work = typeof op === 'string' ? OPERATIONS.get(op) : undefined
  if (!work) throw unprocessable(`Unexpected kind: ${op ?? 'unknown'}`)
  work(target, operation)
}

const OPERATIONS = new Map<string, (target: Target, operation: Operation) => void>([
  ['add', (target, operation) => at(target, operation).add(operandOf(operation))],
  ['remove', (target, operation) => at(target, operation).remove()],
  ['replace', replace],
  ['move', move],
  ['copy', copy],
  ['test', test],
])

/** Where an operation writes to, or what it tests. */
function at(target: Target, operation: Operation): Place {
  const path = pathOf(operation)
  const what = `${operation.op} operation does not apply:`
  return find(target, path, {
    missing: `${what} ${operation.op === 'test' ? 'is' : 'doc is'} missing path: ${shownIn(operation, path)}`,
    failing: `error in ${operation.op === 'replace' ? 'remove' : operation.op} for path: '${path}'`,
  })
}

function shownIn({ op }: Operation, path: string): string {
  return op === 'add' || op === 'remove' ? JSON.stringify(path) : path
}

/** Where it reads from. */
function from(target: Target, operation: Operation): Place {
  const path = fromOf(operation)
  return find(target, path, {
    missing: `${operation.op} operation does not apply: doc is missing from path: ${path}`,
    failing: `error in ${operation.op} for ${operation.op === 'copy' ? 'from' : 'path'}: '${path}'`,
  })
}

/** Where it brings what it has read. */
function destination(target: Target, operation: Operation): Place {
  const path = pathOf(operation)
  return find(target, path, {
    missing: `${operation.op} operation does not apply: doc is missing destination path: ${path}`,
    failing: operation.op === 'copy' ? 'error while adding value during copy' : `error in move for path: '${path}'`,
  })
}

function replace(target: Target, operation: Operation): void {
  const path = pathOf(operation)
  const value = operandOf(operation)
  if (path !== '') at(target, operation).replace(value)
  else if (typeof value === 'object' && value !== null) target.document = value
  else throw unprocessable('replace operation value must be object or array')
}

function move(target: Target, operation: Operation): void {
  const source = from(target, operation)
  const value = source.get()
  source.remove()
  destination(target, operation).add(value as JsonValue)
}

function copy(target: Target, operation: Operation): void {
  const value = structuredClone(from(target, operation).get() ?? null)
  destination(target, operation).add(value)
}

function test(target: Target, operation: Operation): void {
  const path = pathOf(operation)
  const found = path === '' ? target.document : at(target, operation).get()
  if (!jsonEquals(found ?? null, operandOf(operation))) throw unprocessable(`testing value ${path} failed: test failed`)
}

function pathOf(operation: Operation): string {
  return textOf(operation, 'path')
}

function fromOf(operation: Operation): string {
  return textOf(operation, 'from')
}

function textOf(operation: Operation, field: 'path' | 'from'): string {
  const text = operation[field]
  if (typeof text === 'string') return text
  throw unprocessable(`operation missing ${field} field: missing value`)
}

function operandOf(operation: Operation): JsonValue {
  return structuredClone(operation.value ?? null) as JsonValue
}

/** A place in a document. */
interface Place {
  /** `undefined` for an absent field. */
  get(): JsonValue | undefined
  add(value: JsonValue): void
  replace(value: JsonValue): void
  remove(): void
}

/** What is said when nothing is at a path, and before what is wrong there. */
interface Words {
  readonly missing: string
  readonly failing: string
}

function find({ document, opened }: Target, path: string, { missing, failing }: Words): Place {
  const steps = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  let here: JsonValue | undefined = steps.length < 2 ? undefined : document
  if (isJsonObject(here)) opened.add(here as Mutable)
  for (const step of steps.slice(1, -1)) {
    here = childOf(here, step)
    if (isJsonObject(here)) opened.add(here as Mutable)
  }
  const [last = ''] = steps.slice(-1)
  if (isJsonArray(here)) return new ItemPlace(here as JsonValue[], last, failing)
  if (isJsonObject(here)) return new FieldPlace(here as Mutable, last, failing)
  throw unprocessable(`${missing}: missing value`)
}

function childOf(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (isJsonArray(value)) return value.at(/^[+-]?\d+$/.test(step) ? Number(step) : value.length)
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

class FieldPlace implements Place {
  readonly #object: Mutable
  readonly #name: string
  readonly #failing: string

  constructor(object: Mutable, name: string, failing: string) {
    this.#object = object
    this.#name = name
    this.#failing = failing
  }

  get(): JsonValue | undefined {
    return Object.hasOwn(this.#object, this.#name) ? this.#object[this.#name] : undefined
  }

  add(value: JsonValue): void {
    setField(this.#object, this.#name, value)
  }

  replace(value: JsonValue): void {
    this.add(value)
  }

  remove(): void {
    if (this.get() === undefined) {
      throw unprocessable(`${this.#failing}: Unable to remove nonexistent key: ${this.#name}: missing value`)
    }
    delete this.#object[this.#name]
  }
}

function sortFields(object: Mutable): void {
  for (const [name, value] of Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1))) {
    delete object[name]
    setField(object, name, value as JsonValue)
  }
}

/** An item of a list; a negative index counts from its end. */
class ItemPlace implements Place {
  readonly #items: JsonValue[]
  readonly #step: string
  readonly #failing: string

  constructor(items: JsonValue[], step: string, failing: string) {
    this.#items = items
    this.#step = step
    this.#failing = failing
  }

  get(): JsonValue {
    return this.#items[this.#index(this.#items.length)] as JsonValue
  }

  add(value: JsonValue): void {
    if (this.#step === '-') this.#items.push(value)
    else this.#items.splice(this.#index(this.#items.length + 1), 0, value)
  }

  replace(value: JsonValue): void {
    this.#items[this.#index(this.#items.length)] = value
  }

  remove(): void {
    this.#items.splice(this.#index(this.#items.length), 1)
  }

  #index(length: number): number {
    if (!/^[+-]?\d+$/.test(this.#step)) {
      throw unprocessable(`${this.#failing}: strconv.Atoi: parsing ${JSON.stringify(this.#step)}: invalid syntax`)
    }
    const index = Number(this.#step)
    if (index >= length || index < -length) {
      throw unprocessable(`${this.#failing}: Unable to access invalid index: ${index}: invalid index referenced`)
    }
    return index < 0 ? index + length : index
  }
}
