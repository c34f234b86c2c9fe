import type { JsonObject } from '../../../../src/core/base/json.ts'
import { CRDS } from '../crd-body.ts'
import type { Step } from '../exchange.ts'
import { readRequests } from '../requests.ts'

const bodies = readRequests<{ readonly name: string; readonly body: JsonObject }>('crd-bodies')

/** CRDs that have something wrong outside of their schemas. */
export const steps: readonly Step[] = bodies.map(({ name, body }) => ({
  name,
  method: 'POST',
  path: `${CRDS}?dryRun=All`,
  body,
  unordered: true,
}))
