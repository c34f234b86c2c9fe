import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { ResourceMapper } from '../../../src/core/kube/resource-mapper.ts'
import { installCrds } from '../../../src/rolebook/cli/install-crds.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'

type Conditions = readonly { readonly type: string; readonly status: string; readonly message?: string }[]

const ESTABLISHED: Conditions = [{ type: 'Established', status: 'True' }]
const WIDGETS = crd(WIDGET)

/** A server that has one CRD or none, and gives these conditions one look after the other, the last for ever. */
class Server {
  readonly #looks: Conditions[]
  readonly applied: KubeObject[] = []
  readonly lines: string[] = []
  readonly clock = new FakeClock()
  readonly stop = new AbortController()
  /** Whether what is applied stays. */
  isKept = true
  refreshed = 0
  live: KubeObject | undefined

  constructor(live: KubeObject | undefined, looks: readonly Conditions[]) {
    this.live = live
    this.#looks = [...looks]
  }

  async install(wanted: KubeObject, dryRun = false): Promise<unknown> {
    const { clock, stop } = this
    const connection = { client: this.#client, mapper: this.#mapper }
    const installing = installCrds([wanted], { connection, clock, logger: this.#logger, signal: stop.signal, dryRun })
    const ended = installing.then(
      () => undefined,
      (error: unknown) => error,
    )
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    while (!isOver) await clock.advance(200)
    return ended
  }

  get #client(): KubeClient {
    const client: Partial<KubeClient> = {
      get: async () => this.live && { ...this.live, status: { conditions: this.#look() } },
      apply: async (object, options) => {
        if (options.dryRun) return object
        this.applied.push(object)
        if (this.isKept) this.live = object
        return object
      },
    }
    return client as KubeClient
  }

  #look(): Conditions {
    return (this.#looks.length > 1 ? this.#looks.shift() : this.#looks[0]) ?? []
  }

  get #mapper(): ResourceMapper {
    return { refresh: () => this.#count() } as Partial<ResourceMapper> as ResourceMapper
  }

  #count(): void {
    this.refreshed += 1
  }

  get #logger(): Logger {
    return { ...nopLogger, info: (message) => void this.lines.push(message) }
  }
}

function version(name: string, more: object = {}): object {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } }
  return { name, served: true, storage: name === 'v1', schema, ...more }
}

function withVersions(...versions: readonly object[]): KubeObject {
  return { ...WIDGETS, spec: { ...(WIDGETS.spec as object), versions } } as KubeObject
}

describe('--install-crds', () => {
  it('applies what is not there, waits until it is served, and looks at what is served anew', async () => {
    const server = new Server(undefined, [[], [{ type: 'NamesAccepted', status: 'True' }], ESTABLISHED])
    expect(await server.install(WIDGETS)).to.equal(undefined)
    expect(server.applied).to.deep.equal([WIDGETS])
    expect(server.refreshed).to.equal(1)
    expect(server.lines).to.deep.equal(['a CRD is installed'])
  })

  it('leaves alone what is as it should be', async () => {
    const server = new Server(WIDGETS, [ESTABLISHED])
    expect(await server.install(WIDGETS)).to.equal(undefined)
    expect([server.applied, server.lines, server.refreshed]).to.deep.equal([[], [], 0])
  })

  it('adds a version', async () => {
    const server = new Server(withVersions(version('v1')), [ESTABLISHED])
    expect(await server.install(withVersions(version('v1'), version('v2')))).to.equal(undefined)
    expect(server.lines).to.deep.equal(['a CRD is changed'])
  })

  const narrower: readonly { readonly name: string; readonly next: KubeObject; readonly says: string }[] = [
    { name: 'that drops a version', next: withVersions(version('v1')), says: 'version v2 is not served any more' },
    {
      name: 'that no longer serves a version',
      next: withVersions(version('v1'), version('v2', { served: false })),
      says: 'version v2 is not served any more',
    },
    {
      name: 'that has no schema of a version',
      next: withVersions(version('v1'), version('v2', { schema: undefined })),
      says: 'v2 spec is gone',
    },
    { name: 'without versions', next: withVersions(), says: 'version v1 is not served any more' },
    {
      name: 'without a spec',
      next: { ...WIDGETS, spec: undefined } as unknown as KubeObject,
      says: 'version v1 is not served any more',
    },
  ]
  for (const { name, next, says } of narrower) {
    it(`refuses a CRD ${name}`, async () => {
      const server = new Server(withVersions(version('v1'), version('v2'), version('v0', { served: false })), [
        ESTABLISHED,
      ])
      const error = await server.install(next)
      expect(error).to.have.property('code', 'NarrowingCrd')
      expect(error).to.have.property('message').that.includes(`widgets.example.com: ${says}`)
      expect(server.applied).to.deep.equal([])
    })
  }

  const stuck: readonly { readonly name: string; readonly looks: readonly Conditions[]; readonly says: string }[] = [
    {
      name: 'whose names are taken',
      looks: [[{ type: 'NamesAccepted', status: 'False', message: '"widgets" is already in use' }]],
      says: '"widgets" is already in use',
    },
    {
      name: 'whose names are taken, without a word',
      looks: [[{ type: 'NamesAccepted', status: 'False' }]],
      says: 'its names are taken',
    },
    { name: 'that is never served', looks: [[]], says: 'the API server takes too long' },
  ]
  for (const { name, looks, says } of stuck) {
    it(`gives up a CRD ${name}`, async () => {
      const error = await new Server(undefined, looks).install(WIDGETS)
      expect(error).to.have.property('code', 'CrdNotEstablished')
      expect(error).to.have.property('message').that.includes(says)
    })
  }

  it('gives up a CRD that a user deletes meanwhile', async () => {
    const server = new Server(undefined, [[]])
    server.isKept = false
    expect(await server.install(WIDGETS)).to.have.property('code', 'CrdNotEstablished')
  })

  it('stops waiting when the program is stopped', async () => {
    const server = new Server(undefined, [[]])
    server.stop.abort(new Error('stopped'))
    expect(await server.install(WIDGETS)).to.have.property('message', 'stopped')
  })

  const dry: readonly {
    readonly name: string
    readonly live: KubeObject | undefined
    readonly lines: readonly string[]
  }[] = [
    { name: 'install', live: undefined, lines: ['dry run: would install a CRD'] },
    { name: 'change', live: withVersions(version('v1')), lines: ['dry run: would change a CRD'] },
    { name: 'leave alone', live: withVersions(version('v1'), version('v2')), lines: [] },
  ]
  for (const { name, live, lines } of dry) {
    it(`says in a dry run what it would ${name}`, async () => {
      const server = new Server(live, [ESTABLISHED])
      expect(await server.install(withVersions(version('v1'), version('v2')), true)).to.equal(undefined)
      expect([server.applied, server.lines]).to.deep.equal([[], lines])
    })
  }
})
