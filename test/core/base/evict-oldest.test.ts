import { expect } from 'chai'
import { evictOldest } from '../../../src/core/base/evict-oldest.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { OwnVersions } from '../../../src/engine/reconcile/run/own-loop.ts'
import { SecretReader } from '../../../src/engine/reconcile/run/run-inputs.ts'
import { partOf } from '../../support/part-of.ts'

describe('What is remembered up to a number', () => {
  const cases = [
    { known: ['a', 'b', 'c'], capacity: 3, left: ['b', 'c'] },
    { known: ['a', 'b', 'c'], capacity: 4, left: ['a', 'b', 'c'] },
    { known: [], capacity: 0, left: [] },
  ]
  for (const { known, capacity, left } of cases) {
    it(`leaves ${left.length} of ${known.length} where ${capacity} have room`, () => {
      const set = new Set(known)
      evictOldest({ capacity, known: set }, (key) => set.delete(key))
      expect([...set]).to.deep.equal(left)
    })
  }

  it('are the latest own versions', () => {
    const versions = new OwnVersions()
    for (let index = 0; index <= 20_000; index++) versions.add(String(index))
    expect(['0', '1', '20000'].map((version) => versions.causeIn([version]).chain)).to.deep.equal([0, 1, 1])
  })

  it('are the latest Secrets', async () => {
    const reads: string[] = []
    const secret = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'd', uid: name, resourceVersion: '1' },
    })
    const get = async (_gvk: unknown, { name }: { name: string }) => {
      reads.push(name)
      return secret(name)
    }
    const reader = new SecretReader(partOf<KubeClient>({ get }))
    const { signal } = new AbortController()
    for (let index = 0; index <= 1_000; index++) await reader.read(secret(`s${index}`), signal)
    reads.length = 0
    await reader.read(secret('s1'), signal)
    await reader.read(secret('s0'), signal)
    expect(reads).to.deep.equal(['s0'])
  })
})
