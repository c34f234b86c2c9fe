import { expect } from 'chai'
import type { RunObserver } from '../../../../src/engine/role/run/run-observer.ts'
import { runTasks } from '../../../support/task-run.ts'

describe('the observer of a run', () => {
  const cases = [
    {
      name: 'sees each task, loops as one, and each expression',
      tasks:
        '- {name: First, set: {a: "${spec.size}"}}\n- {name: Each, loop: [1, 2], event: {type: Normal, reason: R, message: "${$item + 1}"}}\n',
      ran: ['First unchanged', 'Each unchanged'],
      evaluated: 3,
    },
    {
      name: 'sees what is skipped or fails, and nothing after it',
      tasks:
        '- {name: Not, when: "${spec.size = 2}", set: {a: 1}}\n- {name: Stop, fail: {message: "no ${spec.size}"}}\n- {set: {c: 1}}\n',
      ran: ['Not skipped', 'Stop failed'],
      evaluated: 2,
    },
    {
      name: 'sees expressions that fail',
      tasks: '- {name: Bad, set: {a: "${spec.size + true}"}}\n',
      ran: ['Bad failed'],
      evaluated: 1,
    },
    {
      name: 'sees the tasks of a block before the block',
      tasks: '- name: All\n  block:\n    tasks:\n      - {name: Inner, set: {a: 1}}\n',
      ran: ['Inner unchanged', 'All unchanged'],
      evaluated: 0,
    },
  ]
  for (const { name, tasks, ran, evaluated } of cases) {
    it(name, async () => {
      const seen: string[] = []
      const times: number[] = []
      const observer: RunObserver = {
        ran: (task, kind) => void seen.push(`${task} ${kind}`),
        evaluated: (milliseconds) => void times.push(milliseconds),
      }
      await runTasks(tasks, { spec: { size: 1 }, observer })
      expect(seen).to.deep.equal(ran)
      expect(times).to.deep.equal(new Array(evaluated).fill(0))
    })
  }
})
