import type { JsonObject } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const MERGE = { 'content-type': 'application/merge-patch+json' }

/** A policy with its binding, about the maps of the run's namespace that have a label with its name. */
export interface PolicyCase {
  readonly name: string
  /** What it adds to, or has instead of, the usual. */
  readonly policy: JsonObject
  readonly binding?: JsonObject
}

const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }

/** In the cluster a policy has a name of the run. */
export function policyName(name: string): string {
  return `${name}-{ns}`
}

export function matchCase(name: string, more: JsonObject = {}): JsonObject {
  return {
    resourceRules: [RULE],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
    objectSelector: { matchLabels: { case: name } },
    ...more,
  }
}

/** `kind` is `ValidatingAdmissionPolicy` or `MutatingAdmissionPolicy`. */
export function createPolicy(kind: string, { name, policy, binding }: PolicyCase): readonly Step[] {
  const plural = kind.replace(/y$/, 'ies').toLowerCase()
  const { matchConstraints, ...spec } = policy
  const metadata = { name: policyName(name) }
  const isValidating = kind.startsWith('Validating')
  return [
    {
      name: `${name}: the policy`,
      method: 'POST',
      path: `${GROUP}/${plural}`,
      body: { metadata, spec: { matchConstraints: matchCase(name, matchConstraints as JsonObject), ...spec } },
    },
    {
      name: `${name}: the binding`,
      method: 'POST',
      path: `${GROUP}/${kind.toLowerCase()}bindings`,
      body: {
        metadata,
        spec: { policyName: policyName(name), ...(isValidating && { validationActions: ['Deny'] }), ...binding },
      },
    },
  ]
}

export function removePolicy(kind: string, { name }: PolicyCase): readonly Step[] {
  const plural = kind.replace(/y$/, 'ies').toLowerCase()
  return [plural, `${kind.toLowerCase()}bindings`].map((resource) => ({
    name: `${name}: delete ${resource}`,
    method: 'DELETE',
    path: `${GROUP}/${resource}/${policyName(name)}`,
  }))
}

/** A map that the policy of the name looks at; by trial unless said otherwise. */
export function write(
  name: string,
  what: string,
  data: JsonObject,
  more: Partial<Step> & { real?: boolean } = {},
): Step {
  const { real = false, ...rest } = more
  const object = what.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return {
    name: `${name}: ${what}`,
    method: 'POST',
    path: `${MAPS}${real ? '' : '?dryRun=All'}`,
    body: { metadata: { name: `${name}-${object}`, labels: { case: name } }, data },
    ...rest,
  }
}

export function change(name: string, what: string, object: string, patch: JsonObject): Step {
  return { name: `${name}: ${what}`, method: 'PATCH', path: `${MAPS}/${name}-${object}`, headers: MERGE, body: patch }
}
