import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { Chart } from '../../../src/core/kube/helm-chart.ts'
import { RenderTurns } from '../../../src/engine/chart/render-turns.ts'

const chart = (id: string): Chart => ({ id, name: id, version: '1.0.0', values: {} })

describe('turns of renderings', () => {
  /**
   * `start a 1`: chart `a` is to be rendered for release `1`; `queue a 1`: so it is, and gets no thread; `end a 1`; `wait 2000`.
   * Returns what runs after the last step.
   */
  async function runningAfter(steps: readonly string[]): Promise<readonly string[]> {
    const clock = new FakeClock()
    const turns = new RenderTurns(clock, 1)
    const running = new Map<string, () => void>()
    for (const step of steps) {
      const [verb, id = '', release = ''] = step.split(' ')
      const key = `${id} ${release}`
      const work = (begin: () => void): Promise<void> => {
        if (verb === 'start') begin()
        return new Promise((resolve) => running.set(key, resolve))
      }
      if (verb === 'start' || verb === 'queue')
        void turns.take(chart(id), { name: release, namespace: 'web', revision: 1 }, work)
      if (verb === 'end') running.get(key)?.()
      if (verb === 'end') running.delete(key)
      await clock.advance(verb === 'wait' ? Number(id) : 0)
    }
    return [...running.keys()].sort()
  }

  const slow = ['start a slow', 'wait 2000', 'end a slow']
  const cases: readonly { readonly name: string; readonly steps: readonly string[]; readonly running: string[] }[] = [
    { name: 'one of a chart at a time', steps: ['start a 1', 'start a 2'], running: ['a 1'] },
    { name: 'the next when it is over', steps: ['start a 1', 'start a 2', 'end a 1'], running: ['a 2'] },
    { name: 'other charts meanwhile', steps: ['start a 1', 'start b 1'], running: ['a 1', 'b 1'] },
    {
      name: 'the next beside one that takes long',
      steps: ['start a 1', 'start a 2', 'wait 2000'],
      running: ['a 1', 'a 2'],
    },
    {
      name: 'nothing beside one that waits for a thread for long',
      steps: ['queue a 1', 'start a 2', 'wait 9000'],
      running: ['a 1'],
    },
    {
      name: 'one that takes long beside others, of all charts',
      steps: ['start a 1', 'start b 1', 'wait 2000', 'start a 2', 'start b 2'],
      running: ['a 1', 'a 2', 'b 1'],
    },
    {
      name: 'the next one that takes long when that is over',
      steps: ['start a 1', 'start b 1', 'wait 2000', 'start b 2', 'end a 1'],
      running: ['b 1', 'b 2'],
    },
    {
      name: 'others after one that was over before it could step aside',
      steps: ['start a 1', 'start b 1', 'wait 2000', 'end b 1', 'end a 1', 'start c 1', 'wait 2000', 'start c 2'],
      running: ['c 1', 'c 2'],
    },
    {
      name: 'what took long aside from the start',
      steps: [...slow, 'start a slow', 'start a 2'],
      running: ['a 2', 'a slow'],
    },
    {
      name: 'one that steps aside before those that wait aside',
      steps: [...slow, 'start b 1', 'wait 2000', 'start a slow', 'start a 1', 'wait 2000', 'start a 2', 'end b 1'],
      running: ['a 1', 'a 2'],
    },
    {
      name: 'what took long among the others again when it is quick',
      steps: [...slow, 'start a slow', 'end a slow', 'start a slow', 'start a 2'],
      running: ['a slow'],
    },
    {
      name: 'what took long among the others again when it has but waited for a thread',
      steps: [...slow, 'queue a slow', 'wait 9000', 'end a slow', 'start a slow', 'start a 2'],
      running: ['a slow'],
    },
    {
      name: 'one of a chart at a time after one that stepped aside is over',
      steps: ['start a 1', 'wait 2000', 'start a 2', 'end a 2', 'start a 3', 'end a 1', 'start a 4'],
      running: ['a 3'],
    },
  ]
  for (const { name, steps, running } of cases) {
    it(`let run ${name}`, async () => expect(await runningAfter(steps)).to.deep.equal(running))
  }

  it('forget what took long when there is very much of it', async () => {
    const many = Array.from({ length: 1_001 }, (_, i) => [`start a ${i}`, 'wait 2000', `end a ${i}`]).flat()
    expect(await runningAfter([...many, 'start a 0', 'start a 2'])).to.deep.equal(['a 0', 'a 2'])
  })
})
