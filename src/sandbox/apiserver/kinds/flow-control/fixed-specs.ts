import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { DEFAULT_FLOW_CONTROL } from '../../flow-control/default-flow-control.ts'
import { asStruct, type FieldErrors, invalid } from '../common/field-errors.ts'
import { itemsAt, objectAt } from '../common/fields.ts'

/** What no server can be without. */
const FIXED: readonly (readonly [kind: string, name: string])[] = ['exempt', 'catch-all'].flatMap((name) => [
  ['FlowSchema', name] as const,
  ['PriorityLevelConfiguration', name] as const,
])

/** The spec of a schema or level that the server needs is the one with which it was made; how exempt `exempt` is may change. */
export function validateFixedSpec(object: KubeObject): FieldErrors {
  const { kind, metadata } = object
  if (!FIXED.some(([fixedKind, name]) => kind === fixedKind && metadata.name === name)) return []
  const fixed = DEFAULT_FLOW_CONTROL.find((each) => each.kind === kind && each.metadata.name === metadata.name)
  const spec = objectAt(object, 'spec')
  const wanted = objectAt(fixed, 'spec')
  const isLevel = kind === 'PriorityLevelConfiguration'
  const isExempt = isLevel && metadata.name === 'exempt'
  const compared = isExempt ? { ...spec, exempt: wanted.exempt } : spec
  if (jsonEquals(compared, wanted)) return []
  const but = isExempt ? " except the 'spec.exempt' field" : ''
  const shown = isLevel ? levelStruct(spec) : schemaStruct(spec)
  return [asStruct(invalid('spec', shown, `spec of '${metadata.name}'${but} must equal the fixed value`))]
}

function schemaStruct(spec: JsonObject): JsonObject {
  const { distinguisherMethod: method } = spec
  return {
    PriorityLevelConfiguration: { Name: objectAt(spec, 'priorityLevelConfiguration').name ?? '' },
    MatchingPrecedence: spec.matchingPrecedence ?? 0,
    DistinguisherMethod: isJsonObject(method) ? { Type: method.type ?? '' } : null,
    Rules: itemsOrNull(spec, 'rules', (rule) => ({
      Subjects: itemsOrNull(rule, 'subjects', subjectStruct),
      ResourceRules: itemsOrNull(rule, 'resourceRules', (each) => ({
        Verbs: each.verbs ?? null,
        APIGroups: each.apiGroups ?? null,
        Resources: each.resources ?? null,
        ClusterScope: each.clusterScope ?? false,
        Namespaces: each.namespaces ?? null,
      })),
      NonResourceRules: itemsOrNull(rule, 'nonResourceRules', (each) => ({
        Verbs: each.verbs ?? null,
        NonResourceURLs: each.nonResourceURLs ?? null,
      })),
    })),
  }
}

function subjectStruct({ kind = '', user, group, serviceAccount }: JsonObject): JsonObject {
  const named = (value: JsonValue | undefined): JsonValue => (isJsonObject(value) ? { Name: value.name ?? '' } : null)
  const account = isJsonObject(serviceAccount)
    ? { Namespace: serviceAccount.namespace ?? '', Name: serviceAccount.name ?? '' }
    : null
  return { Kind: kind, User: named(user), Group: named(group), ServiceAccount: account }
}

function levelStruct({ type = '', limited, exempt }: JsonObject): JsonObject {
  return {
    Type: type,
    Limited: isJsonObject(limited)
      ? {
          NominalConcurrencyShares: limited.nominalConcurrencyShares ?? 0,
          LimitResponse: responseStruct(objectAt(limited, 'limitResponse')),
          LendablePercent: limited.lendablePercent ?? null,
          BorrowingLimitPercent: limited.borrowingLimitPercent ?? null,
        }
      : null,
    Exempt: isJsonObject(exempt)
      ? {
          NominalConcurrencyShares: exempt.nominalConcurrencyShares ?? null,
          LendablePercent: exempt.lendablePercent ?? null,
        }
      : null,
  }
}

function responseStruct({ type = '', queuing }: JsonObject): JsonObject {
  if (!isJsonObject(queuing)) return { Type: type, Queuing: null }
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing
  return { Type: type, Queuing: { Queues: queues, HandSize: handSize, QueueLengthLimit: queueLengthLimit } }
}

function itemsOrNull(object: JsonObject, field: string, shape: (item: JsonObject) => JsonObject): JsonValue {
  return object[field] === undefined ? null : itemsAt(object, field).map(shape)
}
