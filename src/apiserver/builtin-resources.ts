import type { BuiltinResource, BuiltinSchemas } from '../schema/builtin-schemas.ts'
import type { KindRules } from './kinds/kind-rules.ts'
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
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/storageclasses',
  'storage.k8s.io/volumeattachments',
  'storage.k8s.io/volumeattributesclasses',
])

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
  const table = tableOf(resource)
  const scale = subresources.some(({ name }) => name === 'scale') ? scaleResource(schemas) : undefined
  return {
    ...names,
    ...(scale && { scale }),
    group,
    version,
    kind,
    gvk,
    listKind: `${kind}List`,
    subresources: new Map(subresources.map((each) => [each.name, each])),
    table,
    storageVersion: version,
    custom: false,
    returnsDeleted: RETURNS_DELETED.has(table),
    schema: schemas.get(gvk),
    rules: rules ?? { gvk },
  }
}

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** Bodies of `/scale`: no resource of their own, but read and patched like one. */
export function scaleResource(schemas: BuiltinSchemas): ServedResource {
  return {
    ...SCALE,
    gvk: SCALE,
    listKind: 'ScaleList',
    plural: 'scales',
    singular: 'scale',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: [],
    subresources: new Map(),
    table: 'autoscaling/scales',
    storageVersion: SCALE.version,
    custom: false,
    returnsDeleted: false,
    schema: schemas.get(SCALE),
    rules: { gvk: SCALE },
  }
}
