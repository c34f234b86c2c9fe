import { expect } from 'chai'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { findLeaks } from '../../../src/rolebook/role-test/find-leaks.ts'
import type { TestCluster } from '../../../src/rolebook/role-test/test-cluster.ts'

const SECRET = 'Not-For-Everybody'
const WEB = { group: 'example.com', version: 'v1', kind: 'Web' }

interface Told {
  readonly status?: string
  readonly event?: string
  readonly log?: string
}

/** As much of a cluster as is searched. */
function clusterTelling({ status = '', event = '', log = '' }: Told): TestCluster {
  const web: KubeObject = {
    apiVersion: 'example.com/v1',
    kind: 'Web',
    metadata: { namespace: 'default', name: 'a' },
    status: { parts: [{ text: status }] },
  }
  const told = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'x' }, reason: 'Told', message: event }
  const objects = { list: ({ kind }: { kind: string }) => (kind === 'Web' ? [web] : [told]) }
  return {
    secretValues: new Set([Buffer.from(SECRET).toString('base64')]),
    project: { watches: [{ watch: { gvk: WEB } }] },
    server: { objects },
    log: { lines: [log] },
  } as unknown as TestCluster
}

const cases: readonly { readonly name: string; readonly told: Told; readonly found: readonly string[] }[] = [
  { name: 'nothing', told: { status: 'ready', event: 'made', log: 'a run' }, found: [] },
  { name: 'a status', told: { status: SECRET }, found: ['Web default/a status.parts[0].text'] },
  {
    name: 'a part of a status',
    told: { status: `db://app:${SECRET}@host` },
    found: ['Web default/a status.parts[0].text'],
  },
  {
    name: 'base64',
    told: { status: Buffer.from(SECRET).toString('base64') },
    found: ['Web default/a status.parts[0].text'],
  },
  { name: 'other letters', told: { event: SECRET.toUpperCase() }, found: ['an Event with the reason Told'] },
  { name: 'the other direction', told: { event: 'ydobyrevE-roF-toN' }, found: ['an Event with the reason Told'] },
  {
    name: 'the log, which is shown without it',
    told: { log: `it is ${SECRET}` },
    found: ['the log: it is <redacted>'],
  },
]

describe('a value of a Secret', () => {
  for (const { name, told, found } of cases) {
    it(`is found in ${name}`, () => {
      expect(findLeaks({ cluster: clusterTelling(told), known: [] })).to.deep.equal(found)
    })
  }

  it('that the test gives itself elsewhere is none', () => {
    const known = [{ spec: { password: SECRET } }]
    expect(findLeaks({ cluster: clusterTelling({ status: SECRET }), known })).to.deep.equal([])
  })
})
