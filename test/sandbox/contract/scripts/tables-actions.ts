import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

/** An action, which is never stored, has no table. */
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const CORE = '/api/v1/namespaces/{ns}'
const AUTHENTICATION = 'authentication.k8s.io/v1'
const AUTHORIZATION = 'authorization.k8s.io/v1'
const pods: JsonObject = { resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' } }

const actions: readonly (readonly [path: string, body: JsonObject])[] = [
  [`/apis/${AUTHENTICATION}/tokenreviews`, { apiVersion: AUTHENTICATION, kind: 'TokenReview', spec: { token: 'x' } }],
  [`/apis/${AUTHENTICATION}/selfsubjectreviews`, { apiVersion: AUTHENTICATION, kind: 'SelfSubjectReview' }],
  [
    `/apis/${AUTHORIZATION}/subjectaccessreviews`,
    { apiVersion: AUTHORIZATION, kind: 'SubjectAccessReview', spec: { user: 'x', ...pods } },
  ],
  [
    `/apis/${AUTHORIZATION}/selfsubjectaccessreviews`,
    { apiVersion: AUTHORIZATION, kind: 'SelfSubjectAccessReview', spec: pods },
  ],
  [
    `/apis/${AUTHORIZATION}/selfsubjectrulesreviews`,
    { apiVersion: AUTHORIZATION, kind: 'SelfSubjectRulesReview', spec: { namespace: '{ns}' } },
  ],
  [
    `/apis/${AUTHORIZATION}/namespaces/{ns}/localsubjectaccessreviews`,
    { apiVersion: AUTHORIZATION, kind: 'LocalSubjectAccessReview', spec: { user: 'x', ...pods } },
  ],
  [`${CORE}/serviceaccounts/default/token`, { apiVersion: AUTHENTICATION, kind: 'TokenRequest', spec: {} }],
  [`${CORE}/bindings`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { name: 'n' } }],
  [`${CORE}/pods/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { name: 'n' } }],
  [`${CORE}/pods/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }],
]

function post(name: string, [path, body]: (typeof actions)[number], accept: string): Step {
  return { name, method: 'POST', path, body, headers: { accept } }
}

export const steps: readonly Step[] = [
  ...actions.map((action) => post(`${action[1].kind} at ${action[0]} as a table`, action, TABLE)),
  ...actions
    .filter(([path]) => path.includes('review'))
    .map((action) => post(`${action[1].kind} as a list of metadata`, action, PARTIAL_LIST)),
  post('a review as a table, or else as JSON', actions[0] as (typeof actions)[number], `${TABLE},application/json`),
]
