import { expect } from 'chai'
import { ApplyMemories } from '../../../../src/engine/reconcile/apply/write-decision.ts'

function memoryOf(uid: string) {
  return { uid, applied: 'x', entry: undefined }
}

describe('ApplyMemories', () => {
  const cases: { name: string; change: (memories: ApplyMemories) => void; forgotten: string[]; left: string[] }[] = [
    { name: 'an object that goes', change: (memories) => memories.forget('o', 'a'), forgotten: ['a1'], left: ['b1'] },
    { name: 'one that was made anew', change: (m) => m.set('o', 'a', memoryOf('a2')), forgotten: ['a1'], left: ['b1'] },
    { name: 'all of an owner that goes', change: (m) => m.forgetOwner('o'), forgotten: ['a1', 'b1'], left: [] },
    { name: 'nothing of a stranger', change: (m) => m.forgetOwner('x'), forgotten: [], left: ['a1', 'b1'] },
  ]
  it('forgets the owner that came first when there are too many', () => {
    const memories = new ApplyMemories(() => undefined)
    for (let index = 0; index <= 100_000; index++) memories.set(`owner ${index}`, 'a', memoryOf('a1'))
    const known = ['owner 0', 'owner 1', 'owner 100000'].map((owner) => memories.get(owner, 'a', 'a1') !== undefined)
    expect(known).to.deep.equal([false, true, true])
  })

  for (const { name, change, forgotten, left } of cases) {
    it(`forgets ${name}`, () => {
      const dropped: string[] = []
      const memories = new ApplyMemories((uid) => dropped.push(uid))
      memories.set('o', 'a', memoryOf('a1'))
      memories.set('o', 'b', memoryOf('b1'))
      change(memories)
      const found = [memories.get('o', 'a', 'a1'), memories.get('o', 'b', 'b1')]
      expect([dropped, found.flatMap((memory) => memory?.uid ?? [])]).to.deep.equal([forgotten, left])
    })
  }
})
