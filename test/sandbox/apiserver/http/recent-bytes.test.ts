import { expect } from 'chai'
import { RecentBytes } from '../../../../src/sandbox/apiserver/http/recent-bytes.ts'

describe('RecentBytes', () => {
  it('keeps what is asked for, and forgets what is not', () => {
    const cache = new RecentBytes(200)
    const keys = Array.from({ length: 40 }, () => ({}))
    const [favourite = {}] = keys
    for (const [n, key] of keys.entries()) {
      cache.set(key, Buffer.alloc(10, n))
      cache.get(favourite)
    }
    const kept = keys.filter((key) => cache.get(key) !== undefined)
    expect(kept.length).to.be.within(10, 21)
    expect(cache.get(favourite)).to.deep.equal(Buffer.alloc(10, 0))
    expect(cache.get(keys[1] ?? {})).to.equal(undefined)
  })
})
