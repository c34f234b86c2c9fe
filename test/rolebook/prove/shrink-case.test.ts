import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { ProofCase, ProofEvent } from '../../../src/rolebook/prove/proof-case.ts'
import { shrinkCase } from '../../../src/rolebook/prove/shrink-case.ts'

const disturbance = (step: JsonObject): ProofEvent => ({ kind: 'disturbance', step })
const edit = (spec: JsonObject): ProofEvent => ({ kind: 'edit', step: { patch: { kind: 'Web', name: 'a', spec } } })
const restart = disturbance({ restart: 'stop' })

const LARGE: ProofCase = {
  given: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }],
  resource: {
    apiVersion: 'v1',
    kind: 'Web',
    metadata: { name: 'a' },
    spec: { size: 1, tags: ['x', 'y'], deep: { a: 1 }, parts: [{ name: 'p', large: 1 }] },
  },
  events: [
    restart,
    disturbance({ advance: '1m', wait: '0s' }),
    edit({ size: 3, mode: 'fast' }),
    restart,
    edit({ tags: null }),
  ],
}

interface Kept {
  readonly name: string
  fails(one: ProofCase): boolean
  readonly resource: JsonObject
  readonly events: readonly ProofEvent[]
}

const kept: readonly Kept[] = [
  { name: 'nothing, where every case fails', fails: () => true, resource: {}, events: [] },
  {
    name: 'the event that it takes',
    fails: ({ events }) => events.some(({ step }) => step.restart === 'stop'),
    resource: {},
    events: [restart],
  },
  {
    name: 'an edit as part of the creation',
    fails: ({ resource }) => (resource.spec as JsonObject | undefined)?.size === 3,
    resource: { size: 3 },
    events: [],
  },
  {
    name: 'the part of an edit that it takes',
    fails: ({ events }) =>
      events.some(({ step }) => (step.patch as { spec?: JsonObject } | undefined)?.spec?.mode === 'fast'),
    resource: {},
    events: [edit({ mode: 'fast' })],
  },
  {
    name: 'the item of a list that it takes',
    fails: ({ resource }) => JSON.stringify(resource.spec ?? {}).includes('"y"'),
    resource: { tags: ['y'] },
    events: [],
  },
  {
    name: 'the field of an item that it takes',
    fails: ({ resource }) => JSON.stringify(resource.spec ?? {}).includes('"p"'),
    resource: { parts: [{ name: 'p' }] },
    events: [],
  },
  {
    name: 'an event without its pause',
    fails: ({ events }) => events.some(({ step }) => step.advance !== undefined),
    resource: {},
    events: [disturbance({ advance: '1m' })],
  },
]

describe('a failing case made small', () => {
  for (const { name, fails, resource, events } of kept) {
    it(`keeps ${name}`, async () => {
      const smallest = await shrinkCase(LARGE, async (smaller) => fails(smaller))
      expect(smallest.given).to.deep.equal([])
      expect(smallest.resource.spec).to.deep.equal(resource)
      expect(smallest.events).to.deep.equal(events)
    })
  }

  it('costs no more lives than it may', async () => {
    let lives = 0
    await shrinkCase(LARGE, async () => {
      lives += 1
      return lives % 2 === 0
    })
    expect(lives).to.be.at.most(120)
  })

  it('stays as it is after so many lives without a smaller one', async () => {
    const long = { ...LARGE, events: Array.from({ length: 100 }, () => restart) }
    let lives = 0
    const smallest = await shrinkCase(long, async () => {
      lives += 1
      return false
    })
    expect(lives).to.equal(120)
    expect(smallest).to.equal(long)
  })
})
