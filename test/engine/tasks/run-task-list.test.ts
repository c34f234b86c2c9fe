import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { WriteResult } from '../../../src/engine/role/run/run-context.ts'
import { runTasks, type TaskRun, type TaskRunOptions } from '../../support/task-run.ts'

const map = (name: string, more = ''): string =>
  `ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${name}"}${more}}`
const get = (name: string): string => `get: {apiVersion: v1, kind: Secret, name: "${name}"}`
const listOf = (...tasks: readonly string[]): string => tasks.map((task) => `- ${task}\n`).join('')

/** Milliseconds that a write takes. */
const WRITE = 200

interface SlowRun extends TaskRun {
  readonly milliseconds: number
  /** How many writes went on at the same time, at most. */
  readonly most: number
}

/** Runs tasks whose writes take time on a clock of their own. Those of the names in `failing` fail. */
async function runSlowly(
  text: string,
  { failing = [], ...options }: TaskRunOptions & { readonly failing?: readonly string[] } = {},
): Promise<SlowRun> {
  const clock = new FakeClock()
  const begin = clock.monotonic()
  let [running, most] = [0, 0]
  const ensure = async (object: KubeObject): Promise<WriteResult> => {
    most = Math.max(most, ++running)
    await clock.sleep(WRITE)
    running--
    if (failing.includes(String(object.metadata.name))) throw new Error(`${object.metadata.name} is refused`)
    return { object, changed: true }
  }
  const run = runTasks(text, { ...options, clock, ports: { ensure } })
  let ended: TaskRun | undefined
  run.then(
    (result) => {
      ended = result
    },
    () => undefined,
  )
  let milliseconds = 0
  while (!ended && milliseconds < 20_000) {
    await clock.advance(WRITE)
    milliseconds = clock.monotonic() - begin
  }
  return { ...(await run), milliseconds, most }
}

function namesOf({ ensured }: TaskRun): readonly string[] {
  return ensured.map(({ object }) => String(object.metadata.name))
}

/** `Task waits` or `Task failed`, the main one first. */
function stopsOf({ outcome: { stoppedBy, others = [] } }: TaskRun): readonly string[] {
  const stops = stoppedBy ? [stoppedBy, ...others] : []
  return stops.map(({ task, outcome }) => `${task} ${outcome.kind === 'waiting' ? 'waits' : 'failed'}`)
}

describe('tasks that need nothing of one another', () => {
  const many = Array.from({ length: 22 }, (_, index) => map(`\${metadata.name}-${index}`))

  it('run at the same time: 22 objects at 200 ms a write take 600 ms', async () => {
    const run = await runSlowly(listOf(...many))
    expect(run.milliseconds).to.equal(600)
    expect(run.most).to.equal(8)
    expect(run.outcome.complete).to.equal(true)
  })

  it('begin, and are listed, in the order of the list', async () => {
    const run = await runSlowly(listOf(...many))
    expect(namesOf(run)).to.deep.equal(many.map((_, index) => `w-${index}`))
    expect(run.outcome.tasks.map(({ task }) => task)).to.deep.equal(
      many.map((_, index) => `ensure (task ${index + 1})`),
    )
  })

  it('run one after the other in a sequential role', async () => {
    const run = await runSlowly(listOf(...many), { head: 'order: sequential\n' })
    expect([run.milliseconds, run.most]).to.deep.equal([22 * WRITE, 1])
  })

  it('run one after the other in a sequential block', async () => {
    const text = `- block:\n    order: sequential\n    tasks:\n      - ${map('a')}\n      - ${map('b')}\n      - loop: [c, d]\n        ${map('${$item}')}\n`
    expect((await runSlowly(text)).milliseconds).to.equal(4 * WRITE)
  })

  it('share the bound with those of blocks and loops', async () => {
    const block = `block:\n    tasks:\n      - loop: "\${[1..5]}"\n        ${map('a-${$item}')}\n      - loop: "\${[1..5]}"\n        ${map('b-${$item}')}`
    const run = await runSlowly(listOf(block, ...['c', 'd', 'e', 'f', 'g', 'h'].map((name) => map(name))))
    expect([run.milliseconds, run.most]).to.deep.equal([2 * WRITE, 8])
  })

  it('run again and again in the same order, and come to the same', async () => {
    const text = listOf(
      `register: x\n  ${map('a')}`,
      map('b', ', data: {a: "${$x.kind}"}'),
      `loop: [c, d]\n  ${map('e-${$item}')}`,
    )
    const runs = [await runSlowly(text), await runSlowly(text)]
    const [first, second] = runs.map((run) => ({ names: namesOf(run), tasks: run.outcome.tasks }))
    expect(first).to.deep.equal(second)
    expect(first?.names).to.deep.equal(['a', 'e-c', 'e-d', 'b'])
  })
})

describe('items of a loop', () => {
  it('run at the same time, and are registered in their order', async () => {
    const text = listOf(
      `loop: "\${[1..20]}"\n  register: all\n  ${map('a-${$item}')}`,
      'status: {names: "${$all.metadata.name}"}',
    )
    const run = await runSlowly(text)
    expect(run.milliseconds).to.equal(3 * WRITE)
    expect(run.status.names).to.deep.equal(Array.from({ length: 20 }, (_, index) => `a-${index + 1}`))
  })

  it('do not begin after one that fails; those that have begun end', async () => {
    const run = await runSlowly(`- loop: "\${[1..20]}"\n  ${map('a-${$item}')}\n`, { failing: ['a-3'] })
    expect(run.ensured.length).to.be.within(8, 10)
    expect(run.end).to.contain('a-3 is refused')
  })

  it('set the status in their order', async () => {
    const text = '- loop: [a, b]\n  status: {conditions: [{type: "${$item}", status: "True"}]}\n'
    const types = ((await runSlowly(text)).status.conditions as { type: string }[]).map(({ type }) => type)
    expect(types).to.deep.equal(['a', 'b'])
  })
})

describe('a task that waits or fails', () => {
  interface Case {
    readonly name: string
    readonly tasks: readonly string[]
    readonly failing?: readonly string[]
    readonly made: readonly string[]
    readonly stops: readonly string[]
  }
  const cases: readonly Case[] = [
    {
      name: 'holds up what reads it, and what reads that, and nothing else',
      tasks: [
        `name: Wait\n  register: x\n  ${get('missing')}`,
        `register: y1\n  ${map('a', ', data: {a: "${$x.data.a}"}')}`,
        map('b', ', data: {a: "${$y1.data.a}"}'),
        map('c'),
      ],
      made: ['c'],
      stops: ['Wait waits'],
    },
    {
      name: 'is named with all others that do, a failure first',
      tasks: [
        `name: One\n  ${get('one')}`,
        `name: Two\n  ${map('two')}`,
        `name: Three\n  ${get('three')}`,
        map('four'),
      ],
      failing: ['two'],
      made: ['two', 'four'],
      stops: ['Two failed', 'One waits', 'Three waits'],
    },
    {
      name: 'within a block is named as well',
      tasks: [
        `name: Block\n  block:\n    tasks:\n      - name: Inner\n        ${get('one')}\n      - name: Other\n        ${get('two')}\n      - ${map('a')}`,
        map('b'),
      ],
      made: ['b', 'a'],
      stops: ['Inner waits', 'Other waits'],
    },
    {
      name: 'holds up what comes after it',
      tasks: [`name: One\n  ${map('a')}`, `after: [One]\n  ${map('b')}`],
      failing: ['a'],
      made: ['a'],
      stops: ['One failed'],
    },
    {
      name: 'does not hold up what only waits for its end',
      tasks: [
        `name: One\n  ${map('a')}`,
        `name: Two\n  after: [One]\n  ${map('b')}`,
        `after: [{task: Two, optional: true}]\n  ${map('c')}`,
      ],
      failing: ['a'],
      made: ['a', 'c'],
      stops: ['One failed'],
    },
    {
      name: 'holds up all that follows, if it is there for that',
      tasks: [map('a'), 'name: Guard\n  wait: {for: "${spec.on}", message: m}', map('b')],
      made: ['a'],
      stops: ['Guard waits'],
    },
    {
      name: 'holds up an event behind it',
      tasks: [`name: One\n  ${map('a')}`, 'event: {type: Normal, reason: Made, message: m}'],
      failing: ['a'],
      made: ['a'],
      stops: ['One failed'],
    },
    {
      name: 'holds up all that follows in a sequential role',
      tasks: [`name: One\n  ${get('one')}`, map('a')],
      made: [],
      stops: ['One waits'],
    },
  ]
  for (const { name, tasks, failing = [], made, stops } of cases) {
    it(name, async () => {
      const head = name.includes('sequential') ? 'order: sequential\n' : ''
      const run = await runSlowly(listOf(...tasks), { failing, head })
      expect(namesOf(run)).to.deep.equal(made)
      expect(stopsOf(run)).to.deep.equal(stops)
      expect(run.outcome.complete).to.equal(false)
      expect(run.events).to.deep.equal([])
    })
  }

  it('lets the status be set that does not depend on it', async () => {
    const text = listOf(
      `register: x\n  ${get('one').replace('Secret', 'ConfigMap')}`,
      'status: {a: 1}',
      'status: {b: "${$x.data.b}"}',
      'status: {c: 3}',
    )
    expect((await runSlowly(text)).status).to.deep.equal({ a: 1, c: 3 })
  })

  it('begins a rescue once all others of the block have ended', async () => {
    const text = `- block:\n    tasks:\n      - ${map('a')}\n      - fail: {message: m}\n    rescue:\n      - ${map('b')}\n`
    const run = await runSlowly(text)
    expect([namesOf(run), run.milliseconds]).to.deep.equal([['a', 'b'], 2 * WRITE])
  })
})

describe('a run that is stopped', () => {
  it('rejects when the last task that was under way has ended, and begins none', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const log: string[] = []
    const ensure = async (object: KubeObject): Promise<WriteResult> => {
      log.push(`${object.metadata.name} begins`)
      await clock.sleep(object.metadata.name === 'a' ? 100 : 300)
      log.push(`${object.metadata.name} ends`)
      return { object, changed: true }
    }
    const text = listOf(`register: x\n  ${map('a')}`, map('b'), map('c', ', data: {a: "${$x.kind}"}'))
    const run = runTasks(text, { clock, signal: controller.signal, ports: { ensure } })
    const rejected = run.catch((error: unknown) => log.push(String(error)))
    await clock.advance(50)
    controller.abort('stopped')
    await clock.advance(1_000)
    await rejected
    expect(log).to.deep.equal(['a begins', 'b begins', 'a ends', 'b ends', 'stopped'])
  })
})
