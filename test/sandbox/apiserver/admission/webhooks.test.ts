import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { createServerCertificate } from '../../../../src/sandbox/apiserver/http/certificates.ts'
import { long } from '../../../support/long-tests.ts'
import { configMap, Sandbox } from '../sandbox.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const GROUP = '/apis/admissionregistration.k8s.io/v1'

/** What a webhook was asked, and what it says. */
type Answer = (request: JsonObject) => JsonObject

describe('Webhooks', () => {
  let sandbox: Sandbox
  let server: Server
  let url = ''
  let caBundle = ''
  let servingCertificate = ''
  let paths: (string | undefined)[] = []
  let answer: Answer = () => ({ allowed: true })
  let asked: JsonObject[] = []

  before(async () => {
    const { key, certificate, ca } = await createServerCertificate(Date.now())
    caBundle = Buffer.from(ca).toString('base64')
    servingCertificate = Buffer.from(certificate).toString('base64')
    server = createServer({ key, cert: certificate }, (message, response) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk) => chunks.push(chunk))
      message.on('end', () => {
        const review = JSON.parse(Buffer.concat(chunks).toString())
        asked.push(review.request)
        paths.push(message.url)
        const { raw, code, ...said } = answer(review.request)
        if (typeof code === 'number') response.statusCode = code
        response.end(
          typeof raw === 'string'
            ? raw
            : JSON.stringify({ ...review, request: undefined, response: { uid: review.request.uid, ...said } }),
        )
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  })
  after(() => server.close())

  beforeEach(async () => {
    asked = []
    paths = []
    sandbox = new Sandbox()
    await sandbox.start()
  })
  afterEach(() => sandbox.stop())

  async function configure(kind: 'validating' | 'mutating', more: JsonObject = {}, operations = ['*']): Promise<void> {
    const webhook = {
      name: 'hook.example.com',
      clientConfig: { url, caBundle },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      ...more,
    }
    const body = { metadata: { name: 'hook' }, webhooks: [webhook] }
    const created = await sandbox.send('POST', `${GROUP}/${kind}webhookconfigurations`, { body })
    expect(created.status, created.text).to.equal(201)
  }

  const post = (more: JsonObject = {}, query = ''): ReturnType<Sandbox['send']> =>
    sandbox.send('POST', `${MAPS}${query}`, { body: { metadata: { name: 'a' }, data: { x: '1' }, ...more } })

  const patch = (operations: readonly JsonObject[]): JsonObject => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  })

  it('are shown what is created, and let it pass', async () => {
    await configure('validating')
    answer = () => ({ allowed: true, warnings: ['careful'] })
    const created = await post()
    expect(created.status, created.text).to.equal(201)
    expect(created.headers.warning).to.equal('299 - "careful"')
    expect(asked).to.have.length(1)
    expect(asked[0]).to.include({ operation: 'CREATE', name: 'a', namespace: 'default', dryRun: false })
    expect(asked[0]).to.have.nested.property('object.metadata.uid', (created.body.metadata as JsonObject).uid)
    expect(asked[0]?.oldObject).to.equal(null)
  })

  it('are trusted when the bundle holds their own certificate, as that of envtest does', async () => {
    await configure('validating', { clientConfig: { url, caBundle: servingCertificate } })
    answer = () => ({ allowed: true })
    const created = await post()
    expect(created.status, created.text).to.equal(201)
  })

  for (const [written, sent] of [
    ['//hook', '/hook'],
    ['/a//b/../hook/', '/a/hook'],
    ['', '/'],
  ] as const) {
    it(`are asked at ${sent} when their path is '${written}'`, async () => {
      const { origin } = new URL(url)
      await configure('validating', { clientConfig: { url: `${origin}${written}`, caBundle } })
      answer = () => ({ allowed: true })
      expect((await post()).status).to.equal(201)
      expect(paths).to.deep.equal([`${sent}?timeout=10s`])
    })
  }

  it('keep the name that they were shown', async () => {
    await configure('validating')
    answer = () => ({ allowed: true })
    const created = await post({ metadata: { generateName: 'a-' } })
    expect((created.body.metadata as JsonObject).name).to.equal(asked[0]?.name)
  })

  it('refuse, and nothing is stored', async () => {
    await configure('validating')
    answer = () => ({ allowed: false, status: { message: 'no', code: 409, reason: 'Conflict' } })
    const refused = await post()
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.equal('admission webhook "hook.example.com" denied the request: no')
    expect((await sandbox.send('GET', `${MAPS}/a`)).status).to.equal(404)
  })

  it('refuse without a word', async () => {
    await configure('validating')
    answer = () => ({ allowed: false })
    const refused = await post()
    expect(refused.status).to.equal(400)
    expect(refused.body.message).to.equal('admission webhook "hook.example.com" denied the request without explanation')
  })

  it('are shown changes and deletions, of collections too', async () => {
    answer = () => ({ allowed: true })
    await configure('validating', {}, ['UPDATE', 'DELETE'])
    await post()
    await post({ metadata: { name: 'b' } })
    const headers = { 'content-type': 'application/merge-patch+json' }
    await sandbox.send('PATCH', `${MAPS}/a`, { headers, body: { data: { x: '2' } } })
    expect(asked[0]).to.have.nested.property('oldObject.data.x', '1')
    expect(asked[0]).to.have.nested.property('object.data.x', '2')
    await sandbox.send('DELETE', `${MAPS}/a`)
    expect(asked[1]).to.include({ operation: 'DELETE', object: null })
    const nameOf = ({ oldObject }: JsonObject): unknown => ((oldObject as JsonObject).metadata as JsonObject).name
    answer = (request) => ({ allowed: nameOf(request) !== 'kube-root-ca.crt' })
    await sandbox.send('DELETE', MAPS)
    expect(asked.slice(2).map(nameOf)).to.deep.equal(['b', 'kube-root-ca.crt'])
    expect((await sandbox.send('GET', `${MAPS}/b`)).status).to.equal(404)
    expect((await sandbox.send('GET', `${MAPS}/kube-root-ca.crt`)).status).to.equal(200)
  })

  it('change what is created; the fields that they set have no manager', async () => {
    await configure('mutating')
    answer = () => patch([{ op: 'add', path: '/data/y', value: '2' }])
    const created = await post()
    expect(created.body.data).to.deep.equal({ x: '1', y: '2' })
    expect(JSON.stringify((created.body.metadata as JsonObject).managedFields)).to.not.include('f:y')
  })

  it('are not asked again about what they have changed themselves', async () => {
    await configure('mutating', { reinvocationPolicy: 'IfNeeded' })
    let calls = 0
    answer = () => patch([{ op: 'add', path: '/data/calls', value: String(++calls) }])
    expect((await post()).body.data).to.deep.equal({ x: '1', calls: '1' })
  })

  it('are asked about trials when they have no side effects', async () => {
    await configure('validating', { sideEffects: 'NoneOnDryRun' })
    answer = ({ dryRun }) => ({ allowed: dryRun !== true })
    expect((await post({}, '?dryRun=All')).status).to.equal(400)
  })

  const failures: readonly { name: string; webhook: JsonObject; answer?: Answer; message: RegExp }[] = [
    {
      name: 'is not there',
      webhook: { clientConfig: { url: 'https://127.0.0.1:1/x' } },
      message:
        /^Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: Post "https:\/\/127.0.0.1:1\/x\?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused$/,
    },
    {
      name: 'is a Service',
      webhook: { clientConfig: { service: { namespace: 'a', name: 'b' } } },
      message: /reaches no Service: give the webhook a clientConfig.url$/,
    },
    { name: 'is elsewhere', webhook: { clientConfig: { url: 'https://example.com/x' } }, message: /not example.com$/ },
    { name: 'is nowhere', webhook: { clientConfig: { url: 'https://a<b/x' } }, message: /not https:\/\/a<b\/x$/ },
    { name: 'says nothing', webhook: {}, answer: () => ({ raw: '{}' }), message: /webhook response was absent$/ },
    {
      name: 'talks of another',
      webhook: {},
      answer: () => ({ uid: 'x' }),
      message: /expected response.uid="[-0-9a-f]+", got "x"$/,
    },
    {
      name: 'talks of none',
      webhook: {},
      answer: () => ({ uid: null }),
      message: /expected response.uid="[-0-9a-f]+", got ""$/,
    },
    {
      name: 'says no object',
      webhook: {},
      answer: () => ({ raw: '[]' }),
      message: /json: cannot unmarshal array into Go value of type struct/,
    },
    {
      name: 'talks another version',
      webhook: {},
      answer: ({ uid }) => ({
        raw: JSON.stringify({ apiVersion: 'admission.k8s.io/v2', kind: 'AdmissionReview', response: { uid } }),
      }),
      message: /no kind "AdmissionReview" is registered for version "admission.k8s.io\/v2" in scheme/,
    },
    {
      name: 'has a fault',
      webhook: {},
      answer: () => ({ code: 503 }),
      message: /the server is currently unable to handle the request$/,
    },
    {
      name: 'says too much',
      webhook: {},
      answer: () => ({ raw: 'x'.repeat(3 * 1024 * 1024 + 1) }),
      message: /the answer is too large$/,
    },
    {
      name: 'does not talk JSON',
      webhook: {},
      answer: () => ({ raw: 'hello' }),
      message: /cannot unmarshal string into Go value/,
    },
  ]
  for (const { name, webhook, answer: given, message } of failures) {
    it(`count as the policy says when one ${name}`, async () => {
      await configure('validating', { failurePolicy: 'Fail', ...webhook })
      answer = given ?? answer
      const refused = await post()
      expect(refused.status).to.equal(500)
      expect(refused.body.message).to.match(message)
      await sandbox.send('DELETE', `${GROUP}/validatingwebhookconfigurations/hook`)
      await configure('validating', { failurePolicy: 'Ignore', ...webhook })
      expect((await post()).status).to.equal(201)
    })
  }

  it('that change and fail are passed by where they may', async () => {
    await configure('mutating', { failurePolicy: 'Ignore', clientConfig: { url: 'https://127.0.0.1:1/x' } })
    expect((await post()).body.data).to.deep.equal({ x: '1' })
  })

  it('are not asked about what the server does itself, nor without rules', async () => {
    await configure('validating')
    answer = () => ({ allowed: false })
    sandbox.objects.create(configMap('own'), 'test')
    await sandbox.send('DELETE', `${GROUP}/validatingwebhookconfigurations/hook`)
    await configure('validating', { rules: [] })
    expect((await post()).status).to.equal(201)
    expect(asked).to.have.length(0)
  })

  it('let pass without changing anything', async () => {
    await configure('mutating')
    answer = () => ({ allowed: true })
    expect((await post()).body.data).to.deep.equal({ x: '1' })
  })

  it('refuse with a reason and details', async () => {
    await configure('validating')
    answer = () => ({ allowed: false, status: { reason: 'Forbidden', code: 403, details: { name: 'it' } } })
    const { body } = await post()
    expect(body.message).to.equal('admission webhook "hook.example.com" denied the request: Forbidden')
    expect(body.details).to.deep.equal({ name: 'it' })
  })

  it('cannot change what is deleted, nor with what is no patch', async () => {
    answer = () => ({ allowed: true })
    await post()
    await configure('mutating')
    answer = () => patch([{ op: 'add', path: '/data/y', value: '2' }])
    expect((await sandbox.send('DELETE', `${MAPS}/a`)).body.message).to.match(
      /attempted to modify the object, which is not supported for this operation$/,
    )
    for (const said of [
      { allowed: true, patchType: 'JSONPatch', patch: Buffer.from('{').toString('base64') },
      patch([{ op: 'remove', path: '/nothing/there' }]),
    ]) {
      answer = () => said
      expect((await post({ metadata: { name: 'b' } })).status).to.equal(500)
    }
  })

  it('refuse what their conditions cannot judge, unless they may be passed by', async () => {
    const webhook = { matchConditions: [{ name: 'a', expression: "object.data.missing == 'x'" }] }
    await configure('validating', { failurePolicy: 'Fail', ...webhook })
    const refused = await post()
    expect(refused.status).to.equal(403)
    expect(refused.body.message).to.match(/^configmaps "a" is forbidden: expression .*no such key: missing$/)
    await sandbox.send('DELETE', `${GROUP}/validatingwebhookconfigurations/hook`)
    await configure('validating', { failurePolicy: 'Ignore', ...webhook })
    expect((await post()).status).to.equal(201)
  })

  long.it('refuse what their conditions cannot pay for', async () => {
    const each = 'object.data.l.split("").all(a, object.data.l.split("").all(b, true))'
    const matchConditions = Array.from({ length: 12 }, (_, index) => ({ name: `c${index}`, expression: each }))
    await configure('validating', { failurePolicy: 'Fail', matchConditions })
    const refused = await post({ data: { l: 'x'.repeat(400) } })
    expect(refused.status).to.equal(403)
    expect(refused.body.message).to.match(/running out of cost budget/)
  })

  it('cannot change with what is no operation', async () => {
    await configure('mutating')
    answer = () => patch([{ op: 1 as never }])
    expect((await post()).body.message).to.match(/cannot unmarshal number into Go struct field jsonPatchOp.op/)
  })

  it('are spared what their conditions exclude', async () => {
    await configure('validating', { matchConditions: [{ name: 'small', expression: "object.data.x == '2'" }] })
    expect((await post()).status).to.equal(201)
    expect(asked).to.have.length(0)
  })

  it('give up in their time', async () => {
    await configure('validating', { timeoutSeconds: 1 })
    server.removeAllListeners('request')
    const refused = await post()
    expect(refused.body.message).to.match(/context deadline exceeded$/)
  })
})
