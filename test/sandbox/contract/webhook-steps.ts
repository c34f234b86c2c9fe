import type { JsonObject } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'
import { matchCase } from './policy-steps.ts'

const GROUP = '/apis/admissionregistration.k8s.io/v1'

/** Webhooks about the objects of the run's namespace that have a label `case` with their name. */
export interface WebhookCase {
  readonly name: string
  /** The path of the URL of each webhook, with what it has besides the usual: what is answered. */
  readonly webhooks: readonly (readonly [answer: string, more?: JsonObject])[]
}

/** One webhook that answers as its name says. */
export function answering(answer: string, more: JsonObject = {}): WebhookCase {
  return { name: answer, webhooks: [[answer, more]] }
}

const RULES = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }]

/** `kind` is `validating` or `mutating`. */
export function configure(kind: string, { name, webhooks }: WebhookCase): Step {
  return {
    name: `${name}: the configuration`,
    method: 'POST',
    path: `${GROUP}/${kind}webhookconfigurations`,
    body: { metadata: { name: `${name}-{ns}` }, webhooks: webhooks.map((each, index) => webhook(name, each, index)) },
  }
}

function webhook(name: string, [answer, more = {}]: WebhookCase['webhooks'][number], index: number): JsonObject {
  const { namespaceSelector, objectSelector } = matchCase(name)
  return {
    name: `w${index}.${name}.example.com`,
    clientConfig: { url: `{hook}/${answer}`, caBundle: '{hook.ca}' },
    namespaceSelector: namespaceSelector as JsonObject,
    objectSelector: objectSelector as JsonObject,
    rules: RULES,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    // No machine is as slow.
    timeoutSeconds: 30,
    ...more,
  }
}

export function withdraw(kind: string, { name }: WebhookCase): Step {
  return {
    name: `${name}: delete the configuration`,
    method: 'DELETE',
    path: `${GROUP}/${kind}webhookconfigurations/${name}-{ns}`,
  }
}
