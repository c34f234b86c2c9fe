import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { CRDS, groupOf, installed, objectBody, pathOf, removed } from '../crd-body.ts'
import type { Step } from '../exchange.ts'
import { readRequests } from '../requests.ts'

interface Changes {
  readonly schema: JsonObject
  readonly changes: readonly { readonly old: JsonValue; readonly spec: JsonValue }[]
}

const LOOSE = { properties: { spec: { 'x-kubernetes-preserve-unknown-fields': true } } }

/** Objects are stored without a schema, then it comes, and they are written: what does not change is forgiven. */
function changesOf({ schema, changes }: Changes, index: number): readonly Step[] {
  const singular = `ratchet${'ab'.charAt(index)}`
  const crd = `${CRDS}/${singular}s.${groupOf(singular)}`
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }
  return [
    ...installed({ singular, schema: LOOSE }),
    ...changes.map(({ old }, at) => ({
      name: `${singular} ${at} before`,
      method: 'POST' as const,
      path: pathOf(singular),
      body: objectBody(singular, `o${at}`, { spec: old }),
    })),
    {
      name: `${singular} gets its schema`,
      method: 'PATCH',
      path: crd,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { versions: [version] } },
    },
    {
      name: `the schema of ${singular} is in force`,
      method: 'POST',
      path: `${pathOf(singular)}?dryRun=All`,
      body: objectBody(singular, 'probe', { spec: 7 }),
      until: 422,
      unordered: true,
    },
    ...changes.map(({ old, spec }, at) => ({
      name: `${singular} ${at} from ${JSON.stringify(old)} to ${JSON.stringify(spec)}`,
      method: 'PATCH' as const,
      path: `${pathOf(singular, `o${at}`)}?dryRun=All`,
      headers: { 'content-type': 'application/json-patch+json' },
      body: [{ op: 'add', path: '/spec', value: spec }],
      unordered: true as const,
    })),
    removed(singular),
  ]
}

export const steps: readonly Step[] = readRequests<Changes>('crd-changes').flatMap(changesOf)
