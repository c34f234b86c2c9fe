import { expect } from 'chai'
import { systemClock } from '../../../../src/core/base/clock.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient, WatchEvent } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { clientWith } from '../../../support/client-with.ts'
import { long } from '../../../support/long-tests.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

type Policy = 'Orphan' | 'Background'

const WATCH = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: ["*"]}}\n'
const EVENT = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }
const NOTE = 'rolebook.dev/propagation-policy'
const PAUSED = 'rolebook.dev/paused'

/** Two children that the garbage collector never removes: one in another namespace, one in none. */
const FAR = `
tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: far, namespace: other}}
  - ensure: {apiVersion: example.com/v1, kind: Gadget, metadata: {name: wide}}
`
/** And one that it does. */
const NEAR = '  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: near}}\n'
const FINALIZE = 'finalize:\n  - get: {apiVersion: v1, kind: ConfigMap, name: gate}\n'

const AWAY = new ApiError(503, 'ServiceUnavailable', 'the server is away')

/** What the API server and the network do to the operator. */
class Trouble {
  readonly client: KubeClient
  /** Writes to children that are refused, once each. */
  refusals = 0
  /** Nothing is sent any more once the resource has been annotated. */
  diesAfterNote = false
  #isDead = false
  #isBlind = false
  #sight = Promise.withResolvers<void>()

  constructor(client: KubeClient) {
    const alive = <T>(send: () => T): T => {
      if (this.#isDead) throw new ApiError(0, 'NoAnswer', 'the process is dead')
      return send()
    }
    const write = <T>(kind: string, send: () => T): T => {
      if (kind !== 'Widget' && this.refusals-- > 0) throw AWAY
      return alive(send)
    }
    this.client = clientWith(client, {
      get: async (...args) => alive(() => client.get(...args)),
      list: async (...args) => alive(() => client.list(...args)),
      apply: async (...args) => alive(() => client.apply(...args)),
      patch: async (gvk, key, patch, options) => {
        const answer = await write(gvk.kind, () => client.patch(gvk, key, patch, options))
        if (this.diesAfterNote && answer.metadata.annotations?.[NOTE]) this.#isDead = true
        return answer
      },
      delete: async (gvk, key, options) => write(gvk.kind, () => client.delete(gvk, key, options)),
      watch: (gvk, options) => {
        const events = client.watch(gvk, options)
        return gvk.kind === 'Widget' ? this.#seen(events) : events
      },
    })
  }

  /** From now on the watch of the resource delivers nothing. Afterwards its version has expired, and a list is needed. */
  blind(): void {
    this.#isBlind = true
  }

  see(): void {
    this.#isBlind = false
    this.#sight.resolve()
  }

  get isDead(): boolean {
    return this.#isDead
  }

  async *#seen(events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
    for await (const event of events) {
      if (this.#isBlind) {
        await this.#sight.promise
        yield { type: 'ERROR', status: { code: 410, reason: 'Expired', message: 'too old' } }
        return
      }
      yield event
    }
  }
}

long.describe('--cascade=orphan', () => {
  let sandbox: OperatorSandbox
  let trouble: Trouble
  let shift: number

  beforeEach(async () => {
    shift = 0
    const clock = { ...systemClock, now: () => systemClock.now() + shift }
    sandbox = await OperatorSandbox.start({ workloads: false, clock })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gate' } })
    trouble = new Trouble(sandbox.client)
  })
  afterEach(() => sandbox.stop())

  const begin = async (role: string): Promise<void> => {
    sandbox.run(await projectOf({ widget: role }, WATCH), { client: trouble.client })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    // What was made long ago can bear witness.
    shift += 600_000
  }
  const restart = async (role: string): Promise<void> => {
    await sandbox.halt()
    sandbox.run(await projectOf({ widget: role }, WATCH))
  }
  const widget = (): Promise<KubeObject | undefined> => sandbox.get(WIDGET, 'w')
  const note = async (): Promise<string | undefined> => (await widget())?.metadata.annotations?.[NOTE]
  const cascade = async (propagationPolicy: Policy): Promise<void> => {
    await sandbox.client.delete(WIDGET, { namespace: 'default', name: 'w' }, { propagationPolicy })
  }
  /** Until the garbage collector has done its part, so that nothing of the wish can be read off the finalizers. */
  const collected = (): Promise<unknown> =>
    sandbox.until(widget, (one) => !(one?.metadata.finalizers ?? []).includes('orphan'))
  const pause = (value: string | null): Promise<KubeObject> =>
    sandbox.edit(WIDGET, 'w', { metadata: { annotations: { [PAUSED]: value } } })
  const gone = (): Promise<void> => sandbox.gone(WIDGET, 'w')
  const children = async (): Promise<readonly string[]> => {
    await sandbox.settled()
    const all = [
      await sandbox.get(CONFIG_MAP, 'far', 'other'),
      await sandbox.get(GADGET, 'wide'),
      await sandbox.get(CONFIG_MAP, 'near'),
    ]
    return all.flatMap((one) => one?.metadata.name ?? [])
  }
  const news = async (): Promise<readonly KubeObject[]> =>
    (await sandbox.client.list(EVENT, { namespace: 'default' })).items.filter(({ reason }) => reason === 'ChildrenKept')

  interface Situation {
    readonly name: string
    readonly role: string
    happen(role: string, policy: Policy): Promise<void>
  }
  const situations: readonly Situation[] = [
    { name: 'of a plain role', role: FAR, happen: async (_role, policy) => cascade(policy) },
    { name: 'of a role with `finalize`', role: FAR + FINALIZE, happen: async (_role, policy) => cascade(policy) },
    {
      name: 'of a resource that is paused',
      role: FAR,
      async happen(role, policy) {
        await pause('true')
        await sandbox.ready('Paused')
        await cascade(policy)
        await collected()
        await sandbox.until(note, (text) => text !== undefined)
        await restart(role)
        await sandbox.settled()
        await pause(null)
      },
    },
    {
      name: 'while the API server refuses a write now and then',
      role: FAR,
      async happen(_role, policy) {
        trouble.refusals = 2
        await cascade(policy)
      },
    },
    {
      name: 'of a role with `finalize` that waits, while the operator dies and is started again',
      role: FAR + FINALIZE,
      async happen(role, policy) {
        trouble.diesAfterNote = true
        await sandbox.remove(CONFIG_MAP, 'gate')
        await cascade(policy)
        await collected()
        await sandbox.until(
          async () => trouble.isDead,
          (isDead) => isDead,
        )
        await restart(role)
        await sandbox.settled()
        await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gate' } })
      },
    },
    {
      name: 'of a plain role, while the operator dies once it has seen it and is started again',
      role: FAR,
      async happen(role, policy) {
        trouble.diesAfterNote = true
        await cascade(policy)
        await sandbox.until(
          async () => trouble.isDead,
          (isDead) => isDead,
        )
        await restart(role)
      },
    },
    {
      name: 'that the operator sees only by a list, from a child that the garbage collector has orphaned',
      role: FAR + NEAR,
      async happen(_role, policy) {
        trouble.blind()
        await cascade(policy)
        await collected()
        trouble.see()
      },
    },
    {
      name: 'while the operator is down, from a child that the garbage collector has seen to',
      role: FAR + NEAR,
      async happen(role, policy) {
        await sandbox.halt()
        await cascade(policy)
        await collected()
        await restart(role)
      },
    },
  ]

  for (const { name, role, happen } of situations) {
    it(`keeps the children ${name}`, async () => {
      await begin(role)
      await happen(role, 'Orphan')
      await gone()
      const expected = role.includes('near') ? ['far', 'wide', 'near'] : ['far', 'wide']
      expect(await children()).to.deep.equal(expected)
      expect(await news()).to.deep.equal([])
    })

    it(`is not taken for what it is not: an ordinary deletion ${name} removes the children`, async () => {
      await begin(role)
      await happen(role, 'Background')
      await gone()
      await sandbox.until(children, (left) => left.length === 0)
    })
  }

  const doubtful: readonly { readonly name: string; readonly role?: string; happen(role: string): Promise<void> }[] = [
    {
      name: 'while the operator is down, of a resource whose other child is too new to be known to the garbage collector',
      role: FAR + NEAR,
      async happen(role) {
        shift -= 570_000
        await sandbox.halt()
        await cascade('Background')
        await restart(role)
      },
    },
    {
      name: 'while the operator is down, of a resource without any other child',
      async happen(role) {
        await sandbox.halt()
        await cascade('Background')
        await restart(role)
      },
    },
    {
      name: 'of a resource that was copied from one whose deletion was seen',
      async happen(role) {
        await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { [NOTE]: 'another-uid Background' } } })
        await sandbox.halt()
        await cascade('Background')
        await restart(role)
      },
    },
    {
      name: 'of a resource whose annotation says what this operator does not know',
      async happen() {
        const uid = (await widget())?.metadata.uid
        await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { [NOTE]: `${uid} Elsewhere` } } })
        await cascade('Background')
      },
    },
  ]
  for (const { name, role = FAR, happen } of doubtful) {
    it(`is taken for granted where nothing shows the contrary, and an event says so: ${name}`, async () => {
      await begin(role)
      await happen(role)
      await gone()
      expect((await children()).filter((child) => child !== 'near')).to.deep.equal(['far', 'wide'])
      expect((await news()).map(({ note }) => note)).to.deep.equal([
        'cannot delete Gadget wide, ConfigMap other/far: the operator did not see how the deletion began, and it may have been one with --cascade=orphan (delete them by hand if they are not wanted)',
      ])
      expect(sandbox.warnings).to.include(
        'objects are kept: their resource may have been deleted with --cascade=orphan',
      )
    })
  }

  it('can be asked for again by hand where the first deletion was an ordinary one', async () => {
    await begin(FAR + FINALIZE)
    await sandbox.remove(CONFIG_MAP, 'gate')
    await cascade('Background')
    await sandbox.until(note, (text) => text?.endsWith(' Background') ?? false)
    await cascade('Orphan')
    await sandbox.until(note, (text) => text?.endsWith(' Orphan') ?? false)
    await collected()
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gate' } })
    await gone()
    expect(await children()).to.deep.equal(['far', 'wide'])
  })

  it('keeps a child that got its owner reference back by a write of ours that came too late', async () => {
    await begin(FAR + NEAR + FINALIZE)
    await sandbox.remove(CONFIG_MAP, 'gate')
    const ownerReferences = (await sandbox.get(CONFIG_MAP, 'near'))?.metadata.ownerReferences ?? []
    await cascade('Orphan')
    await sandbox.until(note, (text) => text !== undefined)
    await collected()
    const late = { metadata: { ownerReferences: ownerReferences.map((reference) => ({ ...reference })) } }
    await sandbox.edit(CONFIG_MAP, 'near', late)
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gate' } })
    await gone()
    expect(await children()).to.deep.equal(['far', 'wide', 'near'])
  })

  it('takes our marks from the children that stay', async () => {
    await begin(FAR + NEAR)
    await cascade('Orphan')
    await gone()
    const far = await sandbox.get(CONFIG_MAP, 'far', 'other')
    expect([far?.metadata.labels, far?.metadata.annotations]).to.deep.equal([undefined, undefined])
  })

  it('costs one write more, and an ordinary deletion without children out of reach costs none', async () => {
    await begin(FAR)
    await cascade('Orphan')
    await gone()
    expect(await sandbox.settled()).to.deep.equal([
      'patch Widget default/w',
      'patch Gadget wide',
      'patch ConfigMap other/far',
      'patch Widget default/w',
    ])
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' } })
    sandbox.operator?.replaceProject(
      await projectOf(
        { widget: 'tasks: [{patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: theirs}, data: {a: b}}}]\n' },
        WATCH,
      ),
    )
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    await cascade('Background')
    await gone()
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/theirs', 'patch Widget default/w'])
    sandbox.operator?.replaceProject(await projectOf({ widget: `tasks:\n${NEAR}${FINALIZE}` }, WATCH))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    await cascade('Background')
    await gone()
    expect(await sandbox.settled()).to.deep.equal(['patch Widget default/w'])
  })
})
