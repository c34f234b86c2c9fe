import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A kind of custom resources that a script makes for itself; its group belongs to the run. */
export interface CustomKind {
  /** Small letters; the kind is it with a capital one. */
  readonly singular: string
  /** Of the root, below `type: object`. */
  readonly schema?: JsonObject
  readonly version?: JsonObject
  readonly spec?: JsonObject
}

export function groupOf(singular: string): string {
  return `${singular}.{ns}.test`
}

/** The CRD of a kind, served as `v1`. */
export function crdBody({ singular, schema = {}, version = {}, spec = {} }: CustomKind): JsonObject {
  const group = groupOf(singular)
  const openAPIV3Schema = { type: 'object', ...schema }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: `${singular}s`, singular, kind: kindOf(singular), listKind: `${kindOf(singular)}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
      ...spec,
    },
  }
}

export function kindOf(singular: string): string {
  return `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`
}

/** Where objects of the kind are, in the namespace of the run. */
export function pathOf(singular: string, name = '', version = 'v1'): string {
  return `/apis/${groupOf(singular)}/${version}/namespaces/{ns}/${singular}s${name === '' ? '' : `/${name}`}`
}

/** Makes the CRD and waits until objects can be made. */
export function installed(kind: CustomKind, version = 'v1'): readonly Step[] {
  const { singular } = kind
  return [
    { name: `the kind ${singular}`, method: 'POST', path: CRDS, body: crdBody(kind) },
    {
      name: `the kind ${singular} is served`,
      method: 'GET',
      path: pathOf(singular, '', version),
      until: 200,
    },
    // A server that has just begun to serve a kind may still refuse it for a moment.
    {
      name: `objects of the kind ${singular} can be made`,
      method: 'POST',
      path: `${pathOf(singular, '', version)}?dryRun=All`,
      body: objectBody(singular, 'probe', {}, version),
      until: (body) => JSON.stringify(body).includes('"probe"'),
    },
  ]
}

/** Removes the kind with all its objects. */
export function removed(singular: string): Step {
  return { name: `the kind ${singular} ends`, method: 'DELETE', path: `${CRDS}/${singular}s.${groupOf(singular)}` }
}

export function objectBody(singular: string, name: string, fields: JsonObject = {}, version = 'v1'): JsonObject {
  return { apiVersion: `${groupOf(singular)}/${version}`, kind: kindOf(singular), metadata: { name }, ...fields }
}

/** A trial: creates an object without keeping it. */
export function tried(name: string, singular: string, fields: JsonObject, query = ''): Step {
  const path = `${pathOf(singular)}?dryRun=All${query}`
  return { name, method: 'POST', path, body: objectBody(singular, 'trial', fields) }
}

/** A trial of a CRD. */
export function triedKind(name: string, kind: CustomKind): Step {
  return { name, method: 'POST', path: `${CRDS}?dryRun=All`, body: crdBody(kind) }
}

/** One rule on one field of `spec`, and values for it. */
export interface RuleCase {
  readonly schema: JsonObject
  readonly rule: string | JsonObject
  readonly values: readonly JsonValue[]
}

/** A kind with a field `f<n>` for each rule, and a trial for each value. */
export function ruleTrials(singular: string, cases: readonly RuleCase[]): readonly Step[] {
  const properties = Object.fromEntries(
    cases.map(({ schema, rule }, index) => {
      const validation = typeof rule === 'string' ? { rule } : rule
      return [`f${index}`, { ...schema, 'x-kubernetes-validations': [validation] }]
    }),
  )
  const schema = { properties: { spec: { type: 'object', properties } } }
  const trials = cases.flatMap(({ rule, values }, index) =>
    values.map((value) => {
      const text = typeof rule === 'string' ? rule : JSON.stringify(rule)
      return tried(`${text} of ${JSON.stringify(value)}`, singular, { spec: { [`f${index}`]: value } })
    }),
  )
  return [...installed({ singular, schema }), ...trials, removed(singular)]
}
