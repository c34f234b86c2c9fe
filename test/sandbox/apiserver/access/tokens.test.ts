import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { attributesOf } from '../../../../src/sandbox/apiserver/access/attributes.ts'
import type { Authorizer, PolicyRule } from '../../../../src/sandbox/apiserver/access/authorizer.ts'
import { impersonated } from '../../../../src/sandbox/apiserver/access/impersonation.ts'
import { missingRules } from '../../../../src/sandbox/apiserver/access/rule-coverage.ts'
import { Sandbox } from '../sandbox.ts'

const SECRET = { group: '', version: 'v1', kind: 'Secret' }
const ACCOUNT = { group: '', version: 'v1', kind: 'ServiceAccount' }

function made(kind: string, name: string, more: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'default' }, ...more } as KubeObject
}

describe('Tokens', () => {
  const sandbox = new Sandbox({ authorization: 'rbac' })
  before(() => sandbox.start())
  after(() => sandbox.stop())

  async function tokenOf(account: string, boundObjectRef?: JsonObject): Promise<string> {
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 600, ...(boundObjectRef && { boundObjectRef }) },
    }
    const answer = await sandbox.send('POST', `/api/v1/namespaces/default/serviceaccounts/${account}/token`, { body })
    return (answer.body.status as { token: string }).token
  }

  async function review(token: string): Promise<JsonObject> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } }
    const answer = await sandbox.send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body })
    return answer.body.status as JsonObject
  }

  it('end with their account', async () => {
    sandbox.objects.create(made('ServiceAccount', 'robot'), 'test')
    const token = await tokenOf('robot')
    sandbox.objects.delete(ACCOUNT, { namespace: 'default', name: 'robot' })
    expect((await review(token)).error).to.equal('[invalid bearer token, serviceaccounts "robot" not found]')
  })

  it('end with the Secret that they are bound to, and another of its name is none', async () => {
    const first = sandbox.objects.create(made('Secret', 'bound'), 'test').metadata.uid
    const token = await tokenOf('default', { apiVersion: 'v1', kind: 'Secret', name: 'bound' })
    expect(await review(token)).to.include({ authenticated: true })
    sandbox.objects.delete(SECRET, { namespace: 'default', name: 'bound' })
    expect((await review(token)).error).to.equal('[invalid bearer token, service account token has been invalidated]')
    const second = sandbox.objects.create(made('Secret', 'bound'), 'test').metadata.uid
    expect((await review(token)).error).to.equal(
      `[invalid bearer token, Secret UID (${second}) does not match service account secret ref claim (${first})]`,
    )
  })

  it('say which node they are bound to', async () => {
    const node = sandbox.objects.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }, 'test')
    const { user } = await review(await tokenOf('default', { apiVersion: 'v1', kind: 'Node', name: 'n1' }))
    expect((user as JsonObject).extra).to.deep.include({
      'authentication.kubernetes.io/node-name': ['n1'],
      'authentication.kubernetes.io/node-uid': [node.metadata.uid],
    })
  })

  it('say on which node the pod runs that they are bound to', async () => {
    const node = sandbox.objects.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n2' } }, 'test')
    const spec = { serviceAccountName: 'default', nodeName: 'n2', containers: [{ name: 'c', image: 'example.com/a' }] }
    sandbox.objects.create(made('Pod', 'bound', { spec }), 'test')
    const { user } = await review(await tokenOf('default', { apiVersion: 'v1', kind: 'Pod', name: 'bound' }))
    expect((user as JsonObject).extra).to.deep.include({
      'authentication.kubernetes.io/node-name': ['n2'],
      'authentication.kubernetes.io/node-uid': [node.metadata.uid],
    })
  })

  describe('in Secrets', () => {
    const TYPE = 'kubernetes.io/service-account-token'
    const NAME = 'kubernetes.io/service-account.name'
    const UID = 'kubernetes.io/service-account.uid'
    const key = { namespace: 'default', name: 'kept' }
    const asking = (account: string, more: JsonObject = {}): KubeObject => {
      const metadata = { ...key, annotations: { [NAME]: account, ...more } }
      return { apiVersion: 'v1', kind: 'Secret', metadata, type: TYPE }
    }
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
    const kept = () => sandbox.objects.get(SECRET, key)
    const text = (field: string): string =>
      Buffer.from(String((kept()?.data as JsonObject | undefined)?.[field]), 'base64').toString()

    beforeEach(() => void sandbox.objects.create(made('ServiceAccount', 'robot'), 'test'))
    afterEach(async () => {
      sandbox.objects.delete(ACCOUNT, { namespace: 'default', name: 'robot' })
      await settled()
    })

    it('are made for the account that a Secret names, and are good as long as it is there', async () => {
      const { uid } = sandbox.objects.get(ACCOUNT, { namespace: 'default', name: 'robot' })!.metadata
      sandbox.objects.create(asking('robot'), 'test')
      await settled()
      expect(kept()?.metadata.annotations).to.deep.equal({ [NAME]: 'robot', [UID]: uid })
      expect(text('namespace')).to.equal('default')
      const token = text('token')
      const { user } = await review(token)
      expect(user)
        .to.deep.include({ username: 'system:serviceaccount:default:robot', uid })
        .and.not.to.have.key('extra')
      const { resourceVersion } = kept()!.metadata
      await settled()
      expect(kept()?.metadata.resourceVersion).to.equal(resourceVersion)
      sandbox.objects.delete(SECRET, key)
      expect((await review(token)).error).to.contain('invalidated')
    })

    it('go with their account', async () => {
      sandbox.objects.create(asking('robot'), 'test')
      await settled()
      sandbox.objects.delete(ACCOUNT, { namespace: 'default', name: 'robot' })
      await settled()
      expect(kept()).to.equal(undefined)
    })

    for (const [what, secret] of [
      ['an account that is not there', asking('ghost')],
      ['an earlier account of the name', asking('robot', { [UID]: 'another' })],
    ] as const)
      it(`are not made for ${what}: such a Secret goes`, async () => {
        sandbox.objects.create(secret, 'test')
        await settled()
        expect(kept()).to.equal(undefined)
      })

    it('are not made for a Secret that is gone again', async () => {
      sandbox.objects.create(asking('robot'), 'test')
      sandbox.objects.delete(SECRET, key)
      await settled()
      expect(kept()).to.equal(undefined)
    })

    it('stay when a user has written them', async () => {
      sandbox.objects.create({ ...asking('robot'), data: { token: 'bWluZQ==', other: 'eA==' } }, 'test')
      await settled()
      expect([text('token'), text('namespace'), text('other')]).to.deep.equal(['mine', 'default', 'x'])
    })
  })
})

describe('Attributes of a request', () => {
  it('are those of the path as it is where it is badly escaped', () => {
    const query = new URLSearchParams()
    expect(attributesOf({ method: 'GET', path: '/api/v1/%zz', query }).resource?.plural).to.equal('%zz')
  })
})

describe('Missing rules', () => {
  const rows: readonly { name: string; owned: PolicyRule; wanted: PolicyRule; missing: readonly string[] }[] = [
    {
      name: 'a rule without resources covers none',
      owned: { verbs: ['get'], apiGroups: [''] },
      wanted: { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
      missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    },
    {
      name: 'a subresource of all',
      owned: { verbs: ['*'], apiGroups: ['*'], resources: ['*/scale'] },
      wanted: { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/scale'] },
      missing: [],
    },
    {
      name: 'a path, verb by verb',
      owned: { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
      wanted: { verbs: ['get'], nonResourceURLs: ['/metrics'] },
      missing: ['{NonResourceURLs:["/metrics"], Verbs:["get"]}'],
    },
  ]
  for (const { name, owned, wanted, missing } of rows) {
    it(`are found: ${name}`, () => expect(missingRules([owned], [wanted])).to.deep.equal(missing))
  }
})

describe('Impersonation', () => {
  it('forgets how callers did it once they are many', () => {
    const asked: string[] = []
    const authorizer: Authorizer = {
      decide: (_user, { verb }) => {
        asked.push(verb)
        return { allowed: verb === 'impersonate', reason: '' }
      },
      rulesOf: () => ({ rules: [], errors: [] }),
    }
    const attributes = { verb: 'get', path: '/' }
    const call = (name: string): readonly string[] => {
      asked.length = 0
      impersonated({ name, groups: [] }, { 'impersonate-user': ['eve'] }, { authorizer, attributes })
      return [...asked]
    }
    const narrowFirst = ['impersonate-on:user-info:get', 'impersonate']
    expect(call('u0')).to.deep.equal(narrowFirst)
    expect(call('u0')).to.deep.equal(['impersonate'])
    for (let index = 1; index <= 1000; index++) call(`u${index}`)
    expect(call('u0')).to.deep.equal(narrowFirst)
  })
})
