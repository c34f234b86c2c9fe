import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { Sandbox } from '../sandbox.ts'

const NETWORK = '/apis/networking.k8s.io/v1'
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const STORAGE = '/apis/storage.k8s.io/v1'
const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1'
const DEVICES = '/apis/resource.k8s.io/v1'
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const SERVICES = '/api/v1/namespaces/default/services'
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const SETS = '/apis/apps/v1/namespaces/default/statefulsets'

const pem = (type: string): string =>
  Buffer.from(`-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`).toString('base64')
const signing = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: {
    request: pem('CERTIFICATE REQUEST'),
    signerName: 'example.com/a',
    usages: ['client auth'],
    ...spec,
  },
})
const policy = (spec: JsonObject, metadata: JsonObject = { name: 'p.example.com' }): JsonObject => {
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }
  const matchConstraints = { resourceRules: [rule] }
  return { metadata, spec: { matchConstraints, validations: [{ expression: 'true' }], ...spec } }
}
const attachment = (name: string, source: JsonObject): JsonObject => ({
  metadata: { name },
  spec: { attacher: 'csi.example.com', nodeName: 'n', source },
})
const deviceClaim = (metadata: JsonObject): JsonObject => ({
  metadata: { name: 'watched', ...metadata },
  spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu', adminAccess: true } }] } },
})
const subject = (kind: string, more: JsonObject): JsonObject => ({
  Kind: kind,
  User: null,
  Group: null,
  ServiceAccount: null,
  ...more,
})
const ALL_REQUESTS = { PriorityLevelConfiguration: { Name: 'catch-all' }, MatchingPrecedence: 10_000 }
const fixed = (name: string, shown: JsonObject, but = ''): string =>
  `spec: Invalid value: ${JSON.stringify(shown)}: spec of '${name}'${but} must equal the fixed value`

/** What is there before. */
const GIVEN: readonly (readonly [path: string, body: JsonObject])[] = [
  [REQUESTS, signing('issued')],
  [`${STORAGE}/volumeattachments`, attachment('attached', { persistentVolumeName: 'v' })],
  [SERVICES, { metadata: { name: 'balanced' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }],
  [
    CLAIMS,
    {
      metadata: { name: 'old', annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
  ['/api/v1/namespaces', { metadata: { name: 'admins', labels: { 'resource.kubernetes.io/admin-access': 'true' } } }],
]

interface Refusal {
  readonly name: string
  /** Method and path. */
  readonly request: string
  readonly body: JsonObject
  readonly causes: readonly string[]
}

const refusals: readonly Refusal[] = [
  {
    name: 'three ranges of addresses',
    request: `POST ${NETWORK}/servicecidrs`,
    body: { metadata: { name: 'three' }, spec: { cidrs: ['10.0.0.0/24', 'fd00::/64', '10.1.0.0/24'] } },
    causes: [
      'spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/24","fd00::/64","10.1.0.0/24"]}: may only hold up to 2 values',
    ],
  },
  {
    name: 'parameters of a version with two slashes',
    request: `POST ${POLICIES}`,
    body: policy({ paramKind: { apiVersion: 'a/b/c', kind: 'Rule' } }),
    causes: ['spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
  },
  {
    name: 'parameters of a group without a version',
    request: `POST ${POLICIES}`,
    body: policy({ paramKind: { apiVersion: 'rules.example.com/', kind: 'Rule' } }),
    causes: ['spec.paramKind.apiVersion: Invalid value: "rules.example.com/": version must be specified'],
  },
  {
    name: 'an annotation of the audit log of a policy without a name',
    request: `POST ${POLICIES}`,
    body: policy({ auditAnnotations: [{ key: 'k', valueExpression: "'a'" }] }, {}),
    causes: [
      'metadata.name: Required value: name or generateName is required',
      'spec.auditAnnotations[0].key: Invalid value: "k": requires metadata.name be non-empty',
    ],
  },
  {
    name: 'a decision about a certificate that is there twice',
    request: `PATCH ${REQUESTS}/issued/status`,
    body: { status: { conditions: [1, 2].map(() => ({ type: 'Failed', status: 'True' })) } },
    causes: ['status.conditions[1].type: Duplicate value: "Failed"'],
  },
  {
    name: 'a key in place of a certificate',
    request: `PATCH ${REQUESTS}/issued/status`,
    body: { status: { certificate: pem('PRIVATE KEY') } },
    causes: [
      'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "PRIVATE KEY"',
    ],
  },
  {
    name: 'a signer with too long a domain',
    request: `POST ${REQUESTS}`,
    body: signing('long', { signerName: `${'a.'.repeat(127)}b/x` }),
    causes: ['spec.signerName: Too long: may not be more than 253 bytes'],
  },
  {
    name: 'an attachment of two volumes',
    request: `POST ${STORAGE}/volumeattachments`,
    body: attachment('both', {
      persistentVolumeName: 'v',
      inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd.example.com', volumeHandle: 'h' } },
    }),
    causes: ['spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
  },
  {
    name: 'an attachment with too much metadata',
    request: `PATCH ${STORAGE}/volumeattachments/attached/status`,
    body: { status: { attached: false, attachmentMetadata: { a: 'x'.repeat(256 * 1024) } } },
    causes: ['status.attachmentMetadata: Too long: may not be more than 262144 bytes'],
  },
  {
    name: 'an attachment with too long an error',
    request: `PATCH ${STORAGE}/volumeattachments/attached/status`,
    body: { status: { attached: false, detachError: { message: 'x'.repeat(1025) } } },
    causes: ['status.detachError.message: Too long: may not be more than 262144 bytes'],
  },
  {
    name: 'a place for tokens that a driver does not ask for',
    request: `POST ${STORAGE}/csidrivers`,
    body: { metadata: { name: 'd.example.com' }, spec: { serviceAccountTokenInSecrets: true } },
    causes: [
      'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    ],
  },
  {
    name: 'two addresses of a Service of one family',
    request: `POST ${SERVICES}`,
    body: {
      metadata: { name: 'two' },
      spec: {
        clusterIP: '10.96.0.50',
        clusterIPs: ['10.96.0.50', 'fd00::1'],
        ipFamilyPolicy: 'SingleStack',
        ports: [{ port: 80 }],
      },
    },
    causes: [
      "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified",
      'spec.clusterIPs[1]: Invalid value: ["10.96.0.50","fd00::1"]: IPv6 is not configured on this cluster',
    ],
  },
  {
    name: 'an address as the name of a load balancer',
    request: `PATCH ${SERVICES}/balanced/status`,
    body: { status: { loadBalancer: { ingress: [{ hostname: '10.0.0.1' }] } } },
    causes: [
      'status.loadBalancer.ingress[0].hostname: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ],
  },
  {
    name: 'a rolling update of a StatefulSet that has none',
    request: `POST ${SETS}`,
    body: {
      metadata: { name: 's' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        updateStrategy: { type: 'OnDelete', rollingUpdate: {} },
      },
    },
    causes: [
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":0,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    ],
  },
  {
    name: 'devices that others use, where the namespace does not allow it',
    request: `POST ${DEVICES}/namespaces/default/resourceclaims`,
    body: deviceClaim({}),
    causes: [
      'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
    ],
  },
  {
    name: 'another class than the annotation of a claim names',
    request: `PATCH ${CLAIMS}/old?dryRun=All`,
    body: { metadata: { annotations: null }, spec: { storageClassName: 'silver' } },
    causes: [
      'metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "": field is immutable',
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    ],
  },
  {
    name: 'an empty spec of a FlowSchema that no server can be without',
    request: `PUT ${FLOW}/flowschemas/catch-all`,
    body: { metadata: { name: 'catch-all' }, spec: {} },
    causes: [
      'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
      fixed('catch-all', {
        PriorityLevelConfiguration: { Name: '' },
        MatchingPrecedence: 1000,
        DistinguisherMethod: null,
        Rules: null,
      }),
    ],
  },
  {
    name: 'another distinction of such a FlowSchema',
    request: `PATCH ${FLOW}/flowschemas/catch-all`,
    body: { spec: { distinguisherMethod: { type: '' }, rules: null } },
    causes: [
      'spec.distinguisherMethod.type: Unsupported value: {"Type":""}: supported values: "ByNamespace", "ByUser"',
      fixed('catch-all', { ...ALL_REQUESTS, DistinguisherMethod: { Type: '' }, Rules: null }),
    ],
  },
  {
    name: 'the requests of one account for such a FlowSchema',
    request: `PATCH ${FLOW}/flowschemas/catch-all`,
    body: {
      spec: {
        rules: [
          {
            subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } }],
            resourceRules: [
              { verbs: ['get'], apiGroups: [''], resources: ['pods'], clusterScope: true, namespaces: ['*'] },
            ],
          },
        ],
      },
    },
    causes: [
      fixed('catch-all', {
        ...ALL_REQUESTS,
        DistinguisherMethod: { Type: 'ByUser' },
        Rules: [
          {
            Subjects: [subject('ServiceAccount', { ServiceAccount: { Namespace: 'a', Name: 'b' } })],
            ResourceRules: [
              { Verbs: ['get'], APIGroups: [''], Resources: ['pods'], ClusterScope: true, Namespaces: ['*'] },
            ],
            NonResourceRules: null,
          },
        ],
      }),
    ],
  },
  {
    name: 'another queue of a level that no server can be without',
    request: `PATCH ${FLOW}/prioritylevelconfigurations/catch-all`,
    body: {
      spec: {
        limited: {
          nominalConcurrencyShares: 3,
          lendablePercent: 5,
          borrowingLimitPercent: 7,
          limitResponse: { type: 'Queue', queuing: {} },
        },
      },
    },
    causes: [
      fixed('catch-all', {
        Type: 'Limited',
        Limited: {
          NominalConcurrencyShares: 3,
          LimitResponse: { Type: 'Queue', Queuing: { Queues: 64, HandSize: 8, QueueLengthLimit: 50 } },
          LendablePercent: 5,
          BorrowingLimitPercent: 7,
        },
        Exempt: null,
      }),
    ],
  },
  {
    name: 'an empty spec of such a level',
    request: `PUT ${FLOW}/prioritylevelconfigurations/catch-all`,
    body: { metadata: { name: 'catch-all' }, spec: {} },
    causes: ['spec.type: Required value', fixed('catch-all', { Type: '', Limited: null, Exempt: null })],
  },
  {
    name: 'limits of the level that has none',
    request: `PATCH ${FLOW}/prioritylevelconfigurations/exempt`,
    body: { spec: { type: 'Limited', exempt: null, limited: {} } },
    causes: [
      "spec.type: Invalid value: \"Limited\": must be 'Exempt' if and only if `name` is 'exempt'",
      'spec.limited.limitResponse.type: Required value',
      fixed(
        'exempt',
        {
          Type: 'Limited',
          Limited: {
            NominalConcurrencyShares: 30,
            LimitResponse: { Type: '', Queuing: null },
            LendablePercent: 0,
            BorrowingLimitPercent: null,
          },
          Exempt: null,
        },
        " except the 'spec.exempt' field",
      ),
    ],
  },
]

/** What such a rule lets through. */
const accepted: readonly { name: string; request: string; body: JsonObject }[] = [
  {
    name: 'a certificate',
    request: `PATCH ${REQUESTS}/issued/status`,
    body: { status: { certificate: pem('CERTIFICATE') } },
  },
  {
    name: 'a request without the certificate that was issued',
    request: `PATCH ${REQUESTS}/issued/status`,
    body: { status: { certificate: null } },
  },
  {
    name: 'the class of a claim in its field instead of the annotation',
    request: `PATCH ${CLAIMS}/old`,
    body: { metadata: { annotations: null }, spec: { storageClassName: 'gold' } },
  },
  {
    name: 'options of a volume that is mounted',
    request: 'POST /api/v1/persistentvolumes',
    body: {
      metadata: { name: 'mounted', annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/x' } },
    },
  },
  {
    name: 'devices that others use, where the namespace allows it',
    request: `POST ${DEVICES}/namespaces/admins/resourceclaims`,
    body: deviceClaim({}),
  },
]

describe('Rules that few objects meet', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    for (const [path, body] of GIVEN) {
      const { status, text } = await sandbox.send('POST', path, { body })
      expect(status, text).to.equal(201)
    }
  })
  after(() => sandbox.stop())

  const send = (request: string, body: JsonValue) => {
    const [method = '', path = ''] = request.split(' ')
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    return sandbox.send(method, path, { body, headers: { 'content-type': type } })
  }

  for (const { name, request, body, causes } of refusals) {
    it(`refuse ${name}`, async () => {
      const answer = await send(request, body)
      const found = (answer.body.details as { causes?: { field: string; message: string }[] } | undefined)?.causes ?? []
      expect(found.map(({ field, message }) => `${field}: ${message}`)).to.deep.equal(causes)
      expect(answer.status).to.equal(422)
    })
  }

  for (const { name, request, body } of accepted) {
    it(`let ${name} through`, async () => {
      const { status, text } = await send(request, body)
      expect(status, text).to.be.oneOf([200, 201])
    })
  }

  it('show a schema whose parts all are missing as it is in Go', async () => {
    const subjects = ['User', 'Group', 'ServiceAccount'].map((kind) => ({
      kind,
      [kind.slice(0, 1).toLowerCase() + kind.slice(1)]: {},
    }))
    const rules = [{ subjects: [...subjects, {}], resourceRules: [{}], nonResourceRules: [{}] }]
    const { body } = await send(`PATCH ${FLOW}/flowschemas/catch-all`, { spec: { rules } })
    const causes = (body.details as unknown as { causes: { field: string; message: string }[] }).causes
    const { field, message } = causes.at(-1) ?? { field: '', message: '' }
    expect(`${field}: ${message}`).to.equal(
      fixed('catch-all', {
        ...ALL_REQUESTS,
        DistinguisherMethod: { Type: 'ByUser' },
        Rules: [
          {
            Subjects: [
              subject('User', { User: { Name: '' } }),
              subject('Group', { Group: { Name: '' } }),
              subject('ServiceAccount', { ServiceAccount: { Namespace: '', Name: '' } }),
              subject('', {}),
            ],
            ResourceRules: [{ Verbs: null, APIGroups: null, Resources: null, ClusterScope: false, Namespaces: null }],
            NonResourceRules: [{ Verbs: null, NonResourceURLs: null }],
          },
        ],
      }),
    )
  })

  it('take nothing of the spec that a status of a pod brings, also not its first node', async () => {
    const pods = '/api/v1/namespaces/default/pods'
    const spec = { schedulerName: 'none', containers: [{ name: 'c', image: 'i' }] }
    await send(`POST ${pods}`, { metadata: { name: 'unbound' }, spec })
    const answer = await send(`PATCH ${pods}/unbound/status`, { spec: { nodeName: 'n' }, status: { message: 'm' } })
    expect(answer.status, answer.text).to.equal(200)
    expect(answer.body.status).to.include({ message: 'm' })
    expect(answer.body.spec).to.not.have.property('nodeName')
  })

  it('warn of a driver in capital letters', async () => {
    const spec = { nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1, generation: 1 }, devices: [] }
    const answer = await send(`POST ${DEVICES}/resourceslices`, {
      metadata: { name: 's' },
      spec: { driver: 'Example.com', ...spec },
    })
    expect([answer.status, answer.headers.warning]).to.deep.equal([
      201,
      '299 - "spec.driver: driver names should be lowercase; \\"Example.com\\" contains uppercase characters"',
    ])
  })
})

describe('Rows of tables that few objects have', () => {
  const sandbox = new Sandbox({ clock: new FakeClock() })
  before(() => sandbox.start())
  after(() => sandbox.stop())

  const rows = async (method: string, path: string, body?: JsonObject): Promise<unknown> => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
    const answer = await sandbox.send(method, path, { headers, ...(body !== undefined && { body }) })
    return (answer.body.rows as { cells: JsonValue[] }[] | undefined)?.map(({ cells }) => cells)
  }

  it('name the server itself as the place of an APIService without a Service', async () => {
    expect(await rows('GET', `${API_SERVICES}/v1.apps`)).to.deep.equal([['v1.apps', 'Local', 'True', '0s']])
  })

  it('say of a FlowSchema on which nothing has looked yet that its level may be missing', async () => {
    const body = { metadata: { name: 'new' }, spec: { priorityLevelConfiguration: { name: 'exempt' } } }
    expect(await rows('POST', `${FLOW}/flowschemas?dryRun=All`, body)).to.deep.equal([
      ['new', 'exempt', 1000, '<none>', '0s', '?'],
    ])
  })

  it('say of an APIService that is to be served elsewhere that it is not known to be available', async () => {
    const service = { namespace: 'default', name: 'far' }
    const spec = { group: 'far.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 }
    const body = { metadata: { name: 'v1.far.example.com' }, spec: { ...spec, service, insecureSkipTLSVerify: true } }
    expect(await rows('POST', `${API_SERVICES}?dryRun=All`, body)).to.deep.equal([
      ['v1.far.example.com', 'default/far', 'Unknown', '0s'],
    ])
  })

  it('say of a claim for devices that it is deleted, and wait for nothing more', async () => {
    const path = `${DEVICES}/namespaces/default/resourceclaims`
    const body = {
      metadata: { name: 'leaving', finalizers: ['example.com/held'] },
      spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu' } }] } },
    }
    expect(await rows('POST', path, body)).to.deep.equal([['leaving', 'pending', '0s']])
    await sandbox.send('DELETE', `${path}/leaving`)
    expect(await rows('GET', path)).to.deep.equal([['leaving', 'deleted', '0s']])
  })
})

describe('The smallest range of Service addresses', () => {
  it('gives all its addresses but the first and the last, and the one of the server itself', async () => {
    const sandbox = new Sandbox({ serviceRange: { network: 0x0a600000, size: 8 } })
    await sandbox.start()
    const addresses = new Set<JsonValue | undefined>()
    for (let index = 0; index < 5; index++) {
      const body = { metadata: { name: `s${index}` }, spec: { ports: [{ port: 80 }] } }
      addresses.add(((await sandbox.send('POST', SERVICES, { body })).body.spec as JsonObject).clusterIP)
    }
    const last = await sandbox.send('POST', SERVICES, {
      body: { metadata: { name: 's5' }, spec: { ports: [{ port: 80 }] } },
    })
    await sandbox.stop()
    expect([...addresses].sort()).to.deep.equal([2, 3, 4, 5, 6].map((each) => `10.96.0.${each}`))
    expect([last.status, last.body.message]).to.deep.equal([
      500,
      'Internal error occurred: failed to allocate a serviceIP: range is full',
    ])
  })
})
