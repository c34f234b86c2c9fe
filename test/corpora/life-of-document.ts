import { isJsonObject, type JsonObject } from '../../src/core/base/json.ts'
import type { Request } from '../sandbox/contract/exchange.ts'
import { Dice } from '../support/dice.ts'
import { mutate, mutatingPatch } from './mutations.ts'
import type { CorpusDocument } from './read-documents.ts'
import type { Resource } from './resources.ts'

/** A request about one document. */
export interface LifeStep {
  readonly name: string
  readonly request: Request
}

export interface LifeOptions {
  readonly namespace: string
  readonly seed: number
  /** How many fields are changed before the object is there, and as many once it is. */
  readonly mutations: number
}

const TYPES = {
  json: 'application/json',
  yaml: 'application/yaml',
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
} as const

const STRICT = 'fieldValidation=Strict'
const DRY = 'dryRun=All'

/** A document that is to be tried, and where. */
export interface Task {
  readonly document: CorpusDocument
  readonly resource: Resource
  readonly options: LifeOptions
}

/** What a document goes through until it is an object: nothing is kept but by the last step but one. */
export function birthOf({ document, resource, options }: Task): readonly LifeStep[] {
  const { namespace, seed, mutations } = options
  const object = placed(document.object, resource, namespace)
  const dice = new Dice(seed)
  const text = textIn(document, resource, namespace)
  const create = (name: string, body: JsonObject, query: string): LifeStep =>
    step(name, `POST ${resource.path}?fieldManager=creator&${query}`, 'json', JSON.stringify(body))
  return [
    ...(text === undefined ? [] : [step('yaml', `POST ${resource.path}?fieldManager=creator&${DRY}`, 'yaml', text)]),
    create('dry', object, `${DRY}&${STRICT}`),
    ...times(mutations).map((number) => {
      const { name, object: wrong } = mutate(object, dice)
      return create(`mutation ${number}: ${name}`, wrong, `${DRY}&${STRICT}`)
    }),
    ...(nameOf(object) ? [applyStep('apply dry', object, resource, DRY)] : []),
    create('create', object, 'fieldValidation=Warn'),
  ]
}

/** What an object goes through as long as it is there. `name` is that of the created object. */
export function lifeOf({ document, resource, options }: Task, name: string): readonly LifeStep[] {
  const { namespace, seed, mutations } = options
  const object = placed(document.object, resource, namespace)
  const named = { ...object, metadata: { ...metadataOf(object), name } }
  const path = `${resource.path}/${name}`
  const dice = new Dice(seed + 1)
  const patch = { metadata: { labels: { corpora: 'yes' }, annotations: { 'corpora.test/patched': 'yes' } } }
  return [
    step('get', `GET ${path}`),
    applyStep('apply', named, resource, 'force=true'),
    applyStep('apply again', named, resource, 'force=true'),
    step('patch', `PATCH ${path}?fieldManager=patcher&${STRICT}`, 'merge', JSON.stringify(patch)),
    ...times(mutations).map((number) => {
      const { name: what, object: wrong } = mutatingPatch(object, dice)
      const query = `fieldManager=patcher&${DRY}&${STRICT}`
      return step(`patch ${number}: ${what}`, `PATCH ${path}?${query}`, 'merge', JSON.stringify(wrong))
    }),
    step('get patched', `GET ${path}`),
  ]
}

/** How an object goes: what protects it is taken away. */
export function deathOf({ document, resource }: Task, name: string): readonly LifeStep[] {
  const { kind = '' } = document.object
  const path = `${resource.path}/${name}`
  const finalized = JSON.stringify({ apiVersion: 'v1', kind, metadata: { name }, spec: { finalizers: [] } })
  return [
    step('delete', `DELETE ${path}`),
    step('release', `PATCH ${path}`, 'merge', '{"metadata":{"finalizers":null}}'),
    ...(kind === 'Namespace' ? [step('finalize', `PUT ${path}/finalize`, 'json', finalized)] : []),
    step('gone', `GET ${path}`),
  ]
}

function applyStep(name: string, object: JsonObject, { path }: Resource, query: string): LifeStep {
  const url = `${path}/${nameOf(object)}?fieldManager=applier&${query}`
  return step(name, `PATCH ${url}`, 'apply', JSON.stringify(object))
}

/** @param call the method and the path */
function step(name: string, call: string, type?: keyof typeof TYPES, body?: string): LifeStep {
  const [method = '', path = ''] = call.split(' ')
  const headers = { 'user-agent': 'corpora/1.0', ...(type && { 'content-type': TYPES[type] }) }
  return { name, request: { method, path, headers, body } }
}

function times(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** In the namespace of the run. */
function placed(object: JsonObject, { namespaced }: Resource, namespace: string): JsonObject {
  const metadata = metadataOf(object)
  return namespaced && metadata.namespace ? { ...object, metadata: { ...metadata, namespace } } : object
}

function textIn({ text, object }: CorpusDocument, { namespaced }: Resource, namespace: string): string | undefined {
  const own = metadataOf(object).namespace
  if (text === undefined || !namespaced || typeof own !== 'string') return text
  return text.replace(
    new RegExp(`(\\bnamespace"?:\\s*["']?)${own.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`, 'g'),
    `$1${namespace}`,
  )
}

function nameOf(object: JsonObject): string | undefined {
  const { name } = metadataOf(object)
  return typeof name === 'string' && name !== '' ? name : undefined
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {}
}
