import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { BuiltObject, NamedObject } from './built-object.ts'

/** Where labels or annotations stand in objects of some kinds; `*` are all items of a list. */
type Places = readonly (readonly [kinds: RegExp, path: string])[]

const TEMPLATES: Places = [
  [/^(Deployment|ReplicaSet|DaemonSet|StatefulSet|Job|ReplicationController)$/, 'spec/template/metadata'],
  [/^CronJob$/, 'spec/jobTemplate/metadata'],
  [/^CronJob$/, 'spec/jobTemplate/spec/template/metadata'],
]
const CLAIMS: Places = [[/^StatefulSet$/, 'spec/volumeClaimTemplates/*/metadata']]
const SELECTORS: Places = [
  [/^(Service|ReplicationController)$/, 'spec/selector'],
  [/^(Deployment|ReplicaSet|DaemonSet|StatefulSet)$/, 'spec/selector/matchLabels'],
]
const POD = 'spec/template/spec'
/** Those that Kustomize adds to, but does not make. */
const GIVEN_SELECTORS: Places = [
  [/^(Job|PodDisruptionBudget)$/, 'spec/selector/matchLabels'],
  [/^CronJob$/, 'spec/jobTemplate/spec/selector/matchLabels'],
  [/^NetworkPolicy$/, 'spec/podSelector/matchLabels'],
  [/^NetworkPolicy$/, 'spec/ingress/*/from/*/podSelector/matchLabels'],
  [/^NetworkPolicy$/, 'spec/egress/*/to/*/podSelector/matchLabels'],
  ...[
    ...['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
      `affinity/${affinity}/preferredDuringSchedulingIgnoredDuringExecution/*/podAffinityTerm`,
      `affinity/${affinity}/requiredDuringSchedulingIgnoredDuringExecution/*`,
    ]),
    'topologySpreadConstraints/*',
  ].map((path) => [/^(Deployment|StatefulSet)$/, `${POD}/${path}/labelSelector/matchLabels`] as const),
]

interface Where {
  readonly selectors: boolean
  readonly templates: boolean
}

/** `labels` and `commonLabels` of kustomization.yaml. */
export function labelled(
  objects: readonly BuiltObject[],
  labels: JsonObject,
  { selectors, templates }: Where,
): readonly BuiltObject[] {
  const made: Places = [
    [/./, 'metadata/labels'],
    ...(templates ? below([...TEMPLATES, ...CLAIMS], 'labels') : []),
    ...(selectors ? SELECTORS : []),
  ]
  const given = selectors ? GIVEN_SELECTORS : []
  return objects.map((one) => {
    const object = atPlaces(one.object, made, { fields: labels, makes: true })
    return { ...one, object: atPlaces(object, given, { fields: labels, makes: false }) }
  })
}

/** `commonAnnotations` of kustomization.yaml. */
export function annotated(objects: readonly BuiltObject[], fields: JsonObject): readonly BuiltObject[] {
  const places: Places = [[/./, 'metadata/annotations'], ...below(TEMPLATES, 'annotations')]
  return objects.map((one) => ({ ...one, object: atPlaces(one.object, places, { fields, makes: true }) }))
}

function below(places: Places, field: string): Places {
  return places.map(([kinds, path]) => [kinds, `${path}/${field}`])
}

interface Added {
  readonly fields: JsonObject
  /** Whether the map that they are added to is made where there is none. */
  readonly makes: boolean
}

function atPlaces(object: NamedObject, places: Places, added: Added): NamedObject {
  const kind = String(object.kind)
  return places
    .filter(([kinds]) => kinds.test(kind))
    .reduce((whole, [, path]) => withFields(whole, path.split('/'), added) as NamedObject, object)
}

function withFields(
  value: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  added: Added,
): JsonValue | undefined {
  if (value === undefined && !added.makes) return undefined
  if (step === '*') return isJsonArray(value) ? value.map((item) => withFields(item, rest, added) as JsonValue) : value
  const object = isJsonObject(value) ? value : {}
  if (step === undefined) return { ...object, ...added.fields }
  const inner = withFields(object[step], rest, added)
  return inner === undefined ? value : { ...object, [step]: inner }
}
