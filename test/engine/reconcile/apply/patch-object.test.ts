import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { ApplyOptions, KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { DriftFights } from '../../../../src/engine/reconcile/apply/drift-fights.ts'
import { ObjectPatcher, patchManagerOf } from '../../../../src/engine/reconcile/apply/patch-object.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { ObjectCaches } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { long } from '../../../support/long-tests.ts'

const OWNER = ownerOf(
  { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'd', uid: 'u' } },
  { group: 'example.com', version: 'v1', kind: 'Widget' },
)
const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' }
const MAPPING = { gvk: DEPLOYMENT, plural: 'deployments', namespaced: true, subresources: ['status'], verbs: [] }
const MANAGER = patchManagerOf(OWNER.uid, DEPLOYMENT, { namespace: 'd', name: 'theirs' })

function theirs(metadata: KubeObject['metadata'] = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'theirs', namespace: 'd', uid: 't1', ...metadata },
  }
}

/** What a server makes of an apply: its fields in an entry of the manager, but those that admission rewrote. */
function stored(object: KubeObject, { rewritten = false, subresource = '' } = {}): ManagedFieldsEntry {
  const fields = (map: object = {}): JsonObject => Object.fromEntries(Object.keys(map).map((key) => [`f:${key}`, {}]))
  const { labels, annotations } = object.metadata
  const fieldsV1 = {
    ...(labels && { 'f:metadata': { 'f:labels': fields(labels), 'f:annotations': fields(annotations) } }),
    ...(!rewritten && object.spec !== undefined && { 'f:spec': fields(object.spec as object) }),
    ...(object.status !== undefined && { 'f:status': fields(object.status as object) }),
  }
  return { manager: MANAGER, operation: 'Apply', apiVersion: 'apps/v1', subresource, fieldsV1 }
}

interface Sent {
  readonly object: KubeObject
  readonly options: ApplyOptions
}

/** A server that keeps one object, and refuses with `failure` when there is one. */
function patcherIn({ rewritten = false, failure }: { rewritten?: boolean | undefined; failure?: Error } = {}) {
  const sent: Sent[] = []
  const entries = new Map<string, ManagedFieldsEntry>()
  let live = theirs()
  const client: Partial<KubeClient> = {
    apply: async (object, options) => {
      sent.push({ object, options })
      if (failure) throw failure
      const subresource = options.subresource ?? ''
      const entry = stored(object, { rewritten, subresource })
      if (subresource !== '' && object.status === undefined) entries.delete(subresource)
      else entries.set(subresource, entry)
      const { labels, annotations } = subresource === '' ? object.metadata : live.metadata
      live = theirs({ labels, annotations, managedFields: [...entries.values()] })
      return live
    },
  }
  const caches: Partial<ObjectCaches> = { wrote: () => undefined }
  const patcher = new ObjectPatcher({
    client: client as KubeClient,
    caches: caches as ObjectCaches,
    fights: new DriftFights(new FakeClock()),
  })
  const signal = new AbortController().signal
  const patch = (desired: Partial<KubeObject>, seen = live) =>
    patcher.patch({
      desired: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'theirs' }, ...desired },
      live: seen,
      mapping: MAPPING,
      owner: OWNER,
      installation: { name: 'd/id', key: 'k' },
      beforeWrite: async () => undefined,
      signal,
    })
  const release = (object: KubeObject) => patcher.release(object, MANAGER, { mapping: MAPPING, signal })
  return { patch, release, sent, live: () => live }
}

const outcomeOf = (done: Promise<unknown>): Promise<unknown> =>
  done.then(
    () => 'done',
    (error: { reason?: string; message: string; retriable?: boolean }) =>
      `${error.reason}${error.retriable ? ' (again later)' : ''}: ${error.message}`,
  )

describe('ObjectPatcher', () => {
  it('passes on no marks of the engine, although the role copied some from its resource', async () => {
    const { patch, sent } = patcherIn()
    const labels = { app: 'x', 'rolebook.dev/owner-uid': 'other', 'rolebook.dev/patched': 'no' }
    const annotations = { note: 'n', 'rolebook.dev/retain': 'true', 'rolebook.dev/paused': 'true' }
    await patch({ metadata: { name: 'theirs', labels, annotations } })
    const { metadata } = sent[0]?.object ?? theirs()
    expect(metadata.labels).to.deep.equal({ app: 'x', 'rolebook.dev/patched': 'true' })
    const names = Object.keys(metadata.annotations ?? {}).map((key) => key.replace(/-[0-9a-f]{16}$/, ''))
    expect(names).to.deep.equal(['note', 'rolebook.dev/applied'])
  })

  it('lets go of a status that it does not set any more', async () => {
    const { patch, sent, live } = patcherIn()
    await patch({ spec: { paused: true }, status: { replicas: 7 } })
    await patch({ spec: { paused: true } })
    const [, , last] = sent
    expect([last?.options.subresource, last?.object]).to.deep.equal(['status', theirs()])
    expect(live().metadata.managedFields?.map(({ subresource }) => subresource)).to.deep.equal([''])
    expect((await patch({ spec: { paused: true } })).changed).to.equal(false)
  })

  for (const { name, rewritten, writes } of [
    { name: 'nothing when everything is as it was', rewritten: false, writes: 0 },
    { name: 'nothing more when admission rewrote a field', rewritten: true, writes: 0 },
  ]) {
    it(`sends ${name}`, async () => {
      const { patch, sent } = patcherIn({ rewritten })
      await patch({ spec: { paused: true } })
      const before = sent.length
      for (let run = 0; run < 3; run++) await patch({ spec: { paused: true } })
      expect(sent.length - before).to.equal(writes)
    })
  }

  long.it('sends the object once more that came first when admission rewrote too many', async () => {
    const { patch, sent, live } = patcherIn({ rewritten: true })
    const desired = { spec: { paused: true } }
    await patch(desired)
    const first = live()
    for (let other = 1; other < 10_000; other++) await patch(desired, theirs({ name: `other-${other}` }))
    expect((await patch(desired, first)).changed).to.equal(false)
    await patch(desired, theirs({ name: 'one-too-many' }))
    expect((await patch(desired, first)).changed).to.equal(true)
    expect(sent).to.have.lengthOf(10_002)
  })

  it('sends nothing more when admission rewrote a field of an object with a status', async () => {
    const { patch, sent } = patcherIn({ rewritten: true })
    for (let run = 0; run < 3; run++) await patch({ spec: { paused: true }, status: { replicas: 7 } })
    expect(sent.map(({ options }) => options.subresource)).to.deep.equal(['status', undefined])
  })

  it('sets again what an update of others has taken as a whole', async () => {
    const { patch, sent, live } = patcherIn()
    await patch({ spec: { paused: true } })
    const result = await patch({ spec: { paused: true } }, theirs({ ...live().metadata, managedFields: [] }))
    expect([result.changed, sent.length]).to.deep.equal([true, 2])
  })

  it('sets again what another manager has taken', async () => {
    const { patch, sent, live } = patcherIn()
    await patch({ spec: { paused: true } })
    const { metadata } = live()
    const [entry] = metadata.managedFields ?? []
    const { 'f:spec': _taken, ...fieldsV1 } = entry?.fieldsV1 ?? {}
    const result = await patch(
      { spec: { paused: true } },
      theirs({ ...metadata, managedFields: [{ ...entry, fieldsV1 }] }),
    )
    expect([result.changed, sent.length]).to.deep.equal([true, 2])
  })

  const conflict = (message?: string) =>
    new ApiError(409, 'Conflict', 'x', {
      status: { details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.paused', message }] } },
    })
  const failures: { name: string; failure: ApiError; end: string }[] = [
    {
      name: 'a field of a rival',
      failure: conflict('conflict with "helm"'),
      end: 'FieldConflict: cannot patch Deployment d/theirs: `.spec.paused` belongs to "helm"',
    },
    {
      name: 'a field of a manager that the server does not name',
      failure: conflict(),
      end: 'FieldConflict: cannot patch Deployment d/theirs: `.spec.paused` belongs to another manager',
    },
    {
      name: 'an object that has gone',
      failure: new ApiError(409, 'Conflict', 'uid mismatch'),
      end: 'Failed (again later): cannot patch Deployment d/theirs: it was replaced meanwhile',
    },
    {
      name: 'an object that is another one',
      failure: new ApiError(422, 'Invalid', 'x', { status: { details: { causes: [{ field: 'metadata.uid' }] } } }),
      end: 'Failed (again later): cannot patch Deployment d/theirs: it was replaced meanwhile',
    },
    {
      name: 'a server that is away',
      failure: new ApiError(503, 'ServiceUnavailable', 'x'),
      end: 'ServiceUnavailable: x',
    },
  ]
  for (const { name, failure, end } of failures) {
    it(`says what became of ${name}`, async () => {
      expect(await outcomeOf(patcherIn({ failure }).patch({ spec: { paused: true } }))).to.equal(end)
    })
  }

  describe('lets go', () => {
    const held = theirs({ managedFields: [stored({ ...theirs(), spec: { paused: true } })] })
    const releases: { name: string; failure?: ApiError; end: string }[] = [
      { name: 'of all of its fields', end: 'done' },
      { name: 'of what is gone already', failure: new ApiError(404, 'NotFound', 'x'), end: 'done' },
      {
        name: 'only when the server lets it',
        failure: new ApiError(503, 'ServiceUnavailable', 'x'),
        end: 'ServiceUnavailable: x',
      },
    ]
    for (const { name, failure, end } of releases) {
      it(name, async () => {
        const { release, sent } = patcherIn(failure && { failure })
        expect(await outcomeOf(release(held))).to.equal(end)
        expect(sent.map(({ object, options }) => [object, options.force])).to.deep.equal([[theirs(), true]])
      })
    }
  })
})
