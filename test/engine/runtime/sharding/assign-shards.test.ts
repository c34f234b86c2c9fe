import { expect } from 'chai'
import { assignShards } from '../../../../src/engine/runtime/sharding/assign-shards.ts'
import { shardOf } from '../../../../src/engine/runtime/sharding/shard-of.ts'

const replicas = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => `rolebook-7d9f_${place}a2b`)

describe('The assignment of shards', () => {
  it('gives each shard to one replica, whatever the order in which they are known', () => {
    const members = replicas(3)
    expect(assignShards(members, 8)).to.deep.equal(assignShards([...members].reverse(), 8))
    expect(new Set(assignShards(members, 8))).to.deep.equal(new Set(members))
  })

  for (const [shards, count] of [
    [8, 1],
    [8, 3],
    [8, 4],
    [8, 11],
    [64, 5],
  ] as const) {
    it(`gives none of ${count} replicas more than its share of ${shards} shards, rounded up`, () => {
      const loads = Object.values(Object.groupBy(assignShards(replicas(count), shards), (one) => String(one)))
      expect(Math.max(...loads.map((load) => load?.length ?? 0))).to.equal(Math.ceil(shards / count))
    })
  }

  it('leaves no replica without a shard while another one has two, whatever their names', () => {
    for (let start = 0; start < 200; start++) {
      const members = [start, start + 1, start + 2].map((place) => `rolebook-${place}`)
      const loads = members.map((member) => assignShards(members, 4).filter((holder) => holder === member).length)
      expect(loads.sort()).to.deep.equal([1, 1, 2])
    }
  })

  it('decides between replicas whose names have the same hash, whatever the order in which they are known', () => {
    // Known collisions of FNV-1a.
    const members = ['costarring', 'liquid']
    const assigned = assignShards(members, 4)
    expect(assigned).to.deep.equal(assignShards([...members].reverse(), 4))
    expect([...assigned].sort()).to.deep.equal(['costarring', 'costarring', 'liquid', 'liquid'])
  })

  it('moves few shards when a replica goes: its own, and some so that none has too many', () => {
    const members = replicas(4)
    const [before, after] = [assignShards(members, 64), assignShards(members.slice(1), 64)]
    const moved = before.filter((holder, shard) => holder !== after[shard])
    expect(moved.filter((holder) => holder === members[0])).to.have.length(16)
    expect(moved.length).to.be.at.most(32)
  })
})

describe('The shard of a resource', () => {
  it('never changes, since processes of all versions must agree', () => {
    const shards = ['default/web', 'team-a/web', '/cluster-wide', 'default/ünïcode'].map((id) => {
      const [namespace = '', name = ''] = id.split('/')
      return shardOf({ namespace, name }, 16)
    })
    expect(shards).to.deep.equal([4, 14, 8, 5])
  })

  it('is the first where there is one only', () => {
    const shards = ['web', 'api', 'db'].map((name) => shardOf({ namespace: 'default', name }, 1))
    expect(shards).to.deep.equal([0, 0, 0])
  })

  it('is spread evenly over names that differ in a number', () => {
    const counts = Array.from({ length: 8 }, () => 0)
    for (let place = 0; place < 8000; place++) {
      const shard = shardOf({ namespace: 'default', name: `resource-${place}` }, 8)
      counts[shard] = (counts[shard] ?? 0) + 1
    }
    expect(Math.min(...counts)).to.be.at.least(900)
    expect(Math.max(...counts)).to.be.at.most(1100)
  })
})
