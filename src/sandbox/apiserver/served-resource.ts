import type { JsonObject } from '../../core/base/json.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import { apiVersionOf, type GroupKind, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { applyDefaults, dropForbiddenNulls } from '../../core/schema/default.ts'
import { prune } from '../../core/schema/prune.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { GroupResource } from './api-status.ts'
import type { KindRules } from './kinds/kind-rules.ts'
import { PendingAnswer } from './write/outside-answers.ts'

/** One resource at one version, as paths and discovery show it. Immutable: a changed CRD makes new ones. */
export interface ServedResource extends GroupResource {
  readonly gvk: Gvk
  readonly version: string
  readonly kind: string
  readonly listKind: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  /** What discovery says of them, while a kind ends. Defaults to `verbs`. */
  readonly shownVerbs?: readonly string[]
  readonly subresources: ReadonlyMap<string, ServedSubresource>
  /** Name of the table of the store; the same for all versions of a kind. */
  readonly table: string
  /** Which version the store keeps. */
  readonly storageVersion: string
  /** Defined by a CustomResourceDefinition: stored as sent, without the normalisation of Go types. */
  readonly custom: boolean
  /** What refusals call its type in Go, where that does not follow from group and kind. */
  readonly goType?: string
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeleted: boolean
  readonly schema: Schema | undefined
  /** Of a custom resource: by `apiVersion`, all versions that its CRD names, also those that are not served. */
  readonly schemas?: ReadonlyMap<string, Schema> | undefined
  readonly rules: KindRules
  /** Text of the `Warning` header of every request to a deprecated version. */
  readonly deprecation?: string | undefined
  readonly convert?: VersionConversion | undefined
  /** Of a custom resource whose CRD names one. Absent: versions are views of one schema. */
  readonly webhook?: ObjectConverter | undefined
}

/** Another program that converts objects. */
export interface ObjectConverter {
  /**
   * @throws PendingAnswer when the program has to be asked first
   * @throws ApiError when it does not convert
   */
  convert(object: KubeObject, apiVersion: string): KubeObject
}

export interface ServedSubresource {
  readonly name: string
  readonly gvk: Gvk
  readonly verbs: readonly string[]
  /** How its bodies are read when they are of another kind (`Scale`, `TokenRequest`). */
  readonly body?: ServedResource | undefined
}

/** The kind that bodies sent to a subresource are of: the resource itself, or another (`Scale`, `TokenRequest`). */
export function bodyResourceOf(resource: ServedResource, subresource: string): ServedResource {
  return resource.subresources.get(subresource)?.body ?? resource
}

/** Between the version of a path and the version of the store, when more than `apiVersion` differs. */
export interface VersionConversion {
  fromStorage(object: KubeObject): KubeObject
  toStorage(object: KubeObject): KubeObject
}

/** A table of the store, named by group and plural. */
export function tableOf({ group, plural }: GroupResource): string {
  return `${group}/${plural}`
}

/** How refusals name the kind: by the group in which it is kept, which is another for the Events of `events.k8s.io`. */
export function kindInErrors({ kind, table }: ServedResource): GroupKind {
  return { group: table.slice(0, table.indexOf('/')), kind }
}

/** A stored object as this version shows it; the very object when the version is the stored one. */
export function presentObject(resource: ServedResource, stored: KubeObject): KubeObject {
  if (resource.convert) return canonicalObject(resource, resource.convert.fromStorage(stored))
  const { schemas } = resource
  if (!schemas) return withVersion(stored, resource.gvk)
  const views = viewsOf(resource)
  const known = views.get(stored)
  if (known) return known
  const view = presentCustom(resource, schemas, stored)
  views.set(stored, view)
  return view
}

/** What custom resources look like, by the stored objects: they are read more often than written. */
const customViews = new WeakMap<ServedResource, WeakMap<KubeObject, KubeObject>>()

function viewsOf(resource: ServedResource): WeakMap<KubeObject, KubeObject> {
  const known = customViews.get(resource)
  if (known) return known
  const views = new WeakMap<KubeObject, KubeObject>()
  customViews.set(resource, views)
  return views
}

/** The stored version has a say first: its defaults are filled in, and what it does not know is gone in all versions. */
function presentCustom(
  { gvk, schema, webhook }: ServedResource,
  schemas: NonNullable<ServedResource['schemas']>,
  stored: KubeObject,
): KubeObject {
  const storedSchema = schemas.get(stored.apiVersion)
  const complete = storedSchema ? completed(stored, storedSchema) : stored
  const converted = webhook ? webhook.convert(complete, apiVersionOf(gvk)) : withVersion(complete, gvk)
  return schema && schema !== storedSchema ? pruned(converted, schema) : converted
}

function completed(stored: KubeObject, schema: Schema): KubeObject {
  const known = dropForbiddenNulls(pruned(stored, schema) as JsonObject, schema)
  return applyDefaults(known, schema) as KubeObject
}

function pruned(object: KubeObject, schema: Schema): KubeObject {
  return prune(object as JsonObject, schema).value as KubeObject
}

/**
 * Presents objects all at once, where a webhook converts them: what follows finds it done.
 *
 * @throws PendingAnswer ApiError
 */
export function presentAll(resource: ServedResource, objects: readonly KubeObject[]): void {
  if (!resource.webhook) return
  const pending = objects.flatMap((object) => {
    try {
      presentObject(resource, object)
      return []
    } catch (error) {
      if (!(error instanceof PendingAnswer)) throw error
      return [error.arrived.then(() => presentAnswered(resource, object))]
    }
  })
  if (pending.length > 0) throw new PendingAnswer(Promise.all(pending))
}

/** Presents it now, while the answer of the webhook is remembered. The next attempt reports a failure. */
function presentAnswered(resource: ServedResource, object: KubeObject): void {
  try {
    presentObject(resource, object)
  } catch (error) {
    if (!(error instanceof PendingAnswer) && !(error instanceof ApiError)) throw error
  }
}

/** Types brought into their canonical form, defaults filled in. */
export function canonicalObject({ rules }: Pick<ServedResource, 'rules'>, object: KubeObject): KubeObject {
  const decoded = rules.decode ? rules.decode(object) : object
  return rules.applyDefaults ? rules.applyDefaults(decoded) : decoded
}

interface Kind {
  readonly rules: Pick<KindRules, 'emptyForms' | 'applyDefaults'>
}

/** An object that went through the rules of its kind, as the storage gives it back, with defaults for what was empty. */
export function storedForm({ rules: { emptyForms, applyDefaults } }: Kind, object: KubeObject): KubeObject {
  const stored = emptyForms ? emptyForms.stored(object) : object
  return stored === object || !applyDefaults ? stored : applyDefaults(stored)
}

/**
 * Converts an object of this version to the version of the store. Where a webhook converts, it also converts the result back
 * to this version now, because after the write there is no chance to wait for the webhook.
 */
export function toStorage(resource: ServedResource, object: KubeObject): KubeObject {
  const { convert, gvk, storageVersion, schemas, webhook, rules } = resource
  if (rules.encode) return rules.encode(object)
  if (convert) return convert.toStorage(object)
  if (storageVersion === gvk.version) return withVersion(object, gvk)
  const stored = { ...gvk, version: storageVersion }
  const converted = webhook ? webhook.convert(object, apiVersionOf(stored)) : withVersion(object, stored)
  const schema = schemas?.get(converted.apiVersion)
  const kept = schema ? pruned(converted, schema) : converted
  if (webhook) presentObject(resource, kept)
  return kept
}

const WITHOUT_WEBHOOK = new WeakMap<ServedResource, ServedResource>()

/** The resource for those who cannot wait for another program: to them, versions are views of one schema. */
export function withoutWebhook(resource: ServedResource): ServedResource {
  if (!resource.webhook) return resource
  const known = WITHOUT_WEBHOOK.get(resource)
  if (known) return known
  const plain = { ...resource, webhook: undefined }
  WITHOUT_WEBHOOK.set(resource, plain)
  return plain
}

function withVersion(object: KubeObject, gvk: Gvk): KubeObject {
  const apiVersion = apiVersionOf(gvk)
  return object.apiVersion === apiVersion && object.kind === gvk.kind
    ? object
    : { ...object, apiVersion, kind: gvk.kind }
}
