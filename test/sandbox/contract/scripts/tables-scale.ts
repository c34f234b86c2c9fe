import type { Step } from '../exchange.ts'
import { MERGE, METADATA, METADATA_LIST, TABLE } from '../map-steps.ts'
import { crdSteps, crdVersion, customPath } from '../object-steps.ts'

const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments'
const labels = { app: 'a' }
const OLD_TABLE = { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' }
const FORMS = Object.entries({
  'a table': TABLE,
  'an old table': OLD_TABLE,
  metadata: METADATA,
  'a list': METADATA_LIST,
})

/** The scale of one object, in each form: nothing is changed. */
function inForms(kind: string, path: string): readonly Step[] {
  const body = { metadata: { name: 'a' }, spec: { replicas: 2 } }
  return FORMS.flatMap(([form, headers]): Step[] => [
    { name: `${kind}: got as ${form}`, method: 'GET', path: `${path}/a/scale`, headers },
    { name: `${kind}: put as ${form}`, method: 'PUT', path: `${path}/a/scale?dryRun=All`, headers, body },
    {
      name: `${kind}: patched as ${form}`,
      method: 'PATCH',
      path: `${path}/a/scale?dryRun=All`,
      headers: { ...headers, ...MERGE },
      body: { spec: { replicas: 0 } },
    },
  ])
}

const spec = { type: 'object', properties: { replicas: { type: 'integer' } } }
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

export const steps: readonly Step[] = [
  {
    name: 'a deployment',
    method: 'POST',
    path: DEPLOYMENTS,
    body: {
      metadata: { name: 'a' },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
      },
    },
  },
  ...inForms('deployment', DEPLOYMENTS),
  ...['None', 'Metadata', 'Object', 'Everything'].map(
    (what): Step => ({
      name: `deployment: with ${what}`,
      method: 'GET',
      path: `${DEPLOYMENTS}/a/scale?includeObject=${what}`,
      headers: TABLE,
    }),
  ),
  ...crdSteps('Gauge', [crdVersion(spec, { subresources: { scale } })]),
  {
    name: 'a gauge',
    method: 'POST',
    path: customPath('gauges'),
    body: { apiVersion: '{ns}.example.com/v1', kind: 'Gauge', metadata: { name: 'a' }, spec: { replicas: 3 } },
  },
  ...inForms('gauge', customPath('gauges')),
]
