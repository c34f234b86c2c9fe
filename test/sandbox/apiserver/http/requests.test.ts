import type { JsonValue } from '../../../../src/core/base/json.ts'
import { configMap, customResourceDefinition, Sandbox, settle } from '../sandbox.ts'
import { itAnswers, type RequestCase } from './request-case.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const PODS = '/api/v1/namespaces/default/pods'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const TOKEN = '/api/v1/namespaces/default/serviceaccounts/default/token'
const APPLY = 'application/apply-patch+yaml'
const MERGE = 'application/merge-patch+json'
const form = (kind: string, rest = ';v=v1;g=meta.k8s.io'): string => `application/json;as=${kind}${rest}`
const tokenRequest = (spec: JsonValue): JsonValue => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec,
})

const forms: readonly RequestCase[] = [
  ...[form('Table', ''), form('Table', ';g=other;v=v1'), form('Table', ';g=meta.k8s.io;v=v2')].map((accept) => ({
    name: `no ${accept}`,
    request: `GET ${MAPS}/a`,
    accept,
    status: 406,
    says: 'only the following media types are accepted',
  })),
  {
    name: 'no group without a kind',
    request: `GET ${MAPS}/a`,
    accept: 'application/json;g=meta.k8s.io;v=v1',
    status: 406,
    says: 'only the following media types are accepted',
  },
  { name: 'no HTML', request: `GET ${MAPS}/a`, accept: 'text/html', status: 406, says: '406: Not Acceptable' },
  {
    name: 'JSON of a quality that is no number',
    request: `GET ${MAPS}/a`,
    accept: 'application/json;q=abc',
    status: 200,
    says: '"kind":"ConfigMap"',
  },
  {
    name: 'no list of one object',
    request: `GET ${MAPS}/a`,
    accept: form('PartialObjectMetadataList'),
    status: 406,
    says: 'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
  },
  {
    name: 'no object of a list',
    request: 'GET /apis/apps/v1/deployments',
    accept: form('PartialObjectMetadata'),
    status: 406,
    says: 'you requested PartialObjectMetadata, but the requested object is a list (*apps.DeploymentList)',
  },
  {
    name: 'no object of a list of custom resources',
    request: `GET ${WIDGETS}`,
    accept: form('PartialObjectMetadata'),
    status: 406,
    says: '(*unstructured.UnstructuredList)',
  },
  {
    name: 'no old discovery',
    request: 'GET /apis',
    accept: form('APIGroupDiscoveryList', ';v=v2beta1;g=apidiscovery.k8s.io'),
    status: 406,
    says: 'only the following media types are accepted',
  },
]

const bodies: readonly RequestCase[] = [
  { name: 'JSON without a media type', request: `POST ${MAPS}`, body: configMap('plain'), type: '', status: 201 },
  {
    name: 'JSON in capitals with a charset',
    request: `POST ${MAPS}`,
    body: configMap('charset'),
    type: 'Application/JSON; charset=utf-8',
    status: 201,
  },
  {
    name: 'no hostile object',
    request: `POST ${MAPS}`,
    body: '{"data":{"__proto__":{}}}',
    status: 400,
    says: '__proto__',
  },
  {
    name: 'no hostile patch',
    request: `PATCH ${MAPS}/a`,
    type: MERGE,
    body: '{"__proto__":{}}',
    status: 400,
    says: '__proto__',
  },
  {
    name: 'no custom resource without kind',
    request: `POST ${WIDGETS}`,
    body: { apiVersion: 'example.com/v1', metadata: { name: 'z' } },
    status: 400,
    says: "Object 'Kind' is missing in",
  },
  {
    name: 'no custom resource without apiVersion',
    request: `POST ${WIDGETS}`,
    body: { kind: 'Widget', metadata: { name: 'z' } },
    status: 400,
    says: 'the API version in the data () does not match the expected API version (example.com/v1)',
  },
  {
    name: 'no kind of another version',
    request: 'POST /apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    body: { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'h' } },
    status: 400,
    says: 'the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)',
  },
  ...(
    [
      ['[1]', 'cannot unmarshal array into'],
      ['5', 'cannot unmarshal number into'],
      ['true', 'cannot unmarshal bool into'],
      ['null', 'invalid object type: /, Kind='],
      ['{}', 'invalid object type: /, Kind='],
      ['{"metadata":[]}', 'invalid object type: /, Kind='],
      ['{"apiVersion":"v1","metadata":{"name":"a"}}', 'invalid object type: /v1, Kind='],
    ] as const
  ).map(([body, says]) => ({
    name: `no apply of ${body}`,
    request: `PATCH ${MAPS}/a?fieldManager=m`,
    type: APPLY,
    body,
    status: 400,
    says,
  })),
  {
    name: 'no apply of another kind where nothing is yet',
    request: `PATCH ${MAPS}/new?fieldManager=m`,
    type: APPLY,
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'new' } },
    status: 400,
    says: 'invalid object type: /v1, Kind=Secret',
  },
]

const paths: readonly RequestCase[] = [
  { name: 'no nodes in a namespace', request: 'GET /api/v1/namespaces/default/nodes', status: 404 },
  { name: 'no pod without its namespace', request: 'GET /api/v1/pods/x', status: 404 },
  { name: 'no POST to a status', request: `POST ${PODS}/x/status`, body: {}, status: 405 },
  { name: 'no log of a pod that is not there', request: `GET ${PODS}/x/log`, status: 404 },
]

const options: readonly RequestCase[] = [
  {
    name: 'no dry run of some',
    request: `DELETE ${MAPS}/a`,
    body: { dryRun: ['Some'] },
    status: 422,
    says: 'dryRun: Unsupported value',
  },
  {
    name: 'a dry run in the body',
    request: `DELETE ${MAPS}/a`,
    body: { dryRun: ['All'], orphanDependents: null },
    status: 200,
    says: 'Success',
  },
  ...(
    [
      [{ dryRun: 'All' }, 'cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string'],
      [{ gracePeriodSeconds: 'x' }, 'cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds'],
      [
        { orphanDependents: 1 },
        'cannot unmarshal number into Go struct field DeleteOptions.orphanDependents of type bool',
      ],
      [[], "couldn't get version/kind; json parse error: json: cannot unmarshal array into"],
      ['{', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    ] as const
  ).map(([body, says]) => ({
    name: `no deletion with ${JSON.stringify(body)}`,
    request: `DELETE ${MAPS}/a`,
    body: body as JsonValue,
    status: 400,
    says,
  })),
  {
    name: 'no grace period that is no number',
    request: `DELETE ${MAPS}/a?gracePeriodSeconds=abc`,
    status: 400,
    says: 'strconv.ParseInt',
  },
  {
    name: 'no policy in both forms',
    request: `DELETE ${MAPS}/a`,
    body: { orphanDependents: true, propagationPolicy: 'Orphan' },
    status: 422,
    says: 'orphanDependents and deletionPropagation cannot be both set',
  },
  { name: 'a limit below zero as none', request: `GET ${MAPS}?limit=-1`, status: 200, says: '"name":"b"' },
  {
    name: 'no version ahead of the server',
    request: `GET ${MAPS}?resourceVersion=999999999`,
    status: 504,
    says: '"retryAfterSeconds":1',
  },
  {
    name: 'no watch from a version ahead of the server, as after its restart',
    request: `GET ${MAPS}?watch=1&resourceVersion=999999999`,
    status: 504,
  },
  {
    name: 'no watch from a version that is none',
    request: `GET ${MAPS}?watch=1&resourceVersion=abc`,
    status: 500,
    says: 'resourceVersion: Invalid value',
  },
  ...(
    [
      ['continue=abc&resourceVersion=5&resourceVersionMatch=Exact', 'is forbidden when continue is provided'],
      ['watch=1&continue=abc', 'is forbidden when continue is provided'],
      ['watch=1&resourceVersionMatch=Exact', 'is forbidden for watch unless sendInitialEvents is provided'],
      ['watch=1&resourceVersionMatch=Exact&sendInitialEvents=true', 'supported values: \\"NotOlderThan\\"'],
    ] as const
  ).map(([query, says]) => ({ name: `no list with ${query}`, request: `GET ${MAPS}?${query}`, status: 422, says })),
]

const tokens: readonly RequestCase[] = [
  {
    name: 'for an hour, unless the request says otherwise',
    request: `POST ${TOKEN}`,
    body: tokenRequest({}),
    status: 201,
    says: ':3600',
  },
  {
    name: 'for the audiences that are named',
    request: `POST ${TOKEN}`,
    body: tokenRequest({ audiences: ['me', 'you'], expirationSeconds: 700 }),
    status: 201,
    says: '"audiences":["me","you"]',
  },
  {
    name: 'for the server when no audience is named',
    request: `POST ${TOKEN}`,
    body: tokenRequest({ audiences: [] }),
    status: 201,
    says: '"audiences":["https://kubernetes.default.svc"]',
  },
  {
    name: 'not for 150 years',
    request: `POST ${TOKEN}`,
    body: tokenRequest({ expirationSeconds: 5_000_000_000 }),
    status: 422,
    says: 'may not specify a duration larger than 2^32 seconds',
  },
]

describe('Requests', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    sandbox.objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    await settle()
    for (const name of ['a', 'b']) sandbox.objects.create(configMap(name, { metadata: { labels: { z: '1' } } }), 'test')
  })
  after(() => sandbox.stop())

  for (const [topic, cases] of Object.entries({ forms, bodies, paths, options, tokens })) {
    describe(topic, () => {
      itAnswers(sandbox, cases)
    })
  }
})
