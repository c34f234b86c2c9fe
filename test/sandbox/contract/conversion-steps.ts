import type { JsonObject } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'
import { crdSteps, crdVersion } from './object-steps.ts'

/** A CRD's `conversion` by a webhook of the run that gives a certain answer. */
export function conversionBy(
  answer: string,
  client: JsonObject = {},
  versions: readonly string[] = ['v1'],
): JsonObject {
  const clientConfig = { url: `{hook}/${answer}`, caBundle: '{hook.ca}', ...client }
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: [...versions] } }
}

const text = { type: 'string' }

/** A CRD with a size in `v1`, which is stored, and a length in `v2`. */
export function convertedCrd(kind: string, conversion: JsonObject, more: JsonObject = {}): readonly Step[] {
  const first = { type: 'object', properties: { size: { type: 'integer' }, colour: text } }
  const second = { type: 'object', properties: { length: text, colour: { ...text, default: 'blue' } } }
  const versions = [crdVersion(first, more), crdVersion(second, { name: 'v2', ...more })]
  return crdSteps(kind, versions, { conversion })
}

/** Its first step, and the others. */
export function creationOfCrd(kind: string, conversion: JsonObject): Step {
  return convertedCrd(kind, conversion)[0] as Step
}

export function servedVersions(kind: string): readonly Step[] {
  return convertedCrd(kind, {}).slice(1)
}
