import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../../../src/core/base/json.ts'
import type { Corpus } from '../corpus.ts'
import { collectionPath, type FuzzRequest, NAMES, NAMESPACES } from '../fuzz-request.ts'
import { junk, junkKey, junkText } from '../junk.ts'
import { mutate, pathsOf } from '../mutate.ts'
import type { Random } from '../random.ts'
import { jsonText, namedPath, small } from './objects.ts'
import { junkQuery } from './queries.ts'

/** Patches of every type, and applies, of objects that may be there. */
export function patchRequest(random: Random, corpus: Corpus): FuzzRequest {
  const { target, object } = random.pick(corpus.objects)
  const name = random.pick(NAMES)
  const namespace = random.pick(NAMESPACES)
  const path = namedPath(random, target, `${collectionPath(target, namespace)}/${name}`)
  const type = random.pick(TYPES)
  const value = { ...object, metadata: { ...object.metadata, name, namespace } } as JsonObject
  const patch = small(PATCHES[type](random, value))
  const manager = `fieldManager=${random.pick(['a', 'b', 'c', ''])}&force=${random.pick(['true', 'false', ''])}`
  const query = random.chance(0.8) ? `?${manager}` : junkQuery(random)
  const headers = [['Content-Type', random.chance(0.97) ? type : random.pick(TYPES)]] as const
  return { topic: 'patches', method: 'PATCH', path: path + query, headers, body: Buffer.from(jsonText(random, patch)) }
}

const PATCHES = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': partOf,
  'application/strategic-merge-patch+json': strategicPatch,
  'application/apply-patch+yaml': applyDocument,
}

const TYPES = Object.keys(PATCHES) as (keyof typeof PATCHES)[]

function jsonPatch(random: Random, object: JsonObject): JsonValue {
  const operations: JsonArray = random.several(5, () => ({
    op: random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x', null]),
    path: pointer(random, object),
    from: random.chance(0.4) ? pointer(random, object) : undefined,
    value: random.chance(0.7) ? junk(random) : undefined,
  }))
  return random.chance(0.9) ? operations : mutate(random, operations)
}

function pointer(random: Random, object: JsonObject): string {
  if (random.chance(0.15)) return `/${random.several(4, () => escapeStep(junkKey(random))).join('/')}`
  const path: JsonPath = random.pick(pathsOf(object))
  const text = path.map((step) => `/${escapeStep(String(step))}`).join('')
  return random.chance(0.8) ? text : `${text}/${random.pick(['-', '0', '01', '-1', '99999999', '1e1', '', 'a'])}`
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Some fields of an object, changed. */
function partOf(random: Random, object: JsonObject): JsonValue {
  const kept = Object.entries(object).filter(() => random.chance(0.5))
  return random.chance(0.4) ? Object.fromEntries(kept) : mutate(random, Object.fromEntries(kept))
}

/** Directives at any place, at the wrong ones most of the time. */
function strategicPatch(random: Random, object: JsonObject): JsonValue {
  const direct = (value: JsonValue | undefined): JsonValue => {
    if (Array.isArray(value)) {
      const items = value.map(direct)
      return random.chance(0.15)
        ? [...items, { $patch: random.pick(['replace', 'delete', 'merge', 'x', null]) }]
        : items
    }
    if (!isJsonObject(value)) return value ?? null
    const inner = Object.entries(value).map(([key, each]) => [key, direct(each)] as const)
    const directives = random.chance(0.12) ? [directive(random, Object.keys(value))] : []
    return Object.fromEntries([...inner, ...directives])
  }
  return mutate(random, direct(partOf(random, object)), 1)
}

function directive(random: Random, keys: readonly string[]): readonly [string, JsonValue] {
  const key = keys.length > 0 && random.chance(0.8) ? random.pick(keys) : junkKey(random)
  return random.pick<readonly [string, JsonValue]>([
    ['$patch', random.pick(['replace', 'delete', 'merge', 7])],
    ['$retainKeys', [key, junkKey(random)]],
    [`$setElementOrder/${key}`, random.several(3, () => junk(random, 1))],
    [`$deleteFromPrimitiveList/${key}`, random.several(3, () => junkText(random))],
  ])
}

function applyDocument(random: Random, object: JsonObject): JsonValue {
  const document = random.chance(0.2) ? { ...object, metadata: managed(random, object) } : object
  return random.chance(0.4) ? document : mutate(random, document)
}

/** Managed fields that no server ever wrote. */
function managed(random: Random, { metadata }: JsonObject): JsonObject {
  const managedFields = random.several(3, () => ({
    manager: junkText(random),
    operation: random.pick(['Apply', 'Update', 'X', null]),
    apiVersion: random.pick(['v1', 'apps/v1', 'x/y/z', '']),
    fieldsType: random.pick(['FieldsV1', 'FieldsV2']),
    fieldsV1: { [`f:${junkKey(random)}`]: { 'k:{"name":"c"}': { '.': {} }, [junkKey(random)]: junk(random, 1) } },
    time: random.pick(['2026-01-01T00:00:00Z', 'x', null]),
  }))
  return { ...(metadata as JsonObject), managedFields }
}
