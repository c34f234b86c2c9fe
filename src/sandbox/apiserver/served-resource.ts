import type { JsonObject } from '../../core/base/json.ts'
import { apiVersionOf, type GroupKind, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { applyDefaults, dropForbiddenNulls } from '../../core/schema/default.ts'
import { prune } from '../../core/schema/prune.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { GroupResource } from './api-status.ts'
import type { KindRules } from './kinds/kind-rules.ts'

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
  { gvk, schema }: ServedResource,
  schemas: NonNullable<ServedResource['schemas']>,
  stored: KubeObject,
): KubeObject {
  const storedSchema = schemas.get(stored.apiVersion)
  const converted = withVersion(storedSchema ? completed(stored, storedSchema) : stored, gvk)
  return schema && schema !== storedSchema ? pruned(converted, schema) : converted
}

function completed(stored: KubeObject, schema: Schema): KubeObject {
  const known = dropForbiddenNulls(pruned(stored, schema) as JsonObject, schema)
  return applyDefaults(known, schema) as KubeObject
}

function pruned(object: KubeObject, schema: Schema): KubeObject {
  return prune(object as JsonObject, schema).value as KubeObject
}

/** Types brought into their canonical form, defaults filled in. */
export function canonicalObject({ rules }: Pick<ServedResource, 'rules'>, object: KubeObject): KubeObject {
  const decoded = rules.decode ? rules.decode(object) : object
  return rules.applyDefaults ? rules.applyDefaults(decoded) : decoded
}

/** An object of this version as the store keeps it. */
export function toStorage(resource: ServedResource, object: KubeObject): KubeObject {
  const { convert, gvk, storageVersion, schemas } = resource
  if (convert) return convert.toStorage(object)
  const converted = withVersion(object, { ...gvk, version: storageVersion })
  const schema = storageVersion === gvk.version ? undefined : schemas?.get(converted.apiVersion)
  return schema ? pruned(converted, schema) : converted
}

function withVersion(object: KubeObject, gvk: Gvk): KubeObject {
  const apiVersion = apiVersionOf(gvk)
  return object.apiVersion === apiVersion && object.kind === gvk.kind
    ? object
    : { ...object, apiVersion, kind: gvk.kind }
}
