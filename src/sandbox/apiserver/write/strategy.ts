import { getPath, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { DEFAULT_SETTINGS, type KindContext, type KindRules } from '../kinds/kind-rules.ts'
import { storedForm } from '../served-resource.ts'
import { keepStatus } from './namespace-finalizers.ts'
import { withMeta } from './object-meta.ts'
import type { ServerState, WriteRequest } from './write-request.ts'

/** What rules of kinds may look at. */
export function contextOf(state: ServerState, { dryRun, resource }: WriteRequest): KindContext {
  return {
    objects: state.objects,
    now: state.clock.now(),
    settings: state.settings ?? DEFAULT_SETTINGS,
    dryRun,
    stored: (object) => storedForm(resource, object),
  }
}

/** The fields that the server sets on creation: status, addresses, generation. */
export function prepareForCreate(state: ServerState, request: WriteRequest, object: KubeObject): KubeObject {
  const { resource } = request
  const { rules } = resource
  const prepared = rules.prepareForCreate ? rules.prepareForCreate(object, contextOf(state, request)) : object
  return hasGeneration(resource) ? withMeta(prepared, { generation: 1 }) : prepared
}

/** What the endpoint cannot change is taken over from the stored object; the generation grows with the spec. */
export function prepareForUpdate(
  state: ServerState,
  request: WriteRequest,
  object: KubeObject,
  old: KubeObject,
): KubeObject {
  const { resource, subresource } = request
  const prepare = preparationOf(resource.rules, subresource)
  const prepared = prepare ? prepare(object, old, contextOf(state, request)) : object
  if (!hasGeneration(resource) || subresource === 'status' || !specChanged(resource, prepared, old)) return prepared
  const { generation = 0 } = old.metadata
  return withMeta(prepared, { generation: generation + 1 })
}

function preparationOf(rules: KindRules, subresource: string): KindRules['prepareForUpdate'] {
  if (subresource === 'finalize') return keepStatus
  if (subresource === 'approval') return keepAllButConditions
  if (subresource === 'binding' || subresource === 'eviction') return undefined
  if (subresource === 'status') return rules.prepareForStatusUpdate ?? keepAllButStatus
  return rules.subresources?.[subresource]?.prepareForUpdate ?? rules.prepareForUpdate
}

function keepAllButConditions(object: KubeObject, old: KubeObject): KubeObject {
  const { managedFields, resourceVersion } = object.metadata
  const { conditions } = { conditions: undefined, ...(object.status as JsonObject | undefined) }
  const status = { ...(old.status as JsonObject | undefined), ...(conditions !== undefined && { conditions }) }
  return { ...withMeta(old, { managedFields, resourceVersion }), status }
}

/** Every built-in kind with such an endpoint has a status once it is decoded. */
function keepAllButStatus(object: KubeObject, old: KubeObject): KubeObject {
  const { managedFields, resourceVersion } = object.metadata
  return { ...withMeta(old, { managedFields, resourceVersion }), status: object.status }
}

interface GenerationRules {
  readonly custom: boolean
  readonly rules: Pick<KindRules, 'generationFields' | 'countsEmpty' | 'encode' | 'emptyForms' | 'applyDefaults'>
}

function hasGeneration({ custom, rules }: GenerationRules): boolean {
  return custom || rules.generationFields !== undefined
}

function specChanged(resource: GenerationRules, object: KubeObject, old: KubeObject): boolean {
  const { custom, rules } = resource
  if (custom) return !jsonEquals(withoutMetadata(object), withoutMetadata(old))
  const { generationFields = [] } = rules
  const present = comparedForm(resource, object)
  return generationFields.some((path) => !jsonEquals(getPath(present, path), getPath(old, path)))
}

function comparedForm(resource: GenerationRules, object: KubeObject): KubeObject {
  const { countsEmpty, encode } = resource.rules
  if (countsEmpty) return object
  return encode ? encode(object) : storedForm(resource, object)
}

function withoutMetadata({ metadata, ...rest }: KubeObject): JsonValue {
  return rest as JsonObject
}
