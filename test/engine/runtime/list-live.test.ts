import { expect } from 'chai'
import type { KubeClient, ListOptions } from '../../../src/core/kube/client.ts'
import { listLive } from '../../../src/engine/runtime/list-all.ts'

const POD = { group: '', version: 'v1', kind: 'Pod' }

describe('listLive', () => {
  it('reads every page of every namespace', async () => {
    const asked: ListOptions[] = []
    const list: KubeClient['list'] = async (_gvk, options = {}) => {
      asked.push(options)
      const name = `${options.namespace}-${asked.length}`
      const items = [{ apiVersion: 'v1', kind: 'Pod', metadata: { name } }]
      return { items, resourceVersion: '1', ...(options.namespace === 'a' && asked.length < 3 && { continue: 'more' }) }
    }
    const found = await listLive({ list } as KubeClient, POD, { namespaces: ['a', 'b'], labelSelector: 'x=y' })
    expect(found.map(({ metadata }) => metadata.name)).to.deep.equal(['a-1', 'a-2', 'a-3', 'b-4'])
    expect(asked.map((one) => one.continue)).to.deep.equal([undefined, 'more', 'more', undefined])
    for (const { labelSelector, metadataOnly } of asked)
      expect([labelSelector, metadataOnly]).to.deep.equal(['x=y', true])
  })
})
