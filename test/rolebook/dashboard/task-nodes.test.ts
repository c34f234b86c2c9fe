import { expect } from 'chai'
import type { RunTrace, TracedTask } from '../../../src/engine/reconcile/trace/run-trace.ts'
import type { Role } from '../../../src/engine/role/role.ts'
import { tasksOf } from '../../../src/rolebook/dashboard/task-nodes.ts'

const task = (name: string) => ({ name, kind: { name: 'ensure' }, lists: [] })
const ROLE = { name: 'shop', tasks: [task('Pods'), task('Service')], finalize: [task('Pods')] } as unknown as Role
const made = (name: string) => [{ object: `ConfigMap default/${name}`, did: 'created' as const }]

function run(tasks: readonly TracedTask[], list?: 'finalize'): RunTrace {
  const common = {
    at: '',
    milliseconds: 1,
    uid: 'u',
    role: 'shop',
    woken: [],
    requests: {},
    outcome: 'failed',
  } as const
  return { ...common, tasks, ...(list && { list }) }
}

describe('the tasks of a role, as the last run left them', () => {
  const cases = [
    { name: 'are idle before a run', runs: [], states: 'idle idle idle' },
    {
      name: 'come to the worst of their items',
      runs: [
        run([
          { name: 'Pods', outcome: 'failed' },
          { name: 'one', item: 0, outcome: 'changed' },
          { name: 'two', item: 1, outcome: 'failed', why: ['Failed: no'] },
        ]),
      ],
      states: 'failed idle idle',
    },
    {
      name: 'are those of the list that ran',
      runs: [run([{ name: 'Pods', outcome: 'waiting' }], 'finalize')],
      states: 'idle idle waiting',
    },
  ] as const
  for (const { name, runs, states } of cases) {
    it(name, () =>
      expect(
        tasksOf(ROLE, runs)
          .tasks.map(({ state }) => state)
          .join(' '),
      ).to.equal(states),
    )
  }

  it('keep the objects of the last run that named some', () => {
    const runs = [
      run([{ name: 'Pods', outcome: 'failed', why: ['Failed: no'] }]),
      run([{ name: 'Pods', outcome: 'changed', objects: made('new') }]),
      run([{ name: 'Pods', outcome: 'changed', objects: made('old') }]),
    ]
    const [pods] = tasksOf(ROLE, runs).tasks
    expect(pods).to.deep.include({ state: 'failed', why: ['Failed: no'], objects: ['ConfigMap default/new'] })
  })

  it('take as long as the slowest of their items', () => {
    const tasks = [
      { name: 'Pods', outcome: 'changed' },
      { name: 'one', item: 0, outcome: 'changed', milliseconds: 3 },
      { name: 'two', item: 1, outcome: 'changed', milliseconds: 7 },
      { name: 'Service', outcome: 'unchanged' },
    ] as const
    const [pods, service] = tasksOf(ROLE, [run(tasks)]).tasks
    expect(pods).to.have.property('milliseconds', 7)
    expect(service, 'a task without a time').not.to.have.property('milliseconds')
  })

  it('stand within the block that holds them', () => {
    const block = { ...task('All'), lists: [{ field: 'block', tasks: [task('Pods')] }] }
    const role = { name: 'shop', tasks: [block] } as unknown as Role
    const tasks = tasksOf(role, [run([{ name: 'Pods', outcome: 'changed' }])]).tasks
    expect(tasks.map(({ id, within, state }) => [id, within, state])).to.deep.equal([
      ['t0', undefined, 'idle'],
      ['t0_0', 't0', 'changed'],
    ])
  })
})
