import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { DeleteOptions, KubeClient } from '../../../../src/core/kube/client.ts'
import { formatGroupKind, type Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject, ObjectMeta } from '../../../../src/core/kube/object.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import type { ObjectApplier } from '../../../../src/engine/reconcile/apply/apply-object.ts'
import { NamespaceRules, type Owner, ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import { ManagedObjects, type ManagedObjectsTools } from '../../../../src/engine/reconcile/prune/managed-objects.ts'
import type { ObjectCaches } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { toFailedOutcome } from '../../../../src/engine/role/run/to-failed-outcome.ts'
import { ledgerWith } from '../../../support/ledger-with.ts'
import { partOf } from '../../../support/part-of.ts'
import { roleOf } from '../../../support/task-run.ts'

const OWNER = ownerOf(
  { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'd', uid: 'u' } },
  { group: 'example.com', version: 'v1', kind: 'Widget' },
)
const ROLE = roleOf(`
- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
- ensure: {apiVersion: v1, kind: Pod, metadata: {name: p}}
`)

/** A child with all of our marks. */
function child(name: string, metadata: ObjectMeta = {}, kind = 'ConfigMap'): KubeObject {
  const fieldsV1 = { 'f:metadata': { 'f:labels': { 'f:rolebook.dev/owner-uid': {} } } }
  return {
    apiVersion: 'v1',
    kind,
    metadata: {
      name,
      namespace: 'd',
      uid: `${name}-1`,
      resourceVersion: '7',
      labels: { 'rolebook.dev/owner-uid': 'u' },
      annotations: { 'rolebook.dev/owner': 'Widget.example.com/d/w', 'rolebook.dev/operator': 'd/id' },
      ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u', controller: true }],
      managedFields: [{ manager: 'rolebook', operation: 'Apply', fieldsV1 }],
      ...metadata,
    },
  }
}

interface World {
  /** Of the caches. */
  readonly cached?: readonly KubeObject[]
  readonly live?: readonly KubeObject[]
  readonly failure?: Error
  /** Kinds that cannot be listed. */
  readonly unreadable?: Readonly<Record<string, Error>>
  readonly former?: readonly Gvk[]
  readonly onList?: (list: JsonObject) => void
}

function managedIn({ cached = [], live = cached, failure, unreadable = {}, former = [], onList }: World) {
  const log: string[] = []
  const options: DeleteOptions[] = []
  const warnings: string[] = []
  const client = partOf<KubeClient>({
    get: async (_gvk, { name }) => live.find(({ metadata }) => metadata.name === name),
    list: async ({ kind }, { namespace, labelSelector } = {}) => {
      onList?.({ kind, namespace, labelSelector })
      return { items: [child(kind)], resourceVersion: '1' }
    },
    delete: async (_gvk, { name }, given = {}) => {
      log.push(`delete ${name}`)
      options.push(given)
      if (failure) throw failure
      return { apiVersion: 'v1', kind: 'Status', metadata: {} }
    },
    patch: async (_gvk, { name }, { body }) => {
      log.push(`patch ${name}`)
      if (failure) throw failure
      return { ...child(name), metadata: (body as { metadata: ObjectMeta }).metadata }
    },
  })
  const mapper = partOf<ResourceMapper>({
    mappingFor: async (gvk) => ({ gvk, plural: 'x', namespaced: true, subresources: [], verbs: [] }),
    preferred: async (kind) => former.find((gvk) => gvk.kind === kind.kind),
  })
  const tools: ManagedObjectsTools = {
    client,
    mapper,
    caches: partOf<ObjectCaches>({
      children: async (gvk) => {
        const error = unreadable[formatGroupKind(gvk)]
        if (error) throw error
        return cached.filter(({ kind }) => kind === gvk.kind)
      },
      removed: (_gvk, { name }) => void log.push(`removed ${name}`),
    }),
    ledger: ledgerWith(
      { own: [...former, { group: 'gone.example.com', kind: 'Gone' }] },
      { installation: async () => ({ name: 'd/id', key: 'k' }) },
    ),
    applier: partOf<ObjectApplier>({ forget: () => undefined }),
    logger: { ...nopLogger, warn: (message: string) => void warnings.push(message) },
  }
  const managed = new ManagedObjects(tools)
  const rules = new NamespaceRules('d', {})
  const common = { owner: OWNER, rules, made: [], signal: new AbortController().signal }
  return { managed, common, log, options, warnings }
}

describe('ManagedObjects', () => {
  it('deletes by uid and version of the live object', async () => {
    const { managed, common, log, options } = managedIn({
      cached: [child('a')],
      live: [child('a', { resourceVersion: '9' })],
    })
    expect(await managed.remove(child('a'), common)).to.equal(true)
    expect(log).to.deep.equal(['delete a', 'removed a'])
    const { uid, resourceVersion, propagationPolicy } = options[0] ?? {}
    expect([uid, resourceVersion, propagationPolicy]).to.deep.equal(['a-1', '9', 'Background'])
  })

  const kept: { name: string; live: readonly KubeObject[] }[] = [
    { name: 'is not there', live: [] },
    { name: 'is another one of that name', live: [child('a', { uid: 'a-2' })] },
    {
      name: 'has another owner',
      live: [child('a', { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x', controller: true }] })],
    },
    { name: 'was not labelled by us', live: [child('a', { managedFields: [] })] },
    { name: 'is of another installation', live: [child('a', { annotations: { 'rolebook.dev/operator': 'd/other' } })] },
    { name: 'is in a namespace that is not allowed any more', live: [child('a', { ownerReferences: [] })] },
  ]
  for (const { name, live } of kept) {
    it(`does not delete what ${name}`, async () => {
      const elsewhere = name.includes('namespace')
      const seen = elsewhere ? child('a', { namespace: 'elsewhere' }) : child('a')
      const { managed, common, log } = managedIn({ live })
      expect([await managed.remove(seen, common), log]).to.deep.equal([false, []])
    })
  }

  describe('where the role may no longer write', () => {
    const rules = new NamespaceRules('', { write: ['other'] })
    const cluster = ownerOf(
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', uid: 'u' } },
      OWNER.gvk,
    )
    const elsewhere = (metadata: ObjectMeta): KubeObject => child('a', { ...metadata, namespace: 'else' })
    const cases: { name: string; owner: Owner; seen: KubeObject; failure?: Error; expected: [boolean, number] }[] = [
      { name: 'removes what a resource without namespace has', owner: cluster, seen: child('a'), expected: [true, 0] },
      {
        name: 'leaves what it has no right to, and says so',
        owner: cluster,
        seen: child('a'),
        failure: new ApiError(403, 'Forbidden', 'x'),
        expected: [false, 1],
      },
      { name: 'leaves what is out of reach, and says so', owner: OWNER, seen: elsewhere({}), expected: [false, 1] },
      {
        name: 'says nothing of what only looks like ours',
        owner: OWNER,
        seen: elsewhere({ ownerReferences: [], annotations: {} }),
        expected: [false, 0],
      },
    ]
    for (const { name, owner, seen, failure, expected } of cases) {
      it(name, async () => {
        const { managed, common, warnings } = managedIn({ live: [seen], ...(failure && { failure }) })
        expect([await managed.remove(seen, { ...common, owner, rules }), warnings.length]).to.deep.equal(expected)
      })
    }

    it('fails by what is no matter of rights', async () => {
      const { managed, common } = managedIn({ live: [child('a')], failure: new ApiError(500, 'InternalError', 'x') })
      const failed = managed.remove(child('a'), { ...common, owner: cluster, rules })
      expect(await failed.catch((error: ApiError) => error.code)).to.equal('InternalError')
    })
  })

  it('lets go of what is retained, and of all that is to be orphaned', async () => {
    const retained = child('a', { annotations: { ...child('a').metadata.annotations, 'rolebook.dev/retain': 'true' } })
    const { managed, common, log } = managedIn({ live: [retained, child('b')] })
    await managed.remove(retained, common)
    await managed.remove(child('b'), { ...common, orphan: true })
    expect(log).to.deep.equal(['patch a', 'patch b'])
  })

  const OTHER_UID = { details: { causes: [{ field: 'metadata.uid', message: 'x', reason: 'FieldValueInvalid' }] } }
  const changes = [
    { name: 'is gone', failure: new ApiError(404, 'NotFound', 'x') },
    { name: 'has changed', failure: new ApiError(409, 'Conflict', 'x') },
    { name: 'is another one', failure: new ApiError(422, 'Invalid', 'x', { status: OTHER_UID }) },
  ]
  for (const { name, failure } of changes) {
    it(`soon looks again at what it lets go of when it ${name} meanwhile`, async () => {
      const { managed, common } = managedIn({ live: [child('a')], failure })
      const failed = managed.remove(child('a'), { ...common, orphan: true })
      expect(toFailedOutcome(await failed.catch((error: Error) => error)).retriable).to.equal(true)
    })
  }

  it('does not delete twice what is going', async () => {
    const going = child('a', { deletionTimestamp: 'x' })
    const { managed, common, log } = managedIn({ live: [going] })
    expect([await managed.remove(going, common), log]).to.deep.equal([true, []])
  })

  it('tries again later when the object changes under its hands', async () => {
    const { managed, common } = managedIn({ live: [child('a')], failure: new ApiError(409, 'Conflict', 'x') })
    expect(await managed.remove(child('a'), common).catch((error: { retriable: boolean }) => error.retriable)).to.equal(
      true,
    )
  })

  it('passes on what the server refuses', async () => {
    const { managed, common } = managedIn({ live: [child('a')], failure: new ApiError(500, 'InternalError', 'x') })
    expect(await managed.remove(child('a'), common).catch((error: ApiError) => error.code)).to.equal('InternalError')
  })

  const outside: { name: string; seen: KubeObject; expected: string | undefined }[] = [
    { name: 'a child elsewhere', seen: child('a', { namespace: 'other', ownerReferences: [] }), expected: 'a' },
    { name: 'one that the garbage collector removes', seen: child('a'), expected: undefined },
    {
      name: 'one that is retained',
      seen: child('a', {
        namespace: 'other',
        ownerReferences: [],
        annotations: { ...child('a').metadata.annotations, 'rolebook.dev/retain': 'true' },
      }),
      expected: undefined,
    },
    {
      name: 'one that only looks like ours',
      seen: child('a', { namespace: 'other', ownerReferences: [], managedFields: [] }),
      expected: undefined,
    },
  ]
  for (const { name, seen, expected } of outside) {
    it(`${expected === undefined ? 'does not take' : 'takes'} for out of reach: ${name}`, async () => {
      const { managed, common } = managedIn({ cached: [seen] })
      expect((await managed.outOfReach(ROLE, common))?.metadata.name).to.equal(expected)
    })
  }

  it('prunes in reverse order of the role, then the kinds of former roles', async () => {
    const JOB: Gvk = { group: 'batch', version: 'v1', kind: 'Job' }
    const cached = [
      child('a'),
      child('b'),
      child('p', {}, 'Pod'),
      child('j', {}, 'Job'),
      child('going', { deletionTimestamp: 'x' }),
    ]
    const { managed, common, log } = managedIn({ cached, former: [JOB] })
    const count = await managed.prune(new Set(['ConfigMap d/b']), ROLE, { ...common, isConfirmed: async () => true })
    expect([count, log.filter((line) => line.startsWith('delete'))]).to.deep.equal([
      3,
      ['delete p', 'delete a', 'delete j'],
    ])
  })

  it('prunes the last made first, then the newest of those whose order is not remembered', async () => {
    const created = (name: string, creationTimestamp: string) => child(name, { creationTimestamp })
    const cached = [
      created('new', '2026-02-02T00:00:00Z'),
      created('old', '2026-01-01T00:00:00Z'),
      child('a'),
      child('b'),
    ]
    const { managed, common, log } = managedIn({ cached })
    const made = ['ConfigMap d/b', 'ConfigMap d/a']
    await managed.prune(new Set(), ROLE, { ...common, made, isConfirmed: async () => true })
    const deletes = log.filter((line) => line.startsWith('delete'))
    expect(deletes).to.deep.equal(['a', 'b', 'new', 'old'].map((name) => `delete ${name}`))
  })

  it('prunes nothing when the run did not see what is really there', async () => {
    const { managed, common, log } = managedIn({ cached: [child('a')] })
    const pruned = managed.prune(new Set(), ROLE, { ...common, isConfirmed: async () => false })
    expect(await pruned.catch((error: { retriable: boolean }) => error.retriable)).to.equal(true)
    expect(log).to.deep.equal([])
  })

  it('asks for no confirmation when there is nothing to prune', async () => {
    const { managed, common } = managedIn({ cached: [child('a')] })
    const never = async (): Promise<boolean> => {
      throw new Error('asked')
    }
    expect(await managed.prune(new Set(['ConfigMap d/a']), ROLE, { ...common, isConfirmed: never })).to.equal(0)
  })

  const unreadable: { name: string; kinds: Record<string, Error>; expected: string }[] = [
    { name: 'not served', kinds: { Pod: new ApiError(404, 'KindNotServed', 'x') }, expected: 'a' },
    {
      name: 'of a former role, and may not be read any more',
      kinds: { 'Job.batch': new ApiError(403, 'Forbidden', 'x') },
      expected: 'a',
    },
    {
      name: 'of the role, and may not be read',
      kinds: { Pod: new ApiError(403, 'Forbidden', 'x') },
      expected: 'Forbidden',
    },
    {
      name: 'out of reach for now',
      kinds: { 'Job.batch': new ApiError(503, 'ServiceUnavailable', 'x') },
      expected: 'ServiceUnavailable',
    },
  ]
  for (const { name, kinds, expected } of unreadable) {
    it(`takes stock although a kind is ${name}: ${expected}`, async () => {
      const { managed, common } = managedIn({
        cached: [child('a')],
        unreadable: kinds,
        former: [{ group: 'batch', version: 'v1', kind: 'Job' }],
      })
      const names = managed
        .inventory(ROLE, common)
        .then((objects) => objects.map(({ metadata }) => metadata.name).join())
      expect(await names.catch((error: ApiError) => error.code)).to.equal(expected)
    })
  }

  it('takes stock of the server for every kind', async () => {
    const lists: JsonObject[] = []
    const { managed, common } = managedIn({ onList: (list) => void lists.push(list) })
    expect(await managed.liveInventory(ROLE, common)).to.have.lengthOf(2)
    const labelSelector = 'rolebook.dev/owner-uid=u'
    expect(lists).to.deep.equal([
      { kind: 'Pod', namespace: 'd', labelSelector },
      { kind: 'ConfigMap', namespace: 'd', labelSelector },
    ])
  })
})
