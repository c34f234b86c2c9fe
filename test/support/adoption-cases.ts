import type { JsonObject } from '../../src/core/base/json.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

/** An object named `it` as others have made it, and as a role wants it that takes their fields over. */
export interface AdoptionCase {
  readonly name: string
  readonly made: KubeObject
  /** What a manager that the role does not name applies as well. */
  readonly others?: KubeObject
  readonly wanted: KubeObject
}

const LABELS = { app: 'web' }

function deployment(spec: JsonObject, podSpec: JsonObject): KubeObject {
  const template = { metadata: { labels: LABELS }, spec: podSpec }
  const whole = { ...spec, selector: { matchLabels: LABELS }, template }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'it' }, spec: whole }
}

function service(spec: JsonObject): KubeObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'it' }, spec }
}

export function configMap(data: JsonObject): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'it' }, data }
}

const web = { name: 'web', image: 'web:1' }
const http = { name: 'http', port: 80 }

export const ADOPTION_CASES: readonly AdoptionCase[] = [
  {
    name: 'keys of a map',
    made: {
      ...configMap({ a: 'one', b: 'two' }),
      metadata: { name: 'it', labels: { x: 'y' }, annotations: { n: 'm' } },
    },
    wanted: configMap({ a: 'one' }),
  },
  { name: 'a whole map', made: configMap({ a: 'one' }), wanted: { ...configMap({}), data: undefined } },
  {
    name: 'what another client has set, too',
    made: configMap({ a: 'one', b: 'two', c: 'three' }),
    others: configMap({ b: 'two', d: 'four' }),
    wanted: configMap({ a: 'one' }),
  },
  {
    name: 'a container, settings of another one, and replicas, which have defaults',
    made: deployment(
      { replicas: 3, minReadySeconds: 5 },
      {
        terminationGracePeriodSeconds: 5,
        containers: [
          { name: 'proxy', image: 'proxy:1' },
          { ...web, args: ['x'], env: [{ name: 'A', value: '1' }], imagePullPolicy: 'Always' },
        ],
      },
    ),
    wanted: deployment({}, { containers: [web] }),
  },
  {
    name: 'a port and a selector',
    made: service({ selector: { app: 'web', tier: 'x' }, ports: [http, { name: 'more', port: 81 }], type: 'NodePort' }),
    wanted: service({ selector: LABELS, ports: [http], type: 'NodePort' }),
  },
]
