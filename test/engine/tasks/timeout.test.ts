import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { WaitTimes } from '../../../src/engine/reconcile/run/reconcile-context.ts'
import { compileTasks, runTasks } from '../../support/task-run.ts'

const MAP = '{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}'
const map = (name: string): string => MAP.replace('name: x', `name: ${name}`)
const NEVER = 'readyWhen: "${spec.ready}", waitReady: true'
const UNREADY = 'ConfigMap x is not ready: `readyWhen` is false'

interface Case {
  readonly name: string
  readonly text: string
  readonly runs: readonly { readonly after: number; readonly spec?: JsonObject; readonly end: string }[]
  /** Names of what the last run made. */
  readonly made?: readonly string[]
  readonly task?: string
}

const CASES: readonly Case[] = [
  {
    name: 'fails an ensure that is not ready in time, until it is',
    text: `- {ensure: ${MAP}, ${NEVER}, timeout: 1m}\n- ensure: ${map('later')}`,
    runs: [
      { after: 0, end: `waiting ${UNREADY}` },
      { after: 59_999, end: `waiting ${UNREADY}` },
      { after: 1, end: `failed Failed waited too long: ${UNREADY}` },
      { after: 60_000, end: `failed Failed waited too long: ${UNREADY}` },
      { after: 0, spec: { ready: true }, end: 'complete' },
      { after: 60_000, end: `waiting ${UNREADY}` },
    ],
  },
  {
    name: 'counts a wait for a value of what was read',
    text: `- {get: {apiVersion: v1, kind: Pod, name: p, optional: true}, register: pod}
- {ensure: ${map('"${$pod.metadata.name}"')}, waitReady: true, timeout: 1m}`,
    runs: [
      { after: 0, end: 'waiting metadata.name is missing: ${ $pod.metadata.name } yields nothing' },
      {
        after: 60_000,
        end: 'failed Failed waited too long: metadata.name is missing: ${ $pod.metadata.name } yields nothing',
      },
    ],
  },
  {
    name: 'takes an expression, and none that yields nothing',
    text: `- {ensure: ${MAP}, ${NEVER}, timeout: "\${spec.patience}"}`,
    runs: [
      { after: 0, end: `waiting ${UNREADY}` },
      { after: 60_000, end: `waiting ${UNREADY}` },
      { after: 60_000, spec: { patience: '90s' }, end: `waiting ${UNREADY}` },
      { after: 90_000, spec: { patience: '90s' }, end: `failed Failed waited too long: ${UNREADY}` },
      { after: 0, spec: { patience: 'soon' }, end: 'failed Invalid `timeout` is not a duration such as 5m' },
      { after: 0, spec: { patience: 5 }, end: 'failed Invalid `timeout` is not a duration such as 5m' },
    ],
  },
  {
    name: 'is seen by the rescue of a block, with its reason',
    text: `- block:
    tasks:
      - {name: Slow, wait: {for: "\${spec.ready}", message: not yet, timeout: 1m}}
    rescue:
      - {wait: {for: "\${$failure.reason = 'Failed'}", message: never}}
      - ensure: ${map('"${$lowercase($failure.task)}"')}
- ensure: ${map('after')}`,
    runs: [
      { after: 0, end: 'waiting not yet' },
      { after: 60_000, end: 'failed Failed waited too long: not yet' },
    ],
    made: ['slow', 'after'],
    task: 'Slow',
  },
  {
    name: 'is each item’s own, and that of tasks within',
    text: `- name: Items
  loop: [1, 2]
  loopVar: num
  block:
    tasks:
      - {wait: {for: "\${$num = spec.ready}", message: "item \${$num}", timeout: "\${$num & 'm'}"}}`,
    runs: [
      { after: 0, end: 'waiting item 1' },
      { after: 0, spec: { ready: 1 }, end: 'waiting item 2' },
      { after: 60_000, spec: { ready: 1 }, end: 'waiting item 2' },
      { after: 0, end: 'waiting item 1' },
      { after: 59_000, spec: { ready: 2 }, end: 'waiting item 1' },
      { after: 1_000, end: 'failed Failed waited too long: item 1' },
    ],
    task: 'wait (task 1 of Items) [0]',
  },
  {
    name: 'does not begin anew because another task has waited',
    text: `- {wait: {for: "\${spec.a}", message: a, timeout: 1m}}\n- {wait: {for: "\${spec.b}", message: b, timeout: 1m}}`,
    runs: [
      { after: 0, spec: { a: true }, end: 'waiting b' },
      { after: 30_000, end: 'waiting a' },
      { after: 30_000, spec: { a: true }, end: 'failed Failed waited too long: b' },
    ],
  },
  {
    name: 'is not that of a task that is left out meanwhile',
    text: `- {when: "\${spec.on}", wait: {for: "\${false}", message: a, timeout: 1m}}`,
    runs: [
      { after: 0, spec: { on: true }, end: 'waiting a' },
      { after: 30_000, end: 'complete' },
      { after: 30_000, spec: { on: true }, end: 'waiting a' },
    ],
  },
]

describe('timeout', () => {
  for (const { name, text, runs, made, task } of CASES) {
    it(name, async () => {
      const clock = new FakeClock()
      const times = new WaitTimes()
      const ends: string[] = []
      for (const [index, { after, spec = {} }] of runs.entries()) {
        clock.pass(after)
        const run = await runTasks(text, { spec, waits: times.forRun('', clock) })
        ends.push(run.end)
        if (index < runs.length - 1) continue
        if (made) expect(run.ensured.map(({ object }) => object.metadata.name)).to.deep.equal(made)
        if (task) expect(run.outcome.stoppedBy?.task).to.equal(task)
      }
      expect(ends).to.deep.equal(runs.map(({ end }) => end))
    })
  }

  const refused = [
    {
      name: 'no duration',
      text: `- {ensure: ${MAP}, waitReady: true, timeout: soon}`,
      code: 'RB1109 2:94',
      hint: '5m',
    },
    {
      name: 'nothing that waits',
      text: `- {ensure: ${MAP}, timeout: 5m}`,
      code: 'RB1108 2:68',
      hint: 'waitReady: true',
    },
    { name: 'a kind that never waits', text: '- {set: {a: 1}, timeout: 5m}', code: 'RB1101 2:17', hint: '`set` takes' },
    {
      name: 'an unknown variable',
      text: `- {ensure: ${MAP}, waitReady: true, timeout: "\${$nobody}"}`,
      code: 'RB1204 2:97',
      hint: undefined,
    },
  ]
  for (const { name, text, code, hint } of refused) {
    it(`is refused with ${name}`, () => {
      const { diagnostics } = compileTasks(text)
      expect(diagnostics.map((one) => `${one.code} ${one.line}:${one.column}`)).to.deep.equal([code])
      if (hint !== undefined) expect(diagnostics[0]?.hint).to.include(hint)
    })
  }
})
