import { expect } from 'chai'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { GroupKind } from '../../../../src/core/kube/group-version-kind.ts'
import { printLabelSelector } from '../../../../src/core/kube/label-selector.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { type FormerEntries, Ledger } from '../../../../src/engine/reconcile/ownership/ledger.ts'
import { partOf } from '../../../support/part-of.ts'

const WIDGET: GroupKind = { group: 'example.com', kind: 'Widget' }
const POD: GroupKind = { group: '', kind: 'Pod' }
const JOB: GroupKind = { group: 'batch', kind: 'Job' }

/** As authorization answers. */
function forbiddenBy(call: string): ApiError {
  const [verb, kind] = call.split(' ')
  const resource = `${kind?.toLowerCase()}s`
  const text = `${resource} "rolebook-ledger" is forbidden: User "x" cannot ${verb} resource "${resource}" in API group "" in the namespace "ops"`
  return new ApiError(403, 'Forbidden', text)
}

/** A server that holds the two objects of the ledger. */
class Server {
  readonly objects = new Map<string, KubeObject>()
  readonly calls: string[] = []
  /** Thrown by the next call. */
  failure: Error | undefined
  /** What may not be done, such as `get Secret`. */
  forbidden: string | undefined
  /** Whether writes with an old version are refused. */
  keepsVersions = false
  #version = 0
  /** Another process is faster. */
  raced: KubeObject | undefined

  client(): KubeClient {
    return partOf<KubeClient>({
      get: async ({ kind }) => this.#call(`get ${kind}`, () => this.objects.get(kind)),
      create: async (object) =>
        this.#call(`create ${object.kind}`, () => {
          if (this.raced) this.objects.set(object.kind, this.raced)
          if (this.objects.has(object.kind)) throw new ApiError(409, 'AlreadyExists', 'x')
          return this.#store(object)
        }),
      patch: async ({ kind }, _key, patch) =>
        this.#call(`patch ${kind}`, () => {
          const old = this.objects.get(kind)
          if (!old) throw new ApiError(404, 'NotFound', 'x')
          const { data, metadata } = patch.body as Pick<KubeObject, 'metadata'> & { data: object }
          if (this.keepsVersions && metadata.resourceVersion !== old.metadata.resourceVersion)
            throw new ApiError(409, 'Conflict', 'x')
          const all = Object.entries({ ...(old.data as object), ...data }).filter(([, value]) => value !== null)
          return this.#store({ ...old, data: Object.fromEntries(all) } as KubeObject)
        }),
    })
  }

  #store(object: KubeObject): KubeObject {
    const resourceVersion = this.keepsVersions ? String(++this.#version) : undefined
    const stored = { ...object, metadata: { ...object.metadata, ...(resourceVersion && { resourceVersion }) } }
    this.objects.set(object.kind, stored)
    return stored
  }

  #call<T>(name: string, answer: () => T): T {
    this.calls.push(name)
    const { failure } = this
    this.failure = undefined
    if (failure) throw failure
    if (name === this.forbidden) throw forbiddenBy(name)
    return answer()
  }
}

/** Lets everything happen that waits for nothing but a promise. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const NONE: FormerEntries = { selectors: [], versions: [], namespaces: [], write: [], traits: [] }

describe('Ledger', () => {
  it('is written once for each new set of kinds, and read once', async () => {
    const server = new Server()
    const ledger = new Ledger(server.client(), 'ops')
    await ledger.record(WIDGET, { own: [POD], patch: [] })
    await ledger.record(WIDGET, { own: [POD], patch: [] })
    await Promise.all([
      ledger.record(WIDGET, { own: [JOB], patch: [POD] }),
      ledger.record(WIDGET, { own: [JOB], patch: [POD] }),
    ])
    expect(server.calls).to.deep.equal(['get ConfigMap', 'create ConfigMap', 'patch ConfigMap'])
    const again = new Ledger(server.client(), 'ops')
    expect(await again.entryFor(WIDGET)).to.deep.equal({
      own: [POD, JOB],
      patch: [POD],
      conditions: [],
      ...NONE,
    })
    expect(await again.entryFor(POD)).to.deep.equal({ own: [], patch: [], conditions: [], ...NONE })
  })

  it('never forgets a kind', async () => {
    const server = new Server()
    const ledger = new Ledger(server.client(), 'ops')
    await ledger.record(WIDGET, { own: [POD], patch: [] })
    await ledger.record(WIDGET, { own: [JOB], patch: [] })
    expect((await new Ledger(server.client(), 'ops').entryFor(WIDGET)).own).to.deep.equal([POD, JOB])
  })

  it('remembers the conditions that roles set, those of data only up to a number', async () => {
    const server = new Server()
    const ledger = new Ledger(server.client(), 'ops')
    await ledger.record(WIDGET, { conditions: ['Degraded'] })
    await ledger.record(WIDGET, { conditions: ['Degraded'] })
    for (let index = 0; index < 150; index++) await ledger.record(WIDGET, { conditions: [`From${index}`] })
    const { conditions } = await new Ledger(server.client(), 'ops').entryFor(WIDGET)
    expect([conditions.length, conditions[0]]).to.deep.equal([100, 'Degraded'])
    expect(server.calls.filter((call) => call === 'patch ConfigMap')).to.have.lengthOf(99)
  })

  it('remembers selectors, however they are written, until they are dropped', async () => {
    const server = new Server()
    const ledger = new Ledger(server.client(), 'ops')
    const known = async (): Promise<readonly string[]> =>
      (await new Ledger(server.client(), 'ops').entryFor(WIDGET)).selectors.map(printLabelSelector)
    await ledger.record(WIDGET, { own: [POD], selectors: [{}, { matchLabels: { tier: 'a' } }] })
    const same = { matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }] } as const
    await ledger.record(WIDGET, { selectors: [same] })
    await ledger.record(WIDGET, { selectors: [{ matchExpressions: [{ key: 'b', operator: 'Exists' }] }] })
    expect(await known()).to.deep.equal(['', 'tier=a', 'b'])
    await ledger.keepEntries(WIDGET, { ...NONE, selectors: [same, { matchLabels: { never: 'seen' } }] })
    await ledger.keepEntries(WIDGET, { ...NONE, selectors: [same] })
    expect([await known(), await ledger.entryFor(WIDGET)]).to.deep.equal([
      ['tier=a'],
      { own: [POD], patch: [], conditions: [], ...NONE, selectors: [same] },
    ])
    expect(server.calls.filter((call) => !call.startsWith('get'))).to.deep.equal([
      'create ConfigMap',
      'patch ConfigMap',
      'patch ConfigMap',
    ])
  })

  it('is not written where that is refused, and says why', async () => {
    const server = new Server()
    const ledger = new Ledger(server.client(), 'ops')
    await ledger.entryFor(WIDGET)
    server.failure = new ApiError(403, 'Forbidden', 'x')
    expect(await ledger.record(WIDGET, { own: [POD] }).catch((error: ApiError) => error.code)).to.equal('Forbidden')
    expect(server.calls).to.deep.equal(['get ConfigMap', 'create ConfigMap'])
  })

  const remember = (ledger: Ledger): Promise<unknown> => ledger.record(WIDGET, { own: [POD] })
  const identify = (ledger: Ledger): Promise<unknown> => ledger.installation()
  const RIGHTS: readonly { call: string; made: readonly string[]; use: typeof remember; rule: string }[] = [
    {
      call: 'get ConfigMap',
      made: [],
      use: remember,
      rule: 'resources: [configmaps], verbs: [get], resourceNames: [rolebook-ledger]',
    },
    { call: 'create ConfigMap', made: [], use: remember, rule: 'resources: [configmaps], verbs: [create]' },
    {
      call: 'patch ConfigMap',
      made: ['ConfigMap'],
      use: remember,
      rule: 'resources: [configmaps], verbs: [patch], resourceNames: [rolebook-ledger]',
    },
    {
      call: 'get Secret',
      made: [],
      use: identify,
      rule: 'resources: [secrets], verbs: [get], resourceNames: [rolebook-ledger]',
    },
    { call: 'create Secret', made: [], use: identify, rule: 'resources: [secrets], verbs: [create]' },
  ]
  for (const { call, made, use, rule } of RIGHTS) {
    it(`names the rule that is missing where it may not ${call}, and no wider one`, async () => {
      const server = new Server()
      for (const kind of made) server.objects.set(kind, { apiVersion: 'v1', kind, metadata: {} })
      server.forbidden = call
      const failure = await use(new Ledger(server.client(), 'ops')).catch((error: Error) => error)
      expect(failure).to.include({ code: 'Forbidden' })
      expect((failure as Error).message).to.match(
        /^cannot [a-z]+ (configmaps|secrets) in namespace "ops": the right is missing \(grant /,
      )
      expect((failure as Error).message).to.include(`grant {apiGroups: [""], ${rule}}`)
    })
  }

  it('keeps what another process wrote that began at the same time', async () => {
    const server = new Server()
    const [first, second] = [new Ledger(server.client(), 'ops'), new Ledger(server.client(), 'ops')]
    for (const ledger of [first, second]) await ledger.entryFor(WIDGET)
    await first.record(WIDGET, { own: [POD] })
    await second.record(JOB, { own: [POD] })
    expect(server.calls.slice(2)).to.deep.equal([
      'create ConfigMap',
      'create ConfigMap',
      'get ConfigMap',
      'patch ConfigMap',
    ])
    const again = new Ledger(server.client(), 'ops')
    for (const watched of [WIDGET, JOB]) expect((await again.entryFor(watched)).own).to.deep.equal([POD])
  })

  it('adds to what another process has written of the same kind', async () => {
    const server = new Server()
    server.keepsVersions = true
    const [first, second] = [new Ledger(server.client(), 'ops'), new Ledger(server.client(), 'ops')]
    await first.record(JOB, { own: [POD] })
    await second.entryFor(WIDGET)
    await first.record(WIDGET, { own: [POD] })
    await second.record(WIDGET, { own: [JOB] })
    expect((await new Ledger(server.client(), 'ops').entryFor(WIDGET)).own).to.deep.equal([POD, JOB])
    await first.forget(WIDGET)
    expect(await new Ledger(server.client(), 'ops').watched()).to.deep.equal([JOB])
  })

  it('goes on after a failure, and after another client deleted or made it', async () => {
    const server = new Server()
    const ledger = new Ledger(server.client(), 'ops')
    server.failure = new ApiError(500, 'InternalError', 'x')
    expect(await ledger.record(WIDGET, { own: [POD], patch: [] }).catch((error: ApiError) => error.code)).to.equal(
      'InternalError',
    )
    await ledger.record(WIDGET, { own: [POD], patch: [] })
    server.objects.delete('ConfigMap')
    await ledger.record(WIDGET, { own: [JOB], patch: [] })
    expect(server.objects.has('ConfigMap')).to.equal(true)
  })

  describe('while the server does not answer', () => {
    const waits: { name: string; ask: (ledger: Ledger, signal: AbortSignal) => Promise<unknown> }[] = [
      { name: 'the kinds', ask: (ledger, signal) => ledger.entryFor(WIDGET, signal) },
      { name: 'the installation', ask: (ledger, signal) => ledger.installation(signal) },
      { name: 'a record', ask: (ledger, signal) => ledger.record(WIDGET, { own: [POD] }, signal) },
    ]
    for (const { name, ask } of waits) {
      it(`a caller that gives up waiting for ${name} is released at once; the others wait on, and the last one ends the request`, async () => {
        const requests: AbortSignal[] = []
        const answers: ((object: undefined) => void)[] = []
        const get: KubeClient['get'] = (_gvk, _key, options) =>
          new Promise((resolve, reject) => {
            const { signal } = options ?? {}
            if (signal) requests.push(signal)
            signal?.addEventListener('abort', () => reject(signal.reason))
            answers.push(resolve)
          })
        const create: KubeClient['create'] = async (object) => object
        const ledger = new Ledger(partOf<KubeClient>({ get, create }), 'ops')
        const [first, second] = [new AbortController(), new AbortController()]
        const ends: string[] = []
        const watched = [first, second].map(({ signal }, index) =>
          ask(ledger, signal).then(
            () => ends.push(`${index} done`),
            (error: Error) => ends.push(`${index} ${error.message}`),
          ),
        )
        await turn()
        first.abort(new Error('stopped'))
        await turn()
        expect([ends, requests.map(({ aborted }) => aborted)]).to.deep.equal([['0 stopped'], [false]])
        second.abort(new Error('stopped'))
        await Promise.all(watched)
        expect([ends, requests.map(({ aborted }) => aborted)]).to.deep.equal([['0 stopped', '1 stopped'], [true]])
        const again = ask(ledger, new AbortController().signal)
        await turn()
        expect(answers).to.have.lengthOf(2)
        answers[1]?.(undefined)
        await again
      })
    }

    it('a stop does not wait for a write of another run that gets no answer', async () => {
      const client = partOf<KubeClient>({ get: async () => undefined, create: () => new Promise(() => undefined) })
      const ledger = new Ledger(client, 'ops')
      void ledger.record(WIDGET, { own: [POD] })
      const stop = new AbortController()
      const queued = ledger.record(WIDGET, { own: [JOB] }, stop.signal).catch((error: Error) => error.message)
      await turn()
      stop.abort(new Error('stopped'))
      expect(await queued).to.equal('stopped')
    })

    it('a caller does not wait when its signal is aborted already', async () => {
      const ledger = new Ledger(partOf<KubeClient>({}), 'ops')
      const signal = AbortSignal.abort(new Error('stopped'))
      for (const { ask } of waits)
        expect(await ask(ledger, signal).catch((error: Error) => error.message)).to.equal('stopped')
    })
  })

  it('takes an unreadable entry for an empty one', async () => {
    for (const text of ['no json', '[]', '{"own": "x"}', '{"own": [1, "Pod"]}', '{"selectors": ["a b"]}']) {
      const server = new Server()
      server.objects.set('ConfigMap', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {},
        data: { 'Widget.example.com': text },
      })
      const { own } = await new Ledger(server.client(), 'ops').entryFor(WIDGET)
      expect(own).to.deep.equal(text.includes('Pod') ? [POD] : [])
    }
  })

  it('has one installation, whichever process made it', async () => {
    const server = new Server()
    const ledger = new Ledger(server.client(), 'ops')
    const made = await ledger.installation()
    expect(made.name).to.match(/^ops\/[0-9a-f]{16}$/)
    expect(await new Ledger(server.client(), 'ops').installation()).to.deep.equal(made)
    expect(server.calls).to.deep.equal(['get Secret', 'create Secret', 'get Secret'])
    const raced = new Server()
    const data = { id: Buffer.from('theirs').toString('base64'), key: Buffer.from('key').toString('base64') }
    raced.raced = { apiVersion: 'v1', kind: 'Secret', metadata: {}, data }
    expect(await new Ledger(raced.client(), 'ops').installation()).to.deep.equal({ name: 'ops/theirs', key: 'key' })
  })

  const refusals = [
    { name: 'that may not be made', error: new ApiError(403, 'Forbidden', 'x'), reads: 1 },
    { name: 'that another client made and deleted again', error: new ApiError(409, 'AlreadyExists', 'x'), reads: 2 },
  ]
  for (const { name, error, reads } of refusals) {
    it(`says that it has no installation: one ${name}`, async () => {
      const asked: string[] = []
      const get: KubeClient['get'] = async ({ kind }) => void asked.push(kind)
      const create: KubeClient['create'] = () => Promise.reject(error)
      const ledger = new Ledger(partOf<KubeClient>({ get, create }), 'ops')
      const { code, httpStatus } = error
      expect(await ledger.installation().catch((refusal: ApiError) => refusal)).to.include({ code, httpStatus })
      expect(asked).to.deep.equal(Array.from({ length: reads }, () => 'Secret'))
    })
  }

  it('asks again for its installation after a failure, and says when the Secret is broken', async () => {
    const server = new Server()
    const ledger = new Ledger(server.client(), 'ops')
    server.failure = new ApiError(503, 'ServiceUnavailable', 'x')
    expect(await ledger.installation().catch((error: ApiError) => error.code)).to.equal('ServiceUnavailable')
    server.objects.set('Secret', { apiVersion: 'v1', kind: 'Secret', metadata: {}, data: {} })
    expect(await ledger.installation().catch((error: Error) => error.message)).to.contain('Secret ops/rolebook-ledger')
    server.objects.set('Secret', { apiVersion: 'v1', kind: 'Secret', metadata: {} })
    expect(await ledger.installation().catch((error: Error) => error.message)).to.contain('Secret ops/rolebook-ledger')
    server.objects.delete('Secret')
    expect((await ledger.installation()).name).to.match(/^ops\//)
  })
})
