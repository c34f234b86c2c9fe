import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import type { ObjectCaches } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { ResourceMemory } from '../../../../src/engine/reconcile/run/reconcile-context.ts'
import {
  type ReportedStatus,
  StatusReport,
  type StatusReportTools,
} from '../../../../src/engine/reconcile/status/status-report.ts'
import { OwnWrites } from '../../../../src/engine/runtime/own-writes.ts'
import { ledgerWith } from '../../../support/ledger-with.ts'
import { partOf } from '../../../support/part-of.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const RESOURCE: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'd', uid: 'u', resourceVersion: '1' },
}

interface World {
  /** Of a kind; throws when it cannot be read. */
  readonly document?: () => JsonObject | undefined
  /** What the server makes of a patch. */
  readonly answer?: (status: JsonObject) => JsonObject | undefined
  /** The status on the server; absent when the resource is gone. */
  readonly live?: () => JsonObject | undefined
  /** Subresources of the kind, as discovery shows them. */
  readonly served?: () => readonly string[]
}

function reportIn(world: World) {
  const { document = () => undefined, answer = (status) => status, served = () => ['status'], live } = world
  const clock = new FakeClock()
  const ownWrites = new OwnWrites({ clock })
  let subresources = served()
  const sent: JsonObject[] = []
  const asked: string[] = []
  const log: unknown[] = []
  const tools: StatusReportTools = {
    client: partOf<KubeClient>({
      get: async () => {
        const status = live?.()
        return status && { ...RESOURCE, status }
      },
      patch: async (_gvk, _key, { body }) => {
        const { status } = body as { status: JsonObject }
        sent.push(status)
        log.push('patch')
        const answered = answer(status)
        return { ...RESOURCE, ...(answered && { status: answered }) }
      },
    }),
    mapper: partOf<ResourceMapper>({
      mappingFor: async () => ({ gvk: WIDGET, plural: 'widgets', namespaced: true, subresources, verbs: [] }),
      refresh: () => {
        log.push('discovery')
        subresources = served()
      },
    }),
    caches: partOf<ObjectCaches>({
      sent: (object) => ownWrites.recordSent(WIDGET, object),
      isUnanswered: (object) => ownWrites.isUnanswered(WIDGET, object),
      wrote: (object) => ownWrites.record(WIDGET, object),
    }),
    ledger: ledgerWith({}, { record: async (_gvk, news) => void log.push(news) }),
    openApi: {
      document: async ({ group, version }) => {
        asked.push(`${group}/${version}`)
        return document()
      },
    },
    clock,
    logger: nopLogger,
  }
  const report = new StatusReport(tools)
  const memory = new ResourceMemory('u')
  const write = (fields: JsonObject, given: Partial<ReportedStatus> = {}) =>
    report.write({
      gvk: WIDGET,
      resource: RESOURCE,
      memory,
      entryHash: 'h',
      fields,
      conditions: undefined,
      observedGeneration: undefined,
      complete: false,
      signal: new AbortController().signal,
      ...given,
    })
  return { write, sent, asked, log, clock }
}

describe('StatusReport', () => {
  const cases: { name: string; world: World }[] = [
    { name: 'leaves a status out of its answer', world: { answer: () => undefined } },
    { name: 'leaves a field out of its answer', world: { answer: () => ({ b: 1 }) } },
    { name: 'makes another value of it', world: { answer: () => ({ a: 2 }) } },
  ]
  for (const { name, world } of cases) {
    it(`does not send again to a server that ${name}`, async () => {
      const { write, sent } = reportIn(world)
      expect([await write({ a: 1 }), await write({ a: 1 })]).to.deep.equal([true, false])
      expect(sent).to.deep.equal([{ a: 1 }])
    })
  }

  const nexts: { name: string; memory: Partial<ReportedStatus> }[] = [
    { name: 'before it writes again', memory: {} },
    { name: 'when the reconciler was replaced', memory: { memory: new ResourceMemory('u') } },
  ]
  for (const { name, memory } of nexts) {
    it(`looks at what is there ${name}, when a write got no answer but was done`, async () => {
      let live: JsonObject = { a: 1 }
      const { write, sent } = reportIn({
        live: () => live,
        answer: (status) => {
          live = status
          if (status.a === 2) throw new ApiError(0, 'NoAnswer', 'other side closed')
          return status
        },
      })
      const resource = { ...RESOURCE, status: { a: 1 } }
      const failed = await write({ a: 2 }, { resource }).catch(({ reason }: ApiError) => reason)
      expect(failed).to.equal('NoAnswer')
      expect(await write({ a: 1 }, { resource, ...memory }), 'the cache shows what was there before').to.equal(true)
      expect(await write({ a: 1 }, { resource, ...memory })).to.equal(false)
      expect(sent).to.deep.equal([{ a: 2 }, { a: 1 }])
    })
  }

  it('leaves it to the server to refuse a status of what is gone, when a write got no answer', async () => {
    let isAway = true
    const { write, sent } = reportIn({
      live: () => undefined,
      answer: () => {
        if (isAway) throw new ApiError(0, 'NoAnswer', 'other side closed')
        throw new ApiError(404, 'NotFound', 'gone')
      },
    })
    const reasons: (string | boolean)[] = []
    for (let attempt = 0; attempt < 2; attempt++) {
      reasons.push(await write({ a: 1 }).catch(({ reason }: ApiError) => reason))
      isAway = false
    }
    expect([reasons, sent]).to.deep.equal([
      ['NoAnswer', 'NotFound'],
      [{ a: 1 }, { a: 1 }],
    ])
  })

  it('writes although the schema cannot be read', async () => {
    const unreadable = (): never => {
      throw new Error('no document')
    }
    const { write, sent } = reportIn({ document: unreadable })
    expect(await write({ a: 1 })).to.equal(true)
    expect(sent).to.deep.equal([{ a: 1 }])
  })

  it('asks anew for a schema when it has come to know too many', async () => {
    const { write, asked } = reportIn({})
    for (let index = 0; index <= 1_000; index++) await write({ a: index }, { entryHash: `h${index}` })
    expect(asked.length).to.equal(1_001)
    await write({ a: 'x' }, { entryHash: 'h1000' })
    await write({ a: 'y' }, { entryHash: 'h999' })
    expect(asked.length).to.equal(1_002)
  })

  it('puts the types of conditions that tasks set into the ledger, before they are written', async () => {
    const { write, log } = reportIn({})
    await write({ conditions: [{ type: 'Checked', status: 'True' }, 'no condition'] })
    await write({ a: 1 })
    expect(log).to.deep.equal([{ conditions: ['Checked'] }, 'patch', 'patch'])
  })

  it('finds a status subresource that a CRD gets later, and asks discovery once a minute until then', async () => {
    let subresources: readonly string[] = []
    const { write, sent, log, clock } = reportIn({ served: () => subresources })
    expect([await write({ a: 1 }), await write({ a: 1 })]).to.deep.equal([false, false])
    expect(log).to.deep.equal(['discovery'])
    subresources = ['status']
    expect(await write({ a: 1 })).to.equal(false)
    await clock.advance(60_000)
    expect(await write({ a: 1 })).to.equal(true)
    expect([sent, log]).to.deep.equal([[{ a: 1 }], ['discovery', 'discovery', 'patch']])
    await write({ a: 2 })
    expect(log).to.deep.equal(['discovery', 'discovery', 'patch', 'patch'])
  })
})
