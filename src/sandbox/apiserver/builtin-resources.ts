import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { BuiltinResource, BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { BUILTIN_VIEWS } from './conversion/builtin-conversions.ts'
import { goDecoder } from './kinds/decode/empty-parts.ts'
import type { KindRules } from './kinds/kind-rules.ts'
import { SCALE_COLUMNS } from './kinds/scale-columns.ts'
import { type ServedResource, tableOf } from './served-resource.ts'

/** Kinds whose DELETE answers with the object, as the real server does. */
const RETURNS_DELETED = new Set([
  '/namespaces',
  '/persistentvolumes',
  '/persistentvolumeclaims',
  '/pods',
  '/podtemplates',
  '/resourcequotas',
  '/services',
  '/serviceaccounts',
  'resource.k8s.io/deviceclasses',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourceclaimtemplates',
  'resource.k8s.io/resourceslices',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/storageclasses',
  'storage.k8s.io/volumeattachments',
  'storage.k8s.io/volumeattributesclasses',
])

/** By table, the warning that every answer about a deprecated resource carries. */
const DEPRECATIONS: Readonly<Record<string, string>> = {
  '/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  '/endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
}

/** The resources that every server has. */
export function builtinResources(schemas: BuiltinSchemas, rules: readonly KindRules[]): readonly ServedResource[] {
  const rulesOf = new Map(rules.map((each) => [kindKey(each.gvk), each]))
  return schemas.resources().map((resource) => toServed(resource, schemas, rulesOf.get(kindKey(resource))))
}

function kindKey({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return `${group}/${version}/${kind}`
}

function toServed(resource: BuiltinResource, schemas: BuiltinSchemas, rules: KindRules | undefined): ServedResource {
  const { group, version, kind, subresources, ...names } = resource
  const gvk = { group, version, kind }
  const view = BUILTIN_VIEWS[`${group}/${version}/${resource.plural}`]
  const table = view?.table ?? tableOf(resource)
  return {
    ...names,
    group,
    version,
    kind,
    gvk,
    listKind: `${kind}List`,
    subresources: new Map(subresources.map((each) => [each.name, { ...each, body: bodyOf(each.gvk, gvk, schemas) }])),
    table,
    storageVersion: version,
    custom: false,
    ...(view && { convert: view.conversion }),
    returnsDeleted: RETURNS_DELETED.has(table),
    deprecation: DEPRECATIONS[table],
    schema: schemas.get(gvk),
    rules: rules ?? { gvk },
  }
}

function bodyOf(gvk: Gvk, parent: Gvk, schemas: BuiltinSchemas): ServedResource | undefined {
  return gvk.kind === parent.kind ? undefined : bodyResource(gvk, schemas)
}

/** A kind that is only ever the body of a subresource: not listed, but read and patched like a resource. */
export function bodyResource(gvk: Gvk, schemas: BuiltinSchemas): ServedResource {
  const { kind, group, version } = gvk
  const schema = schemas.get(gvk)
  const plural = `${kind.toLowerCase()}s`
  return {
    group,
    version,
    kind,
    gvk,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: [],
    subresources: new Map(),
    table: tableOf({ group, plural }),
    storageVersion: version,
    custom: false,
    returnsDeleted: false,
    schema,
    rules: { gvk, ...(kind === 'Scale' && { columns: SCALE_COLUMNS }), ...(schema && { decode: goDecoder(schema) }) },
  }
}
