import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { formatKey, type KubeObject, keyOf } from '../../../src/core/kube/object.ts'
import { CacheWriter } from '../../../src/engine/runtime/cache-writer.ts'
import { ObjectCache } from '../../../src/engine/runtime/object-cache.ts'

function manyObjects(prefix: string, count: number): ReadonlyMap<string, KubeObject> {
  const entries = Array.from({ length: count }, (_none, index) => {
    const metadata = { name: `${prefix}${index}`, uid: `${prefix}${index}`, resourceVersion: '1' }
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
    return [formatKey(keyOf(object)), object] as const
  })
  return new Map(entries)
}

describe('CacheWriter, given a large list', () => {
  const cases = [
    { name: 'lets others have their turn while the cache fills', gone: 0, listed: 100, milliseconds: 1, lets: true },
    { name: 'lets others have their turn while it empties', gone: 100, listed: 0, milliseconds: 1, lets: true },
    { name: 'is done at once where that takes no time', gone: 100, listed: 100, milliseconds: 0, lets: false },
  ]
  for (const { name, gone, listed, milliseconds, lets } of cases) {
    it(name, async () => {
      const clock = new FakeClock()
      const cache = new ObjectCache()
      for (const object of manyObjects('gone', gone).values()) cache.put(object)
      const writer = new CacheWriter(cache, clock, () => clock.pass(milliseconds))
      let isDone = false
      const other = new Promise<boolean>((resolve) => setImmediate(() => resolve(!isDone)))
      await writer.replace(manyObjects('listed', listed), '2')
      isDone = true
      expect(await other).to.equal(lets)
      expect([cache.size, cache.resourceVersion]).to.deep.equal([listed, '2'])
    })
  }
})
