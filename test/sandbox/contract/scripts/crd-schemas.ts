import type { JsonObject } from '../../../../src/core/base/json.ts'
import { CRDS, crdBody } from '../crd-body.ts'
import type { Step } from '../exchange.ts'
import { readRequests } from '../requests.ts'

/** A trial of a CRD whose schema is just so. */
function tried(schema: JsonObject, index: number): Step {
  const schemaText = JSON.stringify(schema)
  const version = { schema: { openAPIV3Schema: schema } }
  return {
    name: `${index} ${schemaText}`,
    method: 'POST',
    path: `${CRDS}?dryRun=All`,
    body: crdBody({ singular: 'schema', version }),
    unordered: true,
    ...(schemaText.includes('"bogus"') && {
      differs: 'the real server drops unknown fields from the metadata of a default',
    }),
  }
}

export const steps: readonly Step[] = readRequests<JsonObject>('crd-schemas').map(tried)
