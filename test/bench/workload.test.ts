import { expect } from 'chai'
import {
  configMapNames,
  isAsWanted,
  leastWrites,
  NAMESPACE,
  ownerName,
  specOf,
  type Workload,
  widget,
} from '../../bench/cluster/workload.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

const SMALL: Workload = { resources: 10, kinds: 1, objects: 3 }
const LARGE: Workload = { resources: 10, kinds: 8, objects: 20 }

describe('the workload of the benchmark', () => {
  it('needs a write for each object and one for the status; a ServiceAccount never changes', () => {
    expect(leastWrites(SMALL)).to.deep.equal({ create: 4, update: 3, restart: 0, repair: 1 })
    expect(leastWrites(LARGE)).to.deep.equal({ create: 21, update: 20, restart: 0, repair: 1 })
  })

  it('has as many objects as tasks', () => {
    expect(configMapNames('w-7', SMALL)).to.deep.equal(['w-7'])
    expect(configMapNames('w-7', LARGE)).to.have.length(18)
    for (const name of configMapNames('w-7', LARGE)) expect(ownerName(name)).to.equal('w-7')
  })

  it('spreads the resources over the kinds', () => {
    expect([0, 1, 7, 8].map((index) => widget(LARGE, index, 0).kind)).to.deep.equal([
      'Widget',
      'Widget2',
      'Widget8',
      'Widget',
    ])
  })
})

describe('an object is as wanted', () => {
  const { text, token } = specOf('w-7', 1)
  const metadata = { name: 'w-7', namespace: NAMESPACE, generation: 2 }
  const object = (kind: string, content: object): KubeObject => ({ apiVersion: 'v1', kind, metadata, ...content })
  const inBase64 = Buffer.from(token).toString('base64')
  const cases = [
    { name: 'a ConfigMap with the text', given: object('ConfigMap', { data: { text } }), expected: true },
    {
      name: 'a ConfigMap with a former text',
      given: object('ConfigMap', { data: { text: specOf('w-7', 0).text } }),
      expected: false,
    },
    { name: 'a ConfigMap without data', given: object('ConfigMap', {}), expected: false },
    { name: 'a Secret with the token', given: object('Secret', { data: { token: inBase64 } }), expected: true },
    { name: 'a Secret with a plain token', given: object('Secret', { data: { token } }), expected: false },
    { name: 'a ServiceAccount', given: object('ServiceAccount', {}), expected: true },
    {
      name: 'a widget with its status',
      given: object('Widget', { status: { text, observedGeneration: 2 } }),
      expected: true,
    },
    {
      name: 'a widget with the status of a former generation',
      given: object('Widget', { status: { text, observedGeneration: 1 } }),
      expected: false,
    },
    { name: 'a widget without status', given: object('Widget', {}), expected: false },
  ]

  for (const { name, given, expected } of cases) {
    it(`${name}: ${expected ? 'yes' : 'no'}`, () => expect(isAsWanted(given, 1)).to.equal(expected))
  }
})
