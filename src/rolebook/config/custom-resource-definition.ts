import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import { type Diagnostic, diagnosticAt } from '../../core/yaml/diagnostic.ts'
import type { Manifest } from './parse-manifests.ts'

/** What is wrong with a manifest as a CustomResourceDefinition, as far as a project needs one. */
export function checkCrd({ document, object }: Manifest): readonly Diagnostic[] {
  const { apiVersion, kind, spec } = object
  if (apiVersion !== 'apiextensions.k8s.io/v1' || kind !== 'CustomResourceDefinition') {
    const message = 'only CustomResourceDefinitions of apiextensions.k8s.io/v1 may stand in this file'
    return [diagnosticAt(document.locate(['kind']), { code: 'RB1315', message })]
  }
  const { group, names, versions } = isJsonObject(spec) ? spec : {}
  const isComplete = typeof group === 'string' && isJsonObject(names) && typeof names.kind === 'string'
  if (isComplete && isJsonArray(versions) && versions.every(isJsonObject)) return []
  const message = 'the CRD needs `spec.group`, `spec.names.kind` and `spec.versions`'
  return [diagnosticAt(document.locate(['spec']), { code: 'RB1315', message })]
}

/** The CRD of a kind among those that have been checked. */
export function findCrd(crds: readonly Manifest[], { group, kind }: Gvk): Manifest | undefined {
  return crds.find((crd) => specOf(crd).group === group && specOf(crd).names.kind === kind)
}

export function hasVersion(crd: Manifest, version: string): boolean {
  return versionOf(crd, version) !== undefined
}

/**
 * The fields that an object of a version has at its top, less its status: what expressions may read first. `undefined` when
 * the schema lets any field be.
 */
export function topFields(crd: Manifest, version: string): ReadonlySet<string> | undefined {
  const { schema } = versionOf(crd, version) ?? {}
  const root = isJsonObject(schema) ? schema.openAPIV3Schema : undefined
  if (!isJsonObject(root) || root['x-kubernetes-preserve-unknown-fields'] === true) return undefined
  const own = isJsonObject(root.properties) ? Object.keys(root.properties) : []
  const fields = new Set(['apiVersion', 'kind', 'metadata', ...own])
  fields.delete('status')
  return fields
}

/** The fields of the engine that the schema of a version would drop from the status, and where the schema of it stands. */
export function missingStatusFields(
  crd: Manifest,
  version: string,
): { readonly fields: readonly string[]; readonly path: JsonPath } | undefined {
  const index = specOf(crd).versions.findIndex(({ name }) => name === version)
  const root: JsonPath = ['spec', 'versions', index, 'schema', 'openAPIV3Schema']
  const path = [...root, 'properties', 'status']
  const [schema, status] = [getPath(crd.object, root), getPath(crd.object, path)]
  const isKept = [schema, status].some(
    (one) => isJsonObject(one) && one['x-kubernetes-preserve-unknown-fields'] === true,
  )
  if (!isJsonObject(schema) || isKept) return undefined
  const { properties } = isJsonObject(status) ? status : {}
  const fields = ['conditions', 'observedGeneration'].filter(
    (name) => !isJsonObject(properties) || !(name in properties),
  )
  if (fields.length > 0) return { fields, path }
  const items = [...path, 'properties', 'conditions', 'items']
  const lost = lostOfConditions(getPath(crd.object, items))
  return lost.length === 0 ? undefined : { fields: [`${lost.join(', ')} of a condition`], path: items }
}

/** What every condition has that the engine writes. */
const CONDITION_FIELDS = ['type', 'status', 'reason', 'message', 'lastTransitionTime']

/** The fields that the server drops from a condition. A schema that has its type and its status is one of its author's own. */
function lostOfConditions(items: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(items) || items.type !== 'object') return []
  if (items['x-kubernetes-preserve-unknown-fields'] === true || items.additionalProperties !== undefined) return []
  const { properties } = items
  const lost = CONDITION_FIELDS.filter((name) => !isJsonObject(properties) || !(name in properties))
  return lost.includes('type') || lost.includes('status') ? lost : []
}

function versionOf(crd: Manifest, version: string): JsonObject | undefined {
  return specOf(crd).versions.find(({ name }) => name === version)
}

/** What `checkCrd` has found to be there. */
interface CheckedSpec {
  readonly group: string
  readonly names: { readonly kind: string }
  readonly versions: readonly JsonObject[]
}

function specOf({ object }: Manifest): CheckedSpec {
  return object.spec as JsonObject & CheckedSpec
}
