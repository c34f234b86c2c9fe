import {
  BOOL,
  type CelType,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  opaqueType,
  STRING,
  TIMESTAMP,
} from '../../cel/cel-type.ts'

type Fields = Readonly<Record<string, CelType>>

function typed(name: string, fields: Fields): CelType {
  return objectType(`kubernetes.${name}`, new Map(Object.entries(fields)))
}

const KIND = typed('GroupVersionKind', { group: STRING, version: STRING, kind: STRING })
const RESOURCE = typed('GroupVersionResource', { group: STRING, version: STRING, resource: STRING })

/** The variable `request`. */
export const REQUEST_TYPE = typed('AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: typed('UserInfo', {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  dryRun: BOOL,
  options: DYN,
})

/** The variables that ask what a user may do. */
export const ACCESS_TYPES: Fields = {
  authorizer: opaqueType('kubernetes.authorization.Authorizer'),
  'authorizer.requestResource': opaqueType('kubernetes.authorization.ResourceCheck'),
}

const TEXTS = mapOf(STRING, STRING)
const CONDITION = typed('NamespaceCondition', {
  status: STRING,
  type: STRING,
  lastTransitionTime: TIMESTAMP,
  message: STRING,
  reason: STRING,
})

/** The variable `namespaceObject`. */
export const NAMESPACE_TYPE = typed('Namespace', {
  metadata: typed('NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: TEXTS,
    annotations: TEXTS,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: typed('NamespaceSpec', { finalizers: listOf(STRING) }),
  status: typed('NamespaceStatus', { conditions: listOf(CONDITION), phase: STRING }),
})

export const JSON_PATCH_TYPE = objectType(
  'JSONPatch',
  new Map(Object.entries({ op: STRING, path: STRING, from: STRING, value: DYN })),
)

/** Any field may be set, to anything. */
class AnyFields extends Map<string, CelType> {
  override get(): CelType {
    return DYN
  }

  override has(): boolean {
    return true
  }
}

/** The names of objects are the paths at which they stand; what is in them is not checked. */
export const OBJECT_TYPE = anyObject('Object')

/** Types that a mutation can make: `JSONPatch`, `Object` and each `Object.spec…` that occurs in it. */
export function patchTypes(source: string): Readonly<Record<string, CelType>> {
  const types: Record<string, CelType> = { JSONPatch: JSON_PATCH_TYPE, Object: OBJECT_TYPE }
  for (const [name] of source.matchAll(/\bObject(?:\.[A-Za-z_]\w*)+/g)) types[name] = anyObject(name)
  return types
}

function anyObject(name: string): CelType {
  return objectType(name, new AnyFields())
}
