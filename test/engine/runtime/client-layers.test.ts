import { expect } from 'chai'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { type ClientLayers, layered } from '../../../src/engine/runtime/client-layers.ts'
import { partOf } from '../../support/part-of.ts'

const KIND = { group: '', version: 'v1', kind: 'ConfigMap' }
const NAMES = ['requests', 'warnings', 'unserved', 'leadership', 'nesting', 'metrics', 'dryRun'] as const

describe('the layers around the client', () => {
  let passed: string[]
  let client: KubeClient
  beforeEach(() => {
    passed = []
    client = partOf<KubeClient>({
      get: async () => {
        passed.push('transport')
        return undefined
      },
    })
  })

  function layersOf(names: readonly (keyof ClientLayers)[]): ClientLayers {
    const noting =
      (name: string) =>
      (inner: KubeClient): KubeClient => ({
        ...inner,
        get: (...args) => {
          passed.push(name)
          return inner.get(...args)
        },
      })
    return Object.fromEntries(names.map((name) => [name, noting(name)]))
  }

  it('are passed by a request from the run to the transport', async () => {
    await layered(client, layersOf(NAMES.toReversed())).get(KIND, { namespace: 'd', name: 'a' })
    expect(passed).to.deep.equal([...NAMES, 'transport'])
  })

  it('may be added by several parts of the engine', async () => {
    const inner = layered(client, layersOf(['metrics', 'nesting']))
    await layered(inner, layersOf(['leadership'])).get(KIND, { namespace: 'd', name: 'a' })
    expect(passed).to.deep.equal(['leadership', 'nesting', 'metrics', 'transport'])
  })
})
