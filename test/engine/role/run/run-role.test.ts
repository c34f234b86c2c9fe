import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { LongTurnNeeded } from '../../../../src/engine/role/run/long-turn-needed.ts'
import type { SpannedTask } from '../../../../src/engine/role/run/run-spans.ts'
import type { RunOutcome, TaskOutcome } from '../../../../src/engine/role/task-outcome.ts'
import { compileText, runText, said } from '../../../support/small-task-kinds.ts'

/** What the `say` tasks of a role said. */
async function sayings(text: string, spec: JsonObject = {}): Promise<unknown[]> {
  const outcome = await runText(text, spec)
  expect(describe_(outcome)).to.equal('complete')
  return said.map(({ value }) => value)
}

/** `complete`, or the task that stopped the run and how. */
function describe_({ complete, stoppedBy }: RunOutcome): string {
  if (!stoppedBy) return complete ? 'complete' : 'incomplete'
  const { task, outcome } = stoppedBy
  return outcome.kind === 'waiting'
    ? `${task} waits`
    : `${task} failed ${outcome.reason}${outcome.retriable ? ' retriable' : ''}`
}

function messageOf({ stoppedBy }: RunOutcome): string {
  if (!stoppedBy) return ''
  return stoppedBy.outcome.kind === 'waiting' ? stoppedBy.outcome.reason : stoppedBy.outcome.error.message
}

describe('runRole', () => {
  const cases: { name: string; text: string; spec?: JsonObject; expected: unknown[] }[] = [
    { name: 'tasks from top to bottom', text: 'tasks:\n  - say: 1\n  - say: 2', expected: [1, 2] },
    {
      name: 'variables in their order',
      text: 'vars:\n  a: 1\n  b: ${$a + 1}\ntasks:\n  - say: ${[$a, $b]}',
      expected: [[1, 2]],
    },
    {
      name: 'variables of the resource',
      text: 'vars: {id: "${metadata.name}"}\ntasks:\n  - say: ${$id}',
      expected: ['web'],
    },
    {
      name: '$watch',
      text: 'tasks:\n  - say: ${$watch}',
      expected: [{ group: 'example.com', version: 'v1', kind: 'Web' }],
    },
    {
      name: 'what a task registered',
      text: 'tasks:\n  - say: {a: 1}\n    register: x\n  - say: ${$x.a}',
      expected: [{ a: 1 }, 1],
    },
    {
      name: 'a condition that is false',
      text: 'tasks:\n  - say: 1\n    when: ${spec.on}\n  - say: 2',
      spec: { on: false },
      expected: [2],
    },
    { name: 'a condition about nothing', text: 'tasks:\n  - say: 1\n    when: ${spec.on}\n  - say: 2', expected: [2] },
    {
      name: 'a condition that is true',
      text: 'tasks:\n  - say: 1\n    when: ${spec.on}',
      spec: { on: true },
      expected: [1],
    },
    {
      name: 'a literal condition',
      text: 'tasks:\n  - say: 1\n    when: false\n  - say: 2\n    when: true',
      expected: [2],
    },
    {
      name: 'a loop over a list',
      text: 'tasks:\n  - say: ${$item & $index}\n    loop: ${spec.list}',
      spec: { list: ['a', 'b'] },
      expected: ['a0', 'b1'],
    },
    {
      name: 'a loop over a literal list',
      text: 'tasks:\n  - say: ${$one.k}\n    loop: [{k: 1}, {k: "${spec.two}"}]\n    loopVar: one',
      spec: { two: 2 },
      expected: [1, 2],
    },
    {
      name: 'a loop over one value',
      text: 'tasks:\n  - say: ${$item}\n    loop: ${spec.one}',
      spec: { one: 'x' },
      expected: ['x'],
    },
    {
      name: 'a loop over nothing',
      text: 'tasks:\n  - say: ${$item}\n    loop: ${spec.none}\n  - say: end',
      expected: ['end'],
    },
    {
      name: 'a condition for each item',
      text: 'tasks:\n  - say: ${$item}\n    loop: [1, 2, 3]\n    when: ${$item != 2}',
      expected: [1, 3],
    },
    {
      name: 'what a loop registered: a list',
      text: 'tasks:\n  - say: ${$item}\n    loop: [1]\n    register: all\n  - say: {all: "${$all}"}',
      expected: [1, { all: [1] }],
    },
    {
      name: 'what an empty loop registered: an empty list',
      text: 'tasks:\n  - say: 1\n    loop: []\n    register: all\n  - say: ${$count($all)}',
      expected: [0],
    },
    {
      name: 'items that were skipped are not in the list',
      text: 'tasks:\n  - say: ${$item}\n    loop: [1, 2]\n    when: ${$item = 2}\n    register: all\n  - say: {all: "${$all}"}',
      expected: [2, { all: [2] }],
    },
    {
      name: 'a name for a missing value',
      text: 'tasks:\n  - let: {a: "${spec.none}"}\n  - say: "${$a ?? \'default\'}"',
      expected: ['default'],
    },
    {
      name: 'nulls of the resource as missing',
      text: 'tasks:\n  - say: "${spec.a ?? \'default\'}"',
      spec: { a: null },
      expected: ['default'],
    },
    {
      name: 'a number in quotes of YAML',
      text: 'tasks:\n  - say: "${spec.size}"\n  - say: "${$string(spec.size)}"',
      spec: { size: 3 },
      expected: [3, '3'],
    },
    {
      name: 'text of the resource as data',
      text: 'tasks:\n  - say: ${spec.text}',
      spec: { text: '${metadata.name} {{ x }}' },
      expected: ['${metadata.name} {{ x }}'],
    },
  ]
  for (const { name, text, spec, expected } of cases) {
    it(`sees to ${name}`, async () => expect(await sayings(text, spec)).to.deep.equal(expected))
  }

  const stops: { name: string; text: string; spec?: JsonObject; expected: string; message?: string }[] = [
    {
      name: 'at a task that waits',
      text: 'tasks:\n  - name: Wait\n    hold: {until: "${spec.on}"}\n  - say: 1',
      expected: 'Wait waits',
    },
    {
      name: 'at a condition that is no boolean',
      text: 'tasks:\n  - say: 1\n    when: ${spec.size}',
      spec: { size: 3 },
      expected: 'say (task 1) failed Failed',
      message: '$exists(…)',
    },
    {
      name: 'at a condition that is text',
      text: 'tasks:\n  - hold: {until: "${spec.on}"}',
      spec: { on: 'true' },
      expected: 'hold (task 1) failed Failed',
      message: 'text',
    },
    {
      name: 'at an expression that does not fit its data',
      text: 'tasks:\n  - say: ${spec.a + 1}',
      spec: { a: 'hunter2' },
      expected: 'say (task 1) failed Failed',
    },
    {
      name: 'at an expression that takes too long',
      text: 'tasks:\n  - say: "${($f := function($n){$f($n + 1)}; $f(0))}"',
      expected: 'say (task 1) failed ExpressionLimit',
    },
    {
      name: 'at a task whose expressions take too much together',
      text: `tasks:\n  - say: [${'"${$sum([1..40000])}", '.repeat(200)}]`,
      expected: 'say (task 1) failed ExpressionLimit',
      message: 'E1009',
    },
    {
      name: 'at a variable that cannot be evaluated',
      text: 'vars:\n  a: ${spec.a + 1}\ntasks:\n  - say: 1',
      spec: { a: 'x' },
      expected: 'vars.a failed Failed',
    },
    {
      name: 'at a variable that is missing in a text',
      text: 'vars:\n  a: x-${spec.a}\ntasks:\n  - say: 1',
      expected: 'vars.a failed Failed',
    },
    {
      name: 'at a needed value that is missing from the resource',
      text: 'tasks:\n  - say: {needed: "${spec.none}"}',
      expected: 'say (task 1) failed Failed',
      message: 'needed is missing: ${ spec.none } yields nothing',
    },
    {
      name: 'at a text around a missing value',
      text: 'tasks:\n  - say: a-${spec.none}',
      expected: 'say (task 1) failed Failed',
    },
    {
      name: 'waiting, at a needed value that is missing from what was registered',
      text: 'tasks:\n  - say: {a: 1}\n    register: x\n  - name: Second\n    say: {needed: "${$x.b}"}',
      expected: 'Second waits',
      message: 'needed is missing: ${ $x.b } yields nothing',
    },
    {
      name: 'waiting, at what was registered although nothing was there',
      text: 'tasks:\n  - say: ${spec.none}\n    register: x\n  - name: Second\n    say: {needed: "${$x.b}"}',
      expected: 'Second waits',
    },
    {
      name: 'at what a skipped task would have registered',
      text: 'tasks:\n  - say: {b: 1}\n    register: x\n    when: false\n  - name: Second\n    say: {needed: "${$x.b}"}',
      expected: 'Second failed Failed',
    },
    {
      name: 'at a loop that is too long',
      text: 'tasks:\n  - say: 1\n    loop: ${[1..1001]}',
      expected: 'say (task 1) failed Failed',
      message: '1001',
    },
    {
      name: 'at a loop that cannot be evaluated',
      text: 'tasks:\n  - say: 1\n    loop: ${[spec.a + 1]}',
      spec: { a: 'x' },
      expected: 'say (task 1) failed Failed',
    },
    {
      name: 'at the item that fails',
      text: 'tasks:\n  - say: ${$item + 1}\n    loop: [1, "x", 3]',
      expected: 'say (task 1) failed Failed',
    },
    {
      name: 'at a loop with an item that waits',
      text: 'tasks:\n  - hold: {until: "${$item = 2}"}\n    loop: [1, 2]\n  - say: 1',
      expected: 'hold (task 1) waits',
      message: '[0]',
    },
  ]
  for (const { name, text, spec, expected, message } of stops) {
    it(`stops ${name}`, async () => {
      const outcome = await runText(text, spec)
      expect(describe_(outcome)).to.equal(expected)
      expect(outcome.complete).to.equal(false)
      expect(messageOf(outcome)).to.contain(message ?? '')
      expect(messageOf(outcome), 'values are not in messages').not.to.contain('hunter2')
    })
  }

  it('tells of each item of a loop while it goes on, within its task', async () => {
    const seen: string[] = []
    const spans = {
      async task({ name, item }: SpannedTask, work: () => Promise<TaskOutcome>): Promise<TaskOutcome> {
        const at = item === undefined ? [name] : [name, item]
        seen.push([...at, 'begins'].join(' '))
        const outcome = await work()
        seen.push([...at, outcome.kind].join(' '))
        return outcome
      },
    }
    await runText('tasks:\n  - name: Greet\n    say: ${$item}\n    loop: [a, b]', {}, { spans })
    expect([seen[0], seen.at(-1)]).to.deep.equal(['Greet begins', 'Greet changed'])
    const items = ['Greet 0 begins', 'Greet 0 changed', 'Greet 1 begins', 'Greet 1 changed']
    expect(seen.slice(1, -1).sort()).to.deep.equal(items)
    expect(said.map(({ value }) => value)).to.have.members(['a', 'b'])
  })

  it('runs the other items when one waits, and none after one that fails', async () => {
    const waits = 'tasks:\n  - say: {needed: "${$x[a = $i].b}"}\n    loop: [1, 2, 3]\n    loopVar: i'
    await runText(`tasks:\n  - say: [{a: 1, b: 1}, {a: 3, b: 3}]\n    register: x\n${waits.slice('tasks:\n'.length)}`)
    expect(said.slice(1).map(({ task }) => task)).to.deep.equal(['"say (task 2) [0]"', '"say (task 2) [2]"'])
    const fails = 'tasks:\n  - say: ${$item + 1}\n    loop: [1, "x", 3, 4, 5, 6, 7, 8, 9, 10]\n'
    await runText(`order: sequential\n${fails}`)
    expect(said).to.have.length(1)
    await runText(fails)
    expect(said, 'those that have begun with it').to.have.length.below(9)
  })

  it('lists the tasks that were reached, loops folded into one', async () => {
    const text =
      'tasks:\n  - say: 1\n    loop: [1, 2]\n  - say: 2\n    when: false\n  - hold: {until: "${false}"}\n  - say: 3'
    const { tasks } = await runText(text)
    expect(tasks.map(({ kind }) => kind)).to.deep.equal(['changed', 'skipped', 'waiting'])
  })

  it('gives tasks 1,000 items', async () => {
    await runText('tasks:\n  - say: ${$item}\n    loop: ${[1..1000]}')
    expect(said).to.have.length(1_000)
  })

  it('keeps nothing from one run to the next', async () => {
    const { role } = compileText('tasks:\n  - let: {a: "${spec.a}"}\n  - say: "${$a ?? 0}"')
    expect(role).not.to.equal(undefined)
    expect(await sayings('tasks:\n  - let: {a: "${spec.a}"}\n  - say: "${$a ?? 0}"', { a: 1 })).to.deep.equal([1])
    expect(await sayings('tasks:\n  - let: {a: "${spec.a}"}\n  - say: "${$a ?? 0}"')).to.deep.equal([0])
  })

  it('drops nulls of what is registered', async () => {
    const text = 'tasks:\n  - say: {a: null, b: 1}\n    register: x\n  - say: ${$keys($x)}'
    expect((await sayings(text)).at(-1)).to.deep.equal('b')
  })

  const LONG = '$count([1..60000][$ > 1])'
  for (const { name, text } of [
    { name: 'a task', text: `tasks:\n  - say: \${${LONG}}` },
    { name: 'a variable', text: `vars: {a: "\${${LONG}}"}\ntasks:\n  - say: 1` },
    { name: 'a condition', text: `tasks:\n  - {when: "\${${LONG} = 1}", say: 1}` },
    { name: 'a loop', text: `tasks:\n  - {loop: "\${[${LONG}]}", say: 1}` },
    { name: 'many items of one', text: 'tasks:\n  - {loop: "${[1..900]}", say: "${$count([1..200])}"}' },
  ]) {
    it(`gives up ${name} that computes for long while it is short`, async () => {
      const error = await runText(text, {}, { isShort: true }).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(LongTurnNeeded)
      expect((await runText(text)).stoppedBy?.outcome.kind).not.to.equal('failed')
    })
  }

  it('rejects with the reason when it is stopped', async () => {
    const controller = new AbortController()
    const reason = new Error('leadership lost')
    const run = runText('tasks:\n  - say: 1\n  - say: 2', {}, { signal: controller.signal })
    controller.abort(reason)
    const error = await run.catch((thrown: unknown) => thrown)
    expect(error).to.equal(reason)
  })
})
