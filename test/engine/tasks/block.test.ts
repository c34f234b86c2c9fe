import { expect } from 'chai'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import { compileTasks, runTasks, type TaskRunOptions } from '../../support/task-run.ts'

/** A ConfigMap called `name`, in flow style. */
function map(name: string): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`
}

interface Case {
  readonly name: string
  readonly text: string
  readonly options?: TaskRunOptions
  readonly made: readonly string[]
  readonly end: string
  /** The task that kept the run from being complete. */
  readonly task?: string
}

const CASES: readonly Case[] = [
  {
    name: 'runs its tasks in their order, if the role is sequential',
    options: { head: 'order: sequential\n' },
    text: `- block:\n    tasks:\n      - ensure: ${map('a')}\n      - ensure: ${map('b')}\n- ensure: ${map('c')}`,
    made: ['a', 'b', 'c'],
    end: 'complete',
  },
  {
    name: 'that changes nothing is complete as well',
    text: `- block:\n    tasks: [{set: {one: 1}}]\n- ensure: ${map('a')}`,
    made: ['a'],
    end: 'complete',
  },
  {
    name: 'is left out as a whole',
    text: `- when: false\n  block:\n    tasks:\n      - ensure: ${map('a')}\n- ensure: ${map('b')}`,
    made: ['b'],
    end: 'complete',
  },
  {
    name: 'that waits stops the run, and names the task within it',
    text: `- name: Outer\n  block:\n    tasks:\n      - name: Inner\n        wait: {for: "\${false}", message: not yet}\n      - ensure: ${map('a')}\n- ensure: ${map('b')}`,
    made: [],
    end: 'waiting not yet',
    task: 'Inner',
  },
  {
    name: 'that fails without rescue stops the run',
    text: `- block:\n    tasks:\n      - name: Broken\n        fail: {message: broken}\n- ensure: ${map('a')}`,
    made: [],
    end: 'failed Failed broken',
    task: 'Broken',
  },
  {
    name: 'is rescued, and what comes after it runs; the run is not complete',
    text: `- block:\n    tasks:\n      - name: Broken\n        fail: {message: broken}\n    rescue:\n      - ensure: ${map('"${$lowercase($failure.task & "-" & $failure.reason & "-" & $failure.message)}"'.replaceAll('"-"', "'-'"))}\n- ensure: ${map('a')}`,
    made: ['broken-failed-broken', 'a'],
    end: 'failed Failed broken',
    task: 'Broken',
  },
  {
    name: 'in a loop is rescued for one item of it',
    text: `- loop: [1, 2]\n  loopVar: part\n  block:\n    tasks:\n      - when: "\${$part = 2}"\n        name: Broken\n        fail: {message: broken}\n    rescue:\n      - ensure: ${map('"r-${$part}"')}\n- ensure: ${map('a')}`,
    made: ['r-2', 'a'],
    end: 'failed Failed broken',
    task: 'Broken',
  },
  {
    name: 'that fails for now is tried again, not rescued',
    text: `- block:\n    tasks:\n      - ensure: ${map('a')}\n    rescue:\n      - ensure: ${map('b')}`,
    options: {
      ports: {
        ensure: () => Promise.reject(new ApiError(503, 'ServiceUnavailable', 'busy')),
      },
    },
    made: ['a'],
    end: 'failed Failed busy',
    task: 'ensure (task 1 of block (task 1))',
  },
  {
    name: 'whose rescue fails stops the run with that',
    text: `- block:\n    tasks: [{fail: {message: first}}]\n    rescue: [{name: Help, fail: {message: second}}]\n- ensure: ${map('a')}`,
    made: [],
    end: 'failed Failed second',
    task: 'Help',
  },
  {
    name: 'within a block passes a rescued failure on',
    text: `- block:\n    tasks:\n      - block:\n          tasks: [{fail: {message: deep}}]\n          rescue: [{ensure: ${map('a')}}]\n- ensure: ${map('b')}`,
    made: ['a', 'b'],
    end: 'failed Failed deep',
  },
  {
    name: 'loops, with names of its own for each item',
    text: `- loop: [ex, wy]\n  block:\n    tasks:\n      - set: {full: "\${$item & '-' & $index}"}\n      - ensure: ${map('${$full}').replace('${$full}', '"${$full}"')}`,
    made: ['ex-0', 'wy-1'],
    end: 'complete',
  },
  {
    name: 'loops within a loop',
    text: `- loop: [ex, wy]\n  block:\n    tasks:\n      - loop: [1, 2]\n        loopVar: num\n        ensure: ${map('"${$item & $num}"')}`,
    made: ['ex1', 'ex2', 'wy1', 'wy2'],
    end: 'complete',
  },
  {
    name: 'in a loop goes on with other items when one waits, and says which',
    text: `- loop: [ex, wy]\n  block:\n    tasks:\n      - name: Hold\n        wait: {for: "\${$item = 'wy'}", message: "\${$item}"}\n      - ensure: ${map('"${$item}"')}`,
    made: ['wy'],
    end: 'waiting ex',
    task: 'Hold [0]',
  },
  {
    name: 'shows what it registered to later tasks',
    text: `- block:\n    tasks:\n      - ensure: ${map('a')}\n        register: made\n- ensure: ${map('"${$made.metadata.name & $made.metadata.name}"')}`,
    made: ['a', 'aa'],
    end: 'complete',
  },
  {
    name: 'makes what is missing from its reads a wait, outside too',
    text: `- block:\n    tasks:\n      - ensure: ${map('a')}\n        register: made\n- ensure: ${map('"${$made.status.name}"')}`,
    made: ['a'],
    end: 'waiting metadata.name is missing: ${ $made.status.name } yields nothing',
  },
]

describe('a block', () => {
  for (const { name, text, options, made, end, task } of CASES) {
    it(name, async () => {
      const run = await runTasks(text, options)
      expect(run.ensured.map(({ object }) => object.metadata.name)).to.deep.equal(made)
      expect(run.end).to.equal(end)
      if (task !== undefined) expect(run.outcome.stoppedBy?.task).to.equal(task)
      expect(run.outcome.complete).to.equal(end === 'complete')
    })
  }

  const refused: readonly { readonly name: string; readonly text: string; readonly expected: readonly string[] }[] = [
    { name: 'no tasks', text: '- block: {}', expected: ['RB1021:2'] },
    { name: 'an empty list', text: '- block: {tasks: []}', expected: ['RB1023:2'] },
    {
      name: 'a mistake in a task within it, and others beside it',
      text: '- block:\n    tasks:\n      - fail: {mesage: x}\n      - fail: {message: "${$lenght(spec.a)}"}',
      expected: ['RB1020:4', 'RB1021:4', 'RB1203:5'],
    },
    {
      name: 'a modifier without meaning in a task within it',
      text: '- block:\n    tasks:\n      - fail: {message: ex}\n        register: made',
      expected: ['RB1101:5'],
    },
    {
      name: 'a name given in a loop, used after it',
      text: '- loop: [1]\n  block:\n    tasks:\n      - set: {a: 1}\n- fail: {message: "${$a}"}',
      expected: ['RB1204:6'],
    },
    {
      name: 'a name of the rescue, used after it',
      text: '- block:\n    tasks: [{set: {b: 1}}]\n    rescue: [{set: {a: 1}}]\n- fail: {message: "${$a}${$b}"}',
      expected: ['RB1204:5'],
    },
    {
      name: '$failure outside of a rescue',
      text: '- block:\n    tasks: [{fail: {message: "${$failure.message}"}}]',
      expected: ['RB1204:3'],
    },
    {
      name: 'loops that call their items alike',
      text: '- loop: [1]\n  block:\n    tasks:\n      - loop: [2]\n        fail: {message: x}',
      expected: ['RB1107:5'],
    },
    {
      name: 'a name that its loop gives to the items',
      text: '- loop: [1]\n  loopVar: a\n  block:\n    tasks: [{set: {a: 2}}]',
      expected: ['RB1103:5'],
    },
    {
      name: 'an object under the name of the items of a loop further out',
      text: `- loop: [1]\n  loopVar: a\n  block:\n    tasks: [{block: {tasks: [{ensure: ${map('m')}, register: a}]}}]`,
      expected: ['RB1103:5'],
    },
    {
      name: 'a name that is taken outside',
      text: '- set: {a: 1}\n- block:\n    tasks: [{set: {a: 2}}]',
      expected: ['RB1103:4'],
    },
  ]
  for (const { name, text, expected } of refused) {
    it(`is refused with ${name}`, () => {
      const found = compileTasks(text).diagnostics.map(({ code, line }) => `${code}:${line}`)
      expect(found.sort()).to.deep.equal(expected)
    })
  }

  it('needs the rights of all its tasks', () => {
    const { role } = compileTasks(
      `- block:\n    tasks: [{ensure: ${map('a')}}]\n    rescue: [{get: {apiVersion: v1, kind: Secret, name: s}}]`,
    )
    expect(role?.permissions.map(({ gvk, access }) => `${access} ${gvk.kind}`)).to.deep.equal([
      'own ConfigMap',
      'read Secret',
    ])
  })
})
