import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, TABLE } from '../map-steps.ts'

const CORE = '/api/v1/namespaces/{ns}'
const APPS = '/apis/apps/v1/namespaces/{ns}'
const BATCH = '/apis/batch/v1/namespaces/{ns}'

/** Rows alone: whatever controllers write into the objects meanwhile, they show which ones were found. */
const list = (what: string, path: string, selector: string): Step =>
  get(`${what} by '${selector}'`, `${path}?includeObject=None&fieldSelector=${encodeURIComponent(selector)}`, {
    headers: TABLE,
  })
const create = (name: string, path: string, body: JsonObject): Step => ({ name, method: 'POST', path, body })
const labels = { app: 'f' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/a' }] } }
const pod = (name: string, spec: JsonObject): Step =>
  create(`create pod ${name}`, `${CORE}/pods`, {
    metadata: { name },
    spec: { ...template.spec, schedulerName: 'nobody', automountServiceAccountToken: false, ...spec },
  })
const sized = (kind: string, path: string, more: JsonObject): Step =>
  create(`create a ${kind}`, path, { metadata: { name: 'f' }, spec: { replicas: 0, template, ...more } })

const OBJECTS: readonly Step[] = [
  createMap('a'),
  createMap('b'),
  pod('p', { nodeName: '{ns}-nowhere', restartPolicy: 'Never' }),
  pod('q', { hostNetwork: true, restartPolicy: 'OnFailure' }),
  create('create a secret', `${CORE}/secrets`, { metadata: { name: 's' }, type: 'example.com/t' }),
  create('create a headless service', `${CORE}/services`, {
    metadata: { name: 'h' },
    spec: { clusterIP: 'None', ports: [{ port: 80 }] },
  }),
  create('create an external service', `${CORE}/services`, {
    metadata: { name: 'x' },
    spec: { type: 'ExternalName', externalName: 'example.com' },
  }),
  sized('ReplicaSet', `${APPS}/replicasets`, { selector: { matchLabels: labels } }),
  sized('StatefulSet', `${APPS}/statefulsets`, { selector: { matchLabels: labels }, serviceName: 'h' }),
  sized('ReplicationController', `${CORE}/replicationcontrollers`, { selector: labels }),
  create('create a Job that others care for', `${BATCH}/jobs`, {
    metadata: { name: 'f' },
    spec: {
      managedBy: 'example.com/nobody',
      template: { spec: { ...template.spec, restartPolicy: 'Never' } },
    },
  }),
  create('create an event', `${CORE}/events`, {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}', uid: 'u1', apiVersion: 'v1', fieldPath: 'spec' },
    reason: 'Because',
    type: 'Warning',
    source: { component: 'me' },
    reportingComponent: 'example.com/me',
  }),
]

/** For each kind: selectors that find something, that find nothing, and that are refused. */
const SELECTORS: readonly (readonly [what: string, path: string, ...selectors: string[]])[] = [
  [
    'pods',
    `${CORE}/pods`,
    'spec.nodeName={ns}-nowhere',
    'spec.nodeName=',
    'spec.nodeName!=',
    'spec.restartPolicy=Never',
    'spec.restartPolicy!=Never',
    'spec.schedulerName=nobody',
    'spec.serviceAccountName=default',
    'spec.hostNetwork=true',
    'spec.hostNetwork=false',
    'spec.hostNetwork!=true',
    'status.phase=Pending',
    'status.phase!=Pending',
    'status.podIP=',
    'status.podIPs=',
    'status.nominatedNodeName=',
    'status.phase=Pending,spec.restartPolicy=Never,metadata.name!=q',
    'status.reason=x',
    'spec.containers=c',
    'metadata.labels=x',
    'metadata.uid=x',
  ],
  ['secrets', `${CORE}/secrets`, 'type=example.com/t', 'type!=example.com/t', 'type=', 'data=x', 'type=a/b/c'],
  [
    'services',
    `${CORE}/services`,
    'spec.clusterIP=None',
    'spec.clusterIP!=None',
    'spec.clusterIP=',
    'spec.type=ExternalName',
    'spec.type=ClusterIP',
    'spec.type!=ClusterIP',
    'spec.ports=80',
  ],
  [
    'replica sets',
    `${APPS}/replicasets`,
    'status.replicas=0',
    'status.replicas=1',
    'status.replicas!=1',
    'spec.replicas=0',
  ],
  ['stateful sets', `${APPS}/statefulsets`, 'status.successful=0', 'status.replicas=0'],
  ['controllers', `${CORE}/replicationcontrollers`, 'status.replicas=0', 'status.replicas!=0', 'spec.replicas=0'],
  ['deployments', `${APPS}/deployments`, 'status.replicas=0', 'metadata.name=x'],
  ['jobs', `${BATCH}/jobs`, 'status.successful=0', 'status.successful=1', 'status.succeeded=0'],
  ['cron jobs', `${BATCH}/cronjobs`, 'status.successful=0', 'metadata.name!=x'],
  [
    'events',
    `${CORE}/events`,
    'involvedObject.kind=Pod',
    'involvedObject.name=p',
    'involvedObject.namespace={ns}',
    'involvedObject.uid=u1',
    'involvedObject.uid=u2',
    'involvedObject.apiVersion=v1',
    'involvedObject.resourceVersion=',
    'involvedObject.fieldPath=spec',
    'reason=Because',
    'reason!=Because,involvedObject.kind=Pod',
    'type=Warning',
    'source=me',
    'reportingComponent=example.com/me',
    'reportingComponent=',
    'regarding.name=p',
    'message=x',
  ],
  [
    'new events',
    '/apis/events.k8s.io/v1/namespaces/{ns}/events',
    'regarding.kind=Pod',
    'regarding.name=p',
    'regarding.namespace={ns}',
    'regarding.uid=u1',
    'regarding.fieldPath=spec',
    'reportingController=example.com/me',
    'reportingComponent=me',
    'type=Normal,regarding.kind=Pod',
    'source=me',
    'involvedObject.name=p',
  ],
  [
    'nodes',
    '/api/v1/nodes',
    'spec.unschedulable=maybe',
    'metadata.name={ns}',
    'status.phase=x',
    'metadata.namespace=x',
  ],
  [
    'namespaces',
    '/api/v1/namespaces',
    'metadata.name={ns},status.phase=Active',
    'metadata.name={ns},status.phase!=Active',
    'name={ns}',
    'metadata.namespace=x',
    'spec.finalizers=x',
  ],
  [
    'signing requests',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    'spec.signerName=example.com/none',
    'spec.username=x',
  ],
  ['roles', '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', 'metadata.name=x', 'rules=x'],
  ['cluster roles', '/apis/rbac.authorization.k8s.io/v1/clusterroles', 'metadata.name={ns}', 'metadata.namespace=x'],
  [
    'CRDs',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'metadata.name=none.{ns}',
    'metadata.namespace=x',
    'spec.group=x',
  ],
  ['leases', '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', 'metadata.name=x', 'spec.holderIdentity=x'],
  ['endpoints', `${CORE}/endpoints`, 'metadata.name=none', 'subsets=x'],
  ['claims', `${CORE}/persistentvolumeclaims`, 'metadata.name=x', 'status.phase=Bound'],
]

/** How a field selector may be written. */
const SYNTAX: readonly string[] = [
  'metadata.name=a',
  'metadata.name==a',
  'metadata.name!=a,metadata.name!=kube-root-ca.crt',
  'metadata.name=a,metadata.name=b',
  'metadata.name=a,',
  ',metadata.name=a',
  'metadata.name=a,,metadata.namespace={ns}',
  'metadata.name',
  '!metadata.name',
  'metadata.name=',
  'metadata.name===a',
  'metadata.name=a=b',
  'metadata.name=!a',
  'metadata.name = a',
  ' metadata.name=a',
  'metadata.name=a b',
  'metadata.name>a',
  'metadata.name in (a)',
  '=a',
  '!=a',
  '=',
  '!=',
  'a!b=c',
  'metadata.name=a\\\\',
  'Metadata.Name=a',
  'metadata\\.name=a',
  'metadata.name=\\a',
  'metadata.name=a\\,b',
  'metadata.name=a\\=b',
  'metadata.name=a\\',
  'metadata.name=A',
  'metadata.name=../a',
  'metadata.name=a/b',
  'metadata.name=%',
  'metadata.namespace={ns},metadata.name!=kube-root-ca.crt',
  'metadata.namespace=other',
  'metadata.namespace!={ns}',
  'data.a=x',
  'immutable=true',
  'metadata=x',
  'x',
  '',
]

export const steps: readonly Step[] = [
  ...OBJECTS,
  ...SELECTORS.flatMap(([what, path, ...selectors]) => selectors.map((selector) => list(what, path, selector))),
  ...SYNTAX.map((selector) => list('maps', `${MAPS}`, selector)),
  get('maps of all namespaces by name', '/api/v1/configmaps?fieldSelector=metadata.name%3Da,metadata.namespace%3D{ns}'),
  get('maps of all namespaces by namespace', '/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns}-none'),
  get('maps by two selectors', `${MAPS}?fieldSelector=metadata.name%3Da&fieldSelector=metadata.name%3Db`),
]
