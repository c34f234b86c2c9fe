import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { ApplyOptions, KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { ObjectApplier } from '../../../../src/engine/reconcile/apply/apply-object.ts'
import { markObject } from '../../../../src/engine/reconcile/apply/desired-object.ts'
import { DriftFights } from '../../../../src/engine/reconcile/apply/drift-fights.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { ObjectCaches } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import type { EnsurePolicy } from '../../../../src/engine/role/run/run-context.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const OWNER = ownerOf(
  { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'd', uid: 'u' } },
  WIDGET,
)
const INSTALLATION = { name: 'd/id', key: 'k' }
const MAPPING = { gvk: CONFIG_MAP, plural: 'configmaps', namespaced: true, subresources: [], verbs: [] }

function desired(data: JsonObject = { a: '1' }): KubeObject {
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data }
  return markObject(manifest, {
    key: { namespace: 'd', name: 'c' },
    owner: OWNER,
    installation: INSTALLATION,
    owned: true,
    retain: false,
  })
}

/** As the server answers an apply: every field in our entry, but those that admission rewrote. */
function stored(
  object: KubeObject,
  { uid = 'c1', rewritten = [] as readonly string[], others = [] as readonly string[] } = {},
): KubeObject {
  const data = Object.fromEntries(
    Object.keys(object.data as JsonObject)
      .filter((key) => !rewritten.includes(key))
      .map((key) => [`f:${key}`, {}]),
  )
  const marks = (map: object = {}): JsonObject => Object.fromEntries(Object.keys(map).map((key) => [`f:${key}`, {}]))
  const { labels, annotations } = object.metadata
  const fieldsV1 = {
    ...(Object.keys(data).length > 0 && { 'f:data': data }),
    'f:metadata': {
      'f:labels': marks(labels),
      'f:annotations': marks(annotations),
      'f:ownerReferences': { 'k:{"uid":"u"}': {} },
    },
  }
  const managedFields = [
    { manager: 'rolebook', operation: 'Apply', fieldsV1 },
    ...others.map((manager) => ({ manager, operation: 'Update' })),
  ]
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion: '1', managedFields } }
}

/** An object whose list is keyed by port. */
function withPort(port: number): KubeObject {
  return { ...desired(), spec: { ports: [{ port }] } }
}

/** The same as the server has it: our entry holds these ports, and another manager may hold them, too. */
function listed(ports: readonly number[], rival?: string): KubeObject {
  const items = Object.fromEntries(ports.map((port) => [`k:{"port":${port}}`, { '.': {}, 'f:port': {} }]))
  const object = stored(withPort(80))
  const [entry] = object.metadata.managedFields ?? []
  const ours = { ...entry, fieldsV1: { ...entry?.fieldsV1, 'f:spec': { 'f:ports': items } } }
  const theirs = { manager: rival, operation: 'Update', fieldsV1: { 'f:spec': { 'f:ports': items } } }
  return { ...object, metadata: { ...object.metadata, managedFields: rival === undefined ? [ours] : [ours, theirs] } }
}

function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _managedFields, ...metadata } = object.metadata
  return { ...object, metadata }
}

interface World {
  /** What the cache of children has. */
  readonly cached?: KubeObject | undefined
  /** What the server has. */
  readonly live?: KubeObject | undefined
  /** Answers of the server to applies, in order; the last one is repeated. */
  readonly answers?: readonly (KubeObject | Error)[]
}

function applierIn(world: World) {
  const { live, answers = [stored(desired())] } = world
  const sent: (ApplyOptions & { readonly uid: string | undefined; readonly version: string | undefined })[] = []
  const client: Partial<KubeClient> = {
    get: async () => live,
    create: async (object) => object,
    delete: async () => ({ apiVersion: 'v1', kind: 'Status', metadata: {} }),
    apply: async (object, options) => {
      sent.push({ ...options, uid: object.metadata.uid, version: object.metadata.resourceVersion })
      const answer = answers[Math.min(sent.length, answers.length) - 1] ?? object
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const remembered: KubeObject[] = []
  const caches: Partial<ObjectCaches> = {
    child: async () => world.cached,
    wrote: (object) => void remembered.push(object),
    removed: () => undefined,
  }
  const applier = new ObjectApplier({
    client: client as KubeClient,
    caches: caches as ObjectCaches,
    fights: new DriftFights(new FakeClock()),
  })
  let writes = 0
  const apply = (object = desired(), policy: Partial<EnsurePolicy> = {}) =>
    applier.apply({
      desired: object,
      mapping: MAPPING,
      owner: OWNER,
      installation: INSTALLATION.name,
      adopt: 'never',
      ...policy,
      beforeWrite: async () => void writes++,
      signal: new AbortController().signal,
    })
  return { apply, applier, sent, remembered, prepared: () => writes }
}

const NO_ANSWER = new ApiError(0, 'NoAnswer', 'other side closed')
const noUid = new ApiError(409, 'Conflict', 'uid mismatch')
const otherUid = new ApiError(422, 'Invalid', 'x', { status: { details: { causes: [{ field: 'metadata.uid' }] } } })

describe('ObjectApplier', () => {
  it('writes what no cache has without a read, by an apply that can only create', async () => {
    const { apply, sent, prepared } = applierIn({})
    expect((await apply()).changed).to.equal(true)
    expect(sent).to.have.length(1)
    expect(sent[0]).to.deep.include({ force: false, uid: undefined, version: '1', fieldManager: 'rolebook' })
    expect(prepared()).to.equal(1)
  })

  it('reads the server only when it says that an object of that name is there', async () => {
    const { apply, sent } = applierIn({ live: stored(desired({ a: '0' })), answers: [noUid, desired()] })
    expect((await apply()).changed).to.equal(true)
    expect(sent.map(({ force, uid }) => [force, uid])).to.deep.equal([
      [false, undefined],
      [true, 'c1'],
    ])
  })

  it('tries again when another client takes the name of an object that it has deleted to make it anew', async () => {
    const causes = [{ reason: 'FieldValueForbidden', message: 'field is immutable', field: 'data' }]
    const immutable = new ApiError(422, 'Invalid', 'x', { status: { details: { causes } } })
    const there = stored(desired({ a: '0' }))
    const { apply } = applierIn({ cached: there, live: there, answers: [immutable, noUid] })
    const error = await apply(desired(), { onImmutable: 'recreate' }).catch((thrown: unknown) => thrown)
    const says = 'ConfigMap d/c was replaced by another object of that name while it was written'
    expect(error).to.include({ message: says, retriable: true })
  })

  it('remembers what the server has of it already, so that the caches have to reach that', async () => {
    const live = stored(desired())
    const { apply, sent, remembered } = applierIn({ live, answers: [noUid] })
    expect((await apply()).changed).to.equal(false)
    expect([sent.length, remembered]).to.deep.equal([1, [live]])
  })

  it('gives up for now when the object comes and goes while it is written', async () => {
    const { apply, sent } = applierIn({ answers: [noUid] })
    const error = await apply().catch((thrown: { code: string; retriable: boolean }) => thrown)
    expect(error).to.include({ code: 'Failed', retriable: true })
    expect(sent).to.have.length(2)
  })

  it('writes later with force, and with the uid of what it saw', async () => {
    const { apply, sent } = applierIn({ cached: stored(desired({ a: '0' })) })
    expect((await apply()).changed).to.equal(true)
    expect(sent.map(({ force, uid }) => [force, uid])).to.deep.equal([[true, 'c1']])
  })

  it('sends nothing when everything is still ours', async () => {
    const { apply, sent, prepared } = applierIn({ cached: stored(desired()) })
    expect([(await apply()).changed, sent.length, prepared()]).to.deep.equal([false, 0, 0])
  })

  it('sends nothing to what is going', async () => {
    const going = stored(desired({ a: '0' }))
    const { apply, sent } = applierIn({ cached: { ...going, metadata: { ...going.metadata, deletionTimestamp: 'x' } } })
    expect([(await apply()).changed, sent.length]).to.deep.equal([false, 0])
  })

  it('puts back a field that has left our entry', async () => {
    const { apply, sent } = applierIn({ cached: stored(desired(), { rewritten: ['a'] }) })
    expect([(await apply()).changed, sent.length]).to.deep.equal([true, 1])
  })

  it('takes an entry that admission shortened for what it is, after one write', async () => {
    const rewritten = stored(desired(), { rewritten: ['a'] })
    const { apply, sent } = applierIn({ cached: rewritten, answers: [rewritten] })
    for (let run = 0; run < 5; run++) await apply()
    expect(sent.length).to.equal(1)
  })

  for (const { name, error } of [
    { name: 'is gone', error: noUid },
    { name: 'is another one', error: otherUid },
  ]) {
    it(`looks live when what the cache showed ${name}`, async () => {
      const { apply, sent } = applierIn({ cached: stored(desired({ a: '0' })), answers: [error, stored(desired())] })
      expect((await apply()).changed).to.equal(true)
      expect(sent.map(({ force, uid }) => [force, uid])).to.deep.equal([
        [true, 'c1'],
        [false, undefined],
      ])
    })
  }

  it('tries again later when the object is replaced under its hands', async () => {
    const old = stored(desired({ a: '0' }))
    const { apply } = applierIn({ cached: old, live: old, answers: [noUid] })
    expect(await apply().catch((error: { retriable: boolean }) => error.retriable)).to.equal(true)
  })

  it('tries again later when an object with handed-over fields is replaced under its hands', async () => {
    const old = stored(desired({ a: '0' }))
    const { apply } = applierIn({ cached: old, live: old, answers: [noUid] })
    const failure = await apply(desired(), { handOver: [['data', 'b']] }).catch(
      (error: { retriable: boolean }) => error,
    )
    expect(failure).to.include({ retriable: true })
  })

  it('leaves an object with handed-over fields alone while it goes', async () => {
    const going = stored(desired({ a: '0' }))
    const cached = { ...going, metadata: { ...going.metadata, deletionTimestamp: 'x' } }
    const { apply, sent } = applierIn({ cached })
    expect(await apply(desired(), { handOver: [['data', 'b']] })).to.include({ changed: false, isGoing: true })
    expect(sent).to.deep.equal([])
  })

  it('leaves a field to a rival after five corrections, and starts anew when the object is forgotten', async () => {
    const drifted = stored(desired(), { rewritten: ['a'] })
    const { apply, applier, sent } = applierIn({ cached: drifted, live: drifted, answers: [stored(desired())] })
    const codes: unknown[] = []
    for (let run = 0; run < 7; run++)
      codes.push(
        await apply().then(
          () => 'sent',
          (error: { code: string }) => error.code,
        ),
      )
    expect(codes).to.deep.equal([...Array.from({ length: 5 }, () => 'sent'), 'DriftFight', 'DriftFight'])
    applier.forget(OWNER, drifted)
    await apply()
    expect(sent.length).to.equal(6)
  })

  const rivals: { name: string; live: KubeObject | undefined; says: string }[] = [
    { name: 'one that stands in the object', live: listed([81], 'helm'), says: '"helm"' },
    { name: 'one that the object does not name', live: withoutManagers(listed([81])), says: 'another client' },
    { name: 'one that has gone with the object', live: undefined, says: 'another client' },
  ]
  for (const { name, live, says } of rivals) {
    it(`names the rival that changes an item of a list: ${name}`, async () => {
      const { apply } = applierIn({ cached: listed([81]), live, answers: [listed([80])] })
      const messages: string[] = []
      for (let run = 0; run < 6; run++)
        messages.push(
          await apply(withPort(80)).then(
            () => 'sent',
            (error: Error) => error.message,
          ),
        )
      expect(messages.at(-1)).to.equal(
        `\`spec.ports[0]\` of ConfigMap d/c keeps being changed by ${says}: it is left alone for a while`,
      )
    })
  }

  it('takes an answer without managedFields for the object that it made', async () => {
    const { apply, sent } = applierIn({ answers: [withoutManagers(stored(desired()))] })
    expect([(await apply()).changed, sent.length]).to.deep.equal([true, 1])
  })

  it('does not take its own refused corrections for a fight', async () => {
    const drifted = stored(desired(), { rewritten: ['a'] })
    const failure = new ApiError(500, 'InternalError', 'a webhook is away')
    const { apply } = applierIn({ cached: drifted, live: drifted, answers: [failure] })
    const codes = new Set<unknown>()
    for (let run = 0; run < 10; run++) codes.add(await apply().catch((error: { code: string }) => error.code))
    expect([...codes]).to.deep.equal(['InternalError'])
  })

  it('sends again what is wanted again, when a write of something else has got no answer but was done', async () => {
    const [one, two] = [desired({ a: '1' }), desired({ a: '2' })]
    const world = { cached: undefined as KubeObject | undefined, answers: [stored(one), NO_ANSWER, stored(one)] }
    const { apply, sent } = applierIn(world)
    await apply(one)
    world.cached = stored(one)
    expect(await apply(two).catch((error: ApiError) => error.code)).to.equal('NoAnswer')
    expect((await apply(one)).changed, 'before a watch has shown it').to.equal(false)
    world.cached = stored(two)
    expect((await apply(one)).changed, 'once a watch has shown it').to.equal(true)
    expect((await apply(one)).changed).to.equal(true)
    world.cached = stored(one)
    expect([(await apply(one)).changed, sent.length]).to.deep.equal([false, 4])
  })

  it('sends nothing more when admission rewrites the mark of what was sent', async () => {
    const rewritten = stored(desired())
    const annotations = { ...rewritten.metadata.annotations, 'rolebook.dev/applied': 'rewritten' }
    const cached = { ...rewritten, metadata: { ...rewritten.metadata, annotations } }
    const { apply, sent } = applierIn({ cached, answers: [cached] })
    for (let run = 0; run < 5; run++) await apply()
    expect(sent.length).to.equal(1)
  })

  it('sees through a rival that forges the mark of what was sent', async () => {
    const forged = stored(desired())
    const annotations = { ...forged.metadata.annotations, 'rolebook.dev/applied': 'forged' }
    const entry = forged.metadata.managedFields?.[0]
    const cached = {
      ...forged,
      metadata: {
        ...forged.metadata,
        annotations,
        managedFields: [{ ...entry, fieldsV1: { 'f:data': { 'f:a': {} } } }],
      },
    }
    const { apply } = applierIn({ cached, live: cached })
    const codes: unknown[] = []
    for (let run = 0; run < 8; run++)
      codes.push(
        await apply().then(
          () => 'sent',
          (error: { code: string }) => error.code,
        ),
      )
    expect(codes.at(-1)).to.equal('DriftFight')
  })

  it('passes on what the server refuses', async () => {
    const { apply } = applierIn({ answers: [new ApiError(500, 'InternalError', 'x')] })
    expect(await apply().catch((error: { code: string }) => error.code)).to.equal('InternalError')
  })
})
