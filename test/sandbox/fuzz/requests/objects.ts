import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { printYaml } from '../../../../src/core/yaml/print-yaml.ts'
import type { Corpus } from '../corpus.ts'
import { collectionPath, type FuzzRequest, NAMES, NAMESPACES, type Target } from '../fuzz-request.ts'
import { junk, junkText } from '../junk.ts'
import { mutate } from '../mutate.ts'
import type { Random } from '../random.ts'
import { junkQuery } from './queries.ts'

/** POST and PUT of objects that are nearly right, as JSON or YAML, and GET and DELETE of them. */
export function objectRequest(random: Random, corpus: Corpus): FuzzRequest {
  const { target, object } = random.pick(corpus.objects)
  const name = random.pick(NAMES)
  const namespace = random.pick(NAMESPACES)
  const collection = collectionPath(target, namespace)
  const metadata = { ...object.metadata, name, ...(target.namespaced && { namespace }) }
  const sent = random.chance(0.4)
    ? { ...object, metadata }
    : mutate(random, small({ ...object, metadata } as JsonObject))
  const method = random.pick(['POST', 'POST', 'POST', 'POST', 'PUT', 'PUT', 'PUT', 'GET', 'DELETE'])
  const path = method === 'POST' ? collection : namedPath(random, target, `${collection}/${name}`)
  const query = random.chance(0.3) ? junkQuery(random) : ''
  return { topic: 'objects', method, path: path + query, ...bodyOf(random, sent as JsonValue, method) }
}

export function namedPath(random: Random, { subresources }: Target, path: string): string {
  const subresource = subresources.length > 0 && random.chance(0.35) ? random.pick(subresources) : undefined
  return subresource === undefined ? path : `${path}/${subresource}`
}

function bodyOf(random: Random, value: JsonValue, method: string): Pick<FuzzRequest, 'headers' | 'body'> {
  if (method === 'GET') return { headers: [], body: undefined }
  if (method === 'DELETE' && random.chance(0.5)) return { headers: JSON_TYPE, body: deleteOptions(random) }
  if (random.chance(0.1)) return { headers: YAML_TYPE, body: Buffer.from(yamlOf(random, value)) }
  return { headers: JSON_TYPE, body: Buffer.from(jsonText(random, value)) }
}

export const JSON_TYPE: FuzzRequest['headers'] = [['Content-Type', 'application/json']]
const YAML_TYPE: FuzzRequest['headers'] = [['Content-Type', 'application/yaml']]

/** JSON, rarely torn, doubled or changed in one byte. */
export function jsonText(random: Random, value: JsonValue): string {
  const text = JSON.stringify(value) ?? ''
  if (random.chance(0.92)) return text
  const at = random.below(text.length)
  return random.pick([
    text.slice(0, at),
    text + text,
    text.slice(0, at) + junkText(random) + text.slice(at + 1),
    text.replace('{', '{"kind":"X","kind":"Y","metadata":{},'),
    '['.repeat(random.below(50_000)),
    '{"a":'.repeat(random.below(20_000)),
  ])
}

function yamlOf(random: Random, value: JsonValue): string {
  if (random.chance(0.2)) return random.pick(HOSTILE_YAML)
  try {
    return printYaml([value as JsonObject])
  } catch {
    return junkText(random)
  }
}

const HOSTILE_YAML = [
  'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\ne: [*d, *d]',
  '--- {}\n--- {}',
  '? [a]\n: b',
  '!!js/function "x"',
  '<<: {a: b}',
  '\t- x',
  'a: b\na: c',
  '- '.repeat(2000),
] as const

function deleteOptions(random: Random): Buffer {
  const options = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: random.pick(['Orphan', 'Foreground', 'Background', 'x']),
    preconditions: random.chance(0.3) ? { uid: junkText(random), resourceVersion: junkText(random) } : undefined,
    gracePeriodSeconds: random.pick([0, 1, -1, 30, undefined]),
  }
  return Buffer.from(JSON.stringify(random.chance(0.5) ? options : mutate(random, options as JsonValue)))
}

/** Numbers of replicas stay small: it is not about how many pods fit. */
export function small(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    /^(replicas|parallelism|completions)$/.test(key) && typeof inner === 'number' ? Math.min(inner, 3) : inner,
  )
}

/** A random object: nothing in it need be right. */
export function junkBody(random: Random): Buffer {
  return Buffer.from(jsonText(random, junk(random, 5)))
}
