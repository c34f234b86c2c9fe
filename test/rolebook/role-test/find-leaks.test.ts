import { expect } from 'chai'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { findLeaks } from '../../../src/rolebook/role-test/find-leaks.ts'
import type { TestCluster } from '../../../src/rolebook/role-test/test-cluster.ts'

const SECRET = 'Not-For-Everybody'
const WEB = { group: 'example.com', version: 'v1', kind: 'Web' }

interface Output {
  readonly status?: string
  readonly event?: string
  readonly log?: string
}

/** As much of a cluster as is searched. */
function clusterShowing({ status = '', event = '', log = '' }: Output): TestCluster {
  const web: KubeObject = {
    apiVersion: 'example.com/v1',
    kind: 'Web',
    metadata: { namespace: 'default', name: 'a' },
    status: { parts: [{ text: status }] },
  }
  const recorded = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'x' }, reason: 'Reported', message: event }
  const objects = { list: ({ kind }: { kind: string }) => (kind === 'Web' ? [web] : [recorded]) }
  return {
    secretValues: new Set([Buffer.from(SECRET).toString('base64')]),
    project: { watches: [{ watch: { gvk: WEB } }] },
    server: { objects },
    log: { lines: [log] },
  } as unknown as TestCluster
}

const cases: readonly { readonly name: string; readonly output: Output; readonly found: readonly string[] }[] = [
  { name: 'nothing', output: { status: 'ready', event: 'made', log: 'a run' }, found: [] },
  { name: 'a status', output: { status: SECRET }, found: ['Web default/a status.parts[0].text'] },
  {
    name: 'a part of a status',
    output: { status: `db://app:${SECRET}@host` },
    found: ['Web default/a status.parts[0].text'],
  },
  {
    name: 'base64',
    output: { status: Buffer.from(SECRET).toString('base64') },
    found: ['Web default/a status.parts[0].text'],
  },
  { name: 'other letters', output: { event: SECRET.toUpperCase() }, found: ['an Event with the reason Reported'] },
  { name: 'the other direction', output: { event: 'ydobyrevE-roF-toN' }, found: ['an Event with the reason Reported'] },
  {
    name: 'the log, which is shown without it',
    output: { log: `it is ${SECRET}` },
    found: ['the log: it is <redacted>'],
  },
]

describe('a value of a Secret', () => {
  for (const { name, output, found } of cases) {
    it(`is found in ${name}`, () => {
      expect(findLeaks({ cluster: clusterShowing(output), known: [] })).to.deep.equal(found)
    })
  }

  it('is in nothing where a resource has no status yet, and an Event no message', () => {
    const { server, ...rest } = clusterShowing({})
    const list = (gvk: typeof WEB) => server.objects.list(gvk).map(({ status: _s, message: _m, ...object }) => object)
    const cluster = { ...rest, server: { objects: { list } } } as unknown as TestCluster
    expect(findLeaks({ cluster, known: [] })).to.deep.equal([])
  })

  it('that the test gives itself elsewhere is none', () => {
    const known = [{ spec: { password: SECRET } }]
    expect(findLeaks({ cluster: clusterShowing({ status: SECRET }), known })).to.deep.equal([])
  })
})
