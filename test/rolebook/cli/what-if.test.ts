import { expect } from 'chai'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { Connection } from '../../../src/core/kube-client/connect.ts'
import { findKind } from '../../../src/rolebook/cli/kind-argument.ts'
import { findOperatorNamespace } from '../../../src/rolebook/cli/operator-namespace.ts'
import { composePatches, mergePatch } from '../../../src/rolebook/cli/what-if/merge-patch.ts'
import { whatIf } from '../../../src/rolebook/cli/what-if/what-if.ts'
import { WhatIfClient } from '../../../src/rolebook/cli/what-if/what-if-client.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

const KEY = { namespace: 'default', name: 'a' }
const FORCED = { fieldManager: 'rolebook', force: true } as const

function configMap(data: Record<string, string>, metadata: KubeObject['metadata'] = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...KEY, ...metadata }, data }
}

const dataOf = (object: KubeObject | undefined): unknown => object?.data
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ApiError ? error.reason : String(error)),
  )

describe('WhatIfClient', () => {
  let sandbox: OperatorSandbox
  let client: WhatIfClient
  before(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  beforeEach(async () => {
    await sandbox.remove(CONFIG_MAP, 'a')
    await sandbox.remove(CONFIG_MAP, 'b')
    client = new WhatIfClient(sandbox.client)
  })
  after(() => sandbox.stop())

  const names = async (labelSelector?: string): Promise<readonly string[]> => {
    const { items } = await client.list(CONFIG_MAP, { namespace: 'default', labelSelector })
    return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== 'kube-root-ca.crt')
  }

  it('shows what would have been made, and changes it as the server would', async () => {
    const made = await client.apply(configMap({ x: '1' }, { labels: { l: '1' } }), FORCED)
    expect(made.metadata.uid).to.be.a('string')
    expect(dataOf(await client.get(CONFIG_MAP, KEY))).to.deep.equal({ x: '1' })
    expect(await names('l=1')).to.deep.equal(['a'])
    expect(await names('l=2')).to.deep.equal([])
    const again = await client.apply(configMap({ y: '2' }, { uid: made.metadata.uid }), FORCED)
    expect([dataOf(again), again.metadata.uid]).to.deep.equal([{ y: '2' }, made.metadata.uid])
    expect(again.metadata.resourceVersion).to.not.equal(made.metadata.resourceVersion)
    expect(await sandbox.get(CONFIG_MAP, 'a')).to.equal(undefined)
  })

  it('gives no new version to what would stay as it is', async () => {
    const [first, second] = [
      await client.apply(configMap({ x: '1' }), FORCED),
      await client.apply(configMap({ x: '1' }), FORCED),
    ]
    expect(second.metadata.resourceVersion).to.equal(first.metadata.resourceVersion)
  })

  it('lets several managers have their fields of an object that is there', async () => {
    await sandbox.apply(configMap({ theirs: '1', taken: '1' }))
    await client.apply(configMap({ ours: '1' }), FORCED)
    await client.apply(configMap({ taken: '2' }), { ...FORCED, fieldManager: 'other' })
    const now = await client.apply(configMap({ ours: '2' }), FORCED)
    expect(dataOf(now)).to.deep.equal({ theirs: '1', taken: '2', ours: '2' })
    const managers = now.metadata.managedFields?.map(({ manager }) => manager)
    expect(managers).to.include.members(['rolebook', 'other', 'person'])
    expect(dataOf(await sandbox.get(CONFIG_MAP, 'a'))).to.deep.equal({ theirs: '1', taken: '1' })
  })

  it('lets another manager add to what only would be there', async () => {
    await client.apply(configMap({ x: '1' }), FORCED)
    const both = await client.apply(configMap({ y: '1' }), { ...FORCED, fieldManager: 'other' })
    expect(dataOf(both)).to.deep.equal({ x: '1', y: '1' })
    const status = await client.apply({ ...configMap({}), status: { s: 1 } }, { ...FORCED, subresource: 'status' })
    expect([dataOf(status), status.status]).to.deep.equal([{ x: '1', y: '1' }, { s: 1 }])
  })

  it('adds merge patches up, with versions that the server knows', async () => {
    await sandbox.apply(configMap({ x: '1' }))
    const patch = async (data: Record<string, string | null>) => {
      const seen = await client.get(CONFIG_MAP, KEY)
      const { uid, resourceVersion } = seen?.metadata ?? {}
      const body = { metadata: { uid, resourceVersion }, data }
      return client.patch(CONFIG_MAP, KEY, { type: 'merge', body }, { fieldManager: 'rolebook' })
    }
    await patch({ y: '1' })
    expect(dataOf(await patch({ z: '1', x: null }))).to.deep.equal({ y: '1', z: '1' })
    expect(dataOf(await sandbox.get(CONFIG_MAP, 'a'))).to.deep.equal({ x: '1' })
  })

  it('sends JSON patches of what is there, and has patches of what would be there itself', async () => {
    await sandbox.apply(configMap({ x: '1' }))
    const operation = { op: 'add', path: '/data/y', value: '1' } as const
    const json = { type: 'json', body: [operation] } as const
    expect(dataOf(await client.patch(CONFIG_MAP, KEY, json, { fieldManager: 'f' }))).to.deep.equal({ x: '1', y: '1' })
    await client.apply({ ...configMap({ x: '1' }), metadata: { ...KEY, name: 'b' } }, FORCED)
    const key = { ...KEY, name: 'b' }
    const merge = { type: 'merge', body: { data: { x: null, y: '1' } } } as const
    expect(dataOf(await client.patch(CONFIG_MAP, key, merge, { fieldManager: 'f' }))).to.deep.equal({ y: '1' })
    expect(dataOf(await client.patch(CONFIG_MAP, key, json, { fieldManager: 'f' }))).to.deep.equal({ y: '1' })
  })

  it('shows no more what would have been removed, and makes it anew', async () => {
    const live = await sandbox.apply(configMap({ x: '1' }))
    expect(await codeOf(client.delete(CONFIG_MAP, KEY, { uid: 'other' }))).to.equal('Conflict')
    await client.delete(CONFIG_MAP, KEY, { uid: live.metadata.uid })
    expect([await client.get(CONFIG_MAP, KEY), await names()]).to.deep.equal([undefined, []])
    expect(await client.delete(CONFIG_MAP, KEY)).to.equal(undefined)
    const anew = await client.apply(configMap({ y: '1' }), FORCED)
    expect(dataOf(anew)).to.deep.equal({ y: '1' })
    expect(anew.metadata.uid).to.not.equal(live.metadata.uid)
    expect(dataOf(await sandbox.get(CONFIG_MAP, 'a'))).to.deep.equal({ x: '1' })
  })

  it('refuses as the server would', async () => {
    await sandbox.apply(configMap({ x: '1' }))
    expect(await codeOf(client.create(configMap({}), FORCED))).to.equal('AlreadyExists')
    const patch = client.patch(CONFIG_MAP, { ...KEY, name: 'no' }, { type: 'merge', body: {} }, { fieldManager: 'f' })
    expect(await codeOf(patch)).to.equal('NotFound')
    expect(await codeOf(client.apply({ ...configMap({}), data: { x: 1 } }, FORCED))).to.not.equal('done')
    expect(await codeOf(client.list({ group: 'no', version: 'v1', kind: 'No' }))).to.equal('KindNotServed')
  })

  it('makes what would stand in a namespace that would be made', async () => {
    const inside = configMap({ x: '1' }, { namespace: 'made' })
    expect(await codeOf(client.apply(inside, FORCED))).to.equal('NotFound')
    await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } }, FORCED)
    expect(dataOf(await client.apply(inside, FORCED))).to.deep.equal({ x: '1' })
    expect((await client.list(CONFIG_MAP, { namespace: 'made' })).items).to.have.length(1)
  })

  it('creates what is new, asks for a dry run as such, and does neither send events nor the ledger', async () => {
    const created = await client.create(configMap({ x: '1' }), FORCED)
    expect(dataOf(created)).to.deep.equal({ x: '1' })
    expect(
      dataOf(
        await client.apply({ ...configMap({ y: '1' }), metadata: { ...KEY, name: 'b' } }, { ...FORCED, dryRun: true }),
      ),
    ).to.deep.equal({ y: '1' })
    expect(await client.get(CONFIG_MAP, { ...KEY, name: 'b' })).to.equal(undefined)
    const event: KubeObject = { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { ...KEY } }
    expect(await client.create(event, FORCED)).to.equal(event)
    const ledger = { ...configMap({ k: '1' }), metadata: { namespace: 'default', name: 'rolebook-ledger' } }
    await client.create(ledger, FORCED)
    const key = { namespace: 'default', name: 'rolebook-ledger' }
    await client.patch(CONFIG_MAP, key, { type: 'merge', body: { data: { l: '2' } } }, FORCED)
    expect(dataOf(await client.get(CONFIG_MAP, key))).to.deep.equal({ k: '1', l: '2' })
  })

  it('shows metadata alone where that is asked for, and watches nothing', async () => {
    await client.apply(configMap({ x: '1' }), FORCED)
    const options = { metadataOnly: true }
    const { items } = await client.list(CONFIG_MAP, { ...options, namespace: 'default' })
    const seen = [await client.get(CONFIG_MAP, KEY, options), items.find(({ metadata }) => metadata.name === 'a')]
    expect(seen.map(dataOf)).to.deep.equal([undefined, undefined])
    for await (const event of client.watch()) expect.fail(JSON.stringify(event))
  })
})

describe('whatIf', () => {
  it('guesses nothing while the server fails', async () => {
    const mapper = { mappingFor: () => Promise.reject(new ApiError(500, 'InternalError', 'broken')) }
    const connection = { client: {} as KubeClient, mapper, openApi: {} } as unknown as Connection
    const project = await projectOf({ widget: 'tasks:\n  - set: { a: "1" }\n' })
    const { signal } = new AbortController()
    const work = whatIf(project, { connection, logger: nopLogger, operatorNamespace: 'ops', signal })
    expect(await codeOf(work)).to.equal('InternalError')
  })
})

describe('mergePatch', () => {
  const object = { apiVersion: 'v1', kind: 'X', metadata: {}, a: { b: 1, c: 2 }, d: 'x' } as KubeObject
  const cases = [
    { name: 'changes and removes fields', patch: { a: { b: 3, c: null } }, result: { a: { b: 3 }, d: 'x' } },
    {
      name: 'makes a map of what was none',
      patch: { d: { e: 1, f: null } },
      result: { a: { b: 1, c: 2 }, d: { e: 1 } },
    },
    { name: 'replaces a map by what is none', patch: { a: [1] }, result: { a: [1], d: 'x' } },
  ]
  for (const { name, patch, result } of cases) {
    it(name, () => {
      const { apiVersion: _version, kind: _kind, metadata: _metadata, ...content } = mergePatch(object, patch)
      expect(content).to.deep.equal(result)
    })
  }

  it('does with a composed patch what the two do one after the other', () => {
    const [first, second] = [
      { a: { b: 5, c: null }, d: null },
      { a: { c: 7 }, e: 1 },
    ]
    const composed = mergePatch(object, composePatches(first, second))
    expect(composed).to.deep.equal(mergePatch(mergePatch(object, first), second))
  })
})

/** A cluster that answers lists only. */
function listing(answer: () => Promise<readonly Partial<KubeObject>[]>, preferred?: typeof WIDGET) {
  const list = async () => ({ items: (await answer()) as KubeObject[], resourceVersion: '1' })
  const mapper = {
    preferred: async () => preferred,
    mappingFor: () => Promise.reject(new Error('none')),
    refresh: () => undefined,
  }
  return { client: { list } as unknown as KubeClient, mapper }
}

describe('the namespace of the operator', () => {
  const ledgerIn = (namespace: string): Partial<KubeObject> => ({ metadata: { namespace, name: 'rolebook-ledger' } })
  const cases = [
    { name: 'is the one that is given', ledgers: ['a'], given: 'g', ofContext: 'c', found: 'g' },
    { name: 'is where its ledger stands', ledgers: ['a'], ofContext: 'c', found: 'a' },
    { name: 'is that of the context where a ledger stands there', ledgers: ['a', 'c'], ofContext: 'c', found: 'c' },
    { name: 'is that of the context where there is no ledger', ledgers: [], ofContext: 'c', found: 'c' },
    { name: 'is default where nothing is known', ledgers: [], found: 'default' },
  ]
  for (const { name, ledgers, given, ofContext, found } of cases) {
    it(name, async () => {
      const { client } = listing(async () => ledgers.map(ledgerIn))
      expect(await findOperatorNamespace(client, { given, ofContext })).to.equal(found)
    })
  }

  it('has to be said where there are several', async () => {
    const { client } = listing(async () => ['a', 'b'].map(ledgerIn))
    const message = await findOperatorNamespace(client, { given: undefined, ofContext: 'c' }).catch(
      ({ message }) => message,
    )
    expect(message).to.equal('there are several operators, in a, b: say which with --operator-namespace')
  })

  const REFUSALS = [
    { name: 'is that of the context for who may not look for ledgers', status: 403, reason: 'Forbidden', found: 'c' },
    { name: 'is not guessed while the server fails', status: 500, reason: 'InternalError', found: 'InternalError' },
  ]
  for (const { name, status, reason, found } of REFUSALS) {
    it(name, async () => {
      const { client } = listing(() => Promise.reject(new ApiError(status, reason, 'no')))
      const search = findOperatorNamespace(client, { given: undefined, ofContext: 'c' })
      expect(await search.catch(({ reason }) => reason)).to.equal(found)
    })
  }
})

describe('a kind that a person names', () => {
  const crdOf = (kind: string, group: string, shortNames?: readonly string[]): Partial<KubeObject> => ({
    spec: {
      group,
      names: {
        kind,
        plural: `${kind.toLowerCase()}s`,
        singular: kind.toLowerCase(),
        ...(shortNames && { shortNames }),
      },
    },
  })
  const CRDS = [crdOf('Memcached', 'a.com', ['mc']), crdOf('Memcached', 'b.com'), crdOf('Page', 'a.com'), { spec: {} }]
  const cases = [
    { text: 'page', found: 'Page.a.com' },
    { text: 'PAGES', found: 'Page.a.com' },
    { text: 'mc', found: 'Memcached.a.com' },
    { text: 'memcacheds.b.com', found: 'Memcached.b.com' },
    { text: 'memcached', found: '"memcached" may be Memcached.a.com or Memcached.b.com: add the group' },
    {
      text: 'nothing',
      found:
        'no kind "nothing" is known: the custom resources of the cluster are Memcached.a.com, Memcached.b.com, Page.a.com',
    },
  ]
  for (const { text, found } of cases) {
    it(`${text}: ${found}`, async () => {
      const search = findKind(
        text,
        listing(async () => CRDS),
      )
      expect(
        await search.then(
          ({ group, kind }) => `${kind}.${group}`,
          ({ message }) => message,
        ),
      ).to.equal(found)
    })
  }

  it('is unknown where there are no custom resources, and of many the first are named', async () => {
    const refusalFor = (crds: readonly Partial<KubeObject>[]): Promise<string> =>
      findKind(
        'nothing',
        listing(async () => crds),
      ).then(String, ({ message }: Error) => message)
    expect(await refusalFor([])).to.equal('no kind "nothing" is known')
    const kinds = Array.from({ length: 21 }, (_, index) => `K${index}`)
    const named = kinds.slice(0, 20).map((kind) => `${kind}.a.com`)
    expect(await refusalFor(kinds.map((kind) => crdOf(kind, 'a.com')))).to.equal(
      `no kind "nothing" is known: the custom resources of the cluster are ${named.join(', ')}, …`,
    )
  })

  it('is asked of the server by its exact name, where CRDs may not be read', async () => {
    const refuse = () => Promise.reject(new ApiError(403, 'Forbidden', 'no'))
    expect(await findKind('Widget.example.com', listing(refuse, WIDGET))).to.include({ kind: 'Widget' })
  })
})
