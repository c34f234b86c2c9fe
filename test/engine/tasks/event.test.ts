import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { compileTasks, runTasks } from '../../support/task-run.ts'

const GIVEN = 'type: Normal, reason: Grown'

interface Case {
  readonly name: string
  readonly text: string
  readonly spec?: JsonObject
  readonly events: readonly string[]
  readonly end: string
}

const CASES: readonly Case[] = [
  {
    name: 'is recorded',
    text: `- event: {${GIVEN}, message: "there are \${spec.size} now"}`,
    spec: { size: 3 },
    events: ['Normal Grown there are 3 now'],
    end: 'complete',
  },
  {
    name: 'may be computed as a whole',
    text: '- event: {type: "${spec.type}", reason: "${spec.reason}", message: "${spec.size}"}',
    spec: { type: 'Warning', reason: 'Shrunk', size: 3 },
    events: ['Warning Shrunk 3'],
    end: 'complete',
  },
  {
    name: 'goes with when and loop',
    text: `- loop: [1, 2, 3]\n  when: \${$item != 2}\n  event: {${GIVEN}, message: "\${$item}"}`,
    events: ['Normal Grown 1', 'Normal Grown 3'],
    end: 'complete',
  },
  {
    name: 'is recorded in a block, and in its rescue',
    text: `- block:\n    tasks: [{event: {${GIVEN}, message: a}}, {fail: {message: ex}}]\n    rescue: [{event: {type: Warning, reason: Broken, message: "\${$failure.message}"}}]`,
    events: ['Normal Grown a', 'Warning Broken ex'],
    end: 'failed Failed ex',
  },
  {
    name: 'is not recorded behind a task that waits',
    text: `- wait: {for: "\${false}", message: not yet}\n- event: {${GIVEN}, message: a}`,
    events: [],
    end: 'waiting not yet',
  },
  {
    name: 'is recorded before a task that waits',
    text: `- event: {${GIVEN}, message: a}\n- wait: {for: "\${false}", message: not yet}`,
    events: ['Normal Grown a'],
    end: 'waiting not yet',
  },
  {
    name: 'waits for what is missing from what was read',
    text: `- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n  register: made\n- event: {${GIVEN}, message: "\${$made.data.a}"}`,
    events: [],
    end: 'waiting message is missing: ${ $made.data.a } yields nothing',
  },
  {
    name: 'fails where nothing will ever be there',
    text: `- event: {${GIVEN}, message: "\${spec.a}"}`,
    events: [],
    end: 'failed Failed message is missing: ${ spec.a } yields nothing',
  },
  {
    name: 'fails with a type that turns out to be none',
    text: '- event: {type: "${spec.a}", reason: Grown, message: x}',
    spec: { a: 'Error' },
    events: [],
    end: 'failed Invalid `type` is neither Normal nor Warning',
  },
  {
    name: 'fails with a reason that turns out to be none',
    text: '- event: {type: Normal, reason: "${spec.a}", message: x}',
    spec: { a: 'it has grown' },
    events: [],
    end: 'failed Invalid `reason` is not one word in CamelCase',
  },
  {
    name: 'fails with a reason that is not a text',
    text: '- event: {type: Normal, reason: "${spec.a}", message: x}',
    spec: { a: 1 },
    events: [],
    end: 'failed Invalid `reason` is not one word in CamelCase',
  },
  {
    name: 'fails with a message that turns out to be an object',
    text: `- event: {${GIVEN}, message: "\${spec}"}`,
    events: [],
    end: 'failed Invalid `message` is not text',
  },
]

describe('an event', () => {
  for (const { name, text, spec, events, end } of CASES) {
    it(name, async () => {
      const run = await runTasks(text, { ...(spec && { spec }) })
      expect(run.events).to.deep.equal(events)
      expect(run.end).to.equal(end)
    })
  }

  const refused: { name: string; text: string; expected: string; hint?: RegExp }[] = [
    {
      name: 'another type',
      text: '- event: {type: Error, reason: Grown, message: x}',
      expected: 'RB1420 2:17',
      hint: /`Warning`/,
    },
    {
      name: 'a reason of several words',
      text: '- event: {type: Normal, reason: it has grown, message: x}',
      expected: 'RB1421 2:33',
      hint: /`DatabaseMigrated`/,
    },
    {
      name: 'a reason that is too long',
      text: `- event: {type: Normal, reason: ${'A'.repeat(129)}, message: x}`,
      expected: 'RB1421 2:33',
    },
    { name: 'no message', text: `- event: {${GIVEN}}`, expected: 'RB1021 2:10' },
    {
      name: 'register',
      text: `- event: {${GIVEN}, message: x}\n  register: sent`,
      expected: 'RB1101 3:3',
    },
  ]
  for (const { name, text, expected, hint } of refused) {
    it(`is refused with ${name}`, () => {
      const [found, ...others] = compileTasks(text).diagnostics
      expect(`${found?.code} ${found?.line}:${found?.column}`).to.equal(expected)
      if (hint) expect(found?.hint).to.match(hint)
      expect(others).to.deep.equal([])
    })
  }

  it('needs the right to create events, and no other', () => {
    const { role } = compileTasks(`- event: {${GIVEN}, message: x}`)
    expect(role?.permissions).to.deep.equal([
      { gvk: { group: 'events.k8s.io', version: 'v1', kind: 'Event' }, access: 'create' },
    ])
  })
})
