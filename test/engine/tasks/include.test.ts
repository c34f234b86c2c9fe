import { expect } from 'chai'
import { printDiagnostics } from '../../../src/core/yaml/print-diagnostics.ts'
import { compileTasks, runTasks, type TaskRunOptions } from '../../support/task-run.ts'

/** A ConfigMap called `name`, in flow style. */
function map(name: string): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`
}

/** Files `f0.yaml` and so on. Each includes the next one `times` times. */
function chainOf(length: number, times: number): Readonly<Record<string, string>> {
  const files = Array.from({ length }, (_, index): [string, string] => {
    const task = index === length - 1 ? 'fail: {message: x}' : `include: {tasks: f${index + 1}.yaml}`
    return [`f${index}.yaml`, `- ${task}\n`.repeat(times)]
  })
  return Object.fromEntries(files)
}

interface Case {
  readonly name: string
  readonly text: string
  readonly options: TaskRunOptions
  readonly made: readonly string[]
  readonly end: string
  /** The task that kept the run from being complete. */
  readonly task?: string
}

const ONE = { 'a.yaml': `- name: Map\n  ensure: ${map('"${$name}"')}\n` }

const CASES: readonly Case[] = [
  {
    name: 'runs the tasks of a file in their order, if the role is sequential',
    text: `- include: {tasks: a.yaml}\n- ensure: ${map('c')}`,
    options: {
      head: 'order: sequential\n',
      files: { 'a.yaml': `- ensure: ${map('a')}\n- ensure: ${map('b')}\n` },
    },
    made: ['a', 'b', 'c'],
    end: 'complete',
  },
  {
    name: 'shows them the resource, its kind, the variables of the role and its own',
    text: '- include: {tasks: a.yaml, vars: {part: "${spec.part}"}}',
    options: {
      head: 'vars: {tier: front}\n',
      spec: { part: 'x' },
      files: { 'a.yaml': `- ensure: ${map('"${$lowercase($watch.kind)}-${metadata.name}-${$tier}-${$part}"')}\n` },
    },
    made: ['widget-w-front-x'],
    end: 'complete',
  },
  {
    name: 'runs the same file with other variables',
    text: '- include: {tasks: a.yaml, vars: {name: a}}\n- include: {tasks: a.yaml, vars: {name: b}}',
    options: { files: ONE },
    made: ['a', 'b'],
    end: 'complete',
  },
  {
    name: 'hands on what was registered, set, and the item of a loop',
    text: `- ensure: ${map('a')}\n  register: made\n- set: {end: z}\n- loop: [x, y2]\n  include: {tasks: a.yaml, vars: {name: "\${$made.metadata.name}-\${$item}-\${$index}-\${$end}"}}`.replace(
      'y2',
      'w',
    ),
    options: { files: ONE },
    made: ['a', 'a-x-0-z', 'a-w-1-z'],
    end: 'complete',
  },
  {
    name: 'is left out as a whole',
    text: `- when: false\n  include: {tasks: a.yaml, vars: {name: a}}\n- ensure: ${map('b')}`,
    options: { files: ONE },
    made: ['b'],
    end: 'complete',
  },
  {
    name: 'that waits stops the run, and names the task within it',
    text: `- name: Parts\n  include: {tasks: a.yaml}\n- ensure: ${map('b')}`,
    options: { files: { 'a.yaml': '- name: Hold\n  wait: {for: "${false}", message: not yet}\n' } },
    made: [],
    end: 'waiting not yet',
    task: 'Hold of Parts',
  },
  {
    name: 'names a task that has no name, in a block too, and the item that failed',
    text: '- loop: [ex]\n  include: {tasks: a.yaml}',
    options: { files: { 'a.yaml': '- block:\n    tasks: [{fail: {message: x}}]\n' } },
    made: [],
    end: 'failed Failed x',
    task: 'fail (task 1 of block (task 1 of include (task 1))) [0]',
  },
  {
    name: 'within an include names them all',
    text: '- name: Outer\n  include: {tasks: a.yaml}',
    options: {
      files: {
        'a.yaml': '- name: Middle\n  include: {tasks: sub/b.yaml}\n',
        'sub/b.yaml': '- block:\n    tasks: [{name: Inner, fail: {message: x}}]\n',
      },
    },
    made: [],
    end: 'failed Failed x',
    task: 'Inner of Middle of Outer',
  },
  {
    name: 'that fails is rescued by the block around it',
    text: `- block:\n    tasks: [{include: {tasks: a.yaml}}]\n    rescue: [{include: {tasks: b.yaml, vars: {why: "\${$failure.message}"}}}]\n- ensure: ${map('c')}`,
    options: {
      files: { 'a.yaml': '- fail: {message: broken}\n', 'b.yaml': `- ensure: ${map('"${$why}"')}\n` },
    },
    made: ['broken', 'c'],
    end: 'failed Failed broken',
  },
  {
    name: 'with a rescue in it passes the rescued failure on',
    text: `- include: {tasks: a.yaml}\n- ensure: ${map('c')}`,
    options: {
      files: { 'a.yaml': `- block:\n    tasks: [{fail: {message: deep}}]\n    rescue: [{ensure: ${map('a')}}]\n` },
    },
    made: ['a', 'c'],
    end: 'failed Failed deep',
  },
  {
    name: 'waits inside for what is missing from what was read outside',
    text: `- ensure: ${map('a')}\n  register: made\n- include: {tasks: a.yaml, vars: {name: "\${$made.status.name}"}}`,
    options: { files: ONE },
    made: ['a'],
    end: 'waiting metadata.name is missing: ${ $name } yields nothing',
    task: 'Map of include (task 2)',
  },
  {
    name: 'fails inside for what will never be there',
    text: '- include: {tasks: a.yaml, vars: {name: "${spec.name}"}}',
    options: { files: ONE },
    made: [],
    end: 'failed Failed metadata.name is missing: ${ $name } yields nothing',
  },
  {
    name: 'keeps apart what tasks of two runs of a file name',
    text: '- include: {tasks: a.yaml, vars: {name: a}}\n- include: {tasks: a.yaml, vars: {name: "${spec.none}"}}',
    options: {
      files: {
        'a.yaml': `- when: \${$exists($name)}\n  ensure: ${map('"${$name}"')}\n  register: made\n- ensure: ${map('"${$made.metadata.name ?? \'none\'}-2"')}\n`,
      },
      head: '',
    },
    made: ['a', 'a-2', 'none-2'],
    end: 'complete',
  },
]

describe('an include', () => {
  for (const { name, text, options, made, end, task } of CASES) {
    it(name, async () => {
      const run = await runTasks(text, options)
      expect(run.end).to.equal(end)
      expect(run.ensured.map(({ object }) => object.metadata.name)).to.deep.equal(made)
      if (task !== undefined) expect(run.outcome.stoppedBy?.task).to.equal(task)
      expect(run.outcome.complete).to.equal(end === 'complete')
    })
  }

  interface Refused {
    readonly name: string
    readonly text: string
    readonly files?: Readonly<Record<string, string>>
    readonly head?: string
    /** Code, file, line and column. */
    readonly expected: readonly string[]
    readonly message?: RegExp
    readonly hint?: RegExp
  }

  const refused: readonly Refused[] = [
    { name: 'no file', text: '- include: {vars: {}}', expected: ['RB1021 role.yaml:2:12'] },
    {
      name: 'a path that is computed',
      text: '- include: {tasks: "${spec.a}.yaml"}',
      expected: ['RB1150 role.yaml:2:20'],
      message: /must be literal/,
      hint: /write the path itself/,
    },
    {
      name: 'an absolute path',
      text: '- include: {tasks: /etc/passwd}',
      expected: ['RB1150 role.yaml:2:20'],
      hint: /names with `\/`/,
    },
    { name: 'a path up', text: '- include: {tasks: ../web/role.yaml}', expected: ['RB1150 role.yaml:2:20'] },
    { name: 'a path up from below', text: '- include: {tasks: a/../../x.yaml}', expected: ['RB1150 role.yaml:2:20'] },
    { name: 'a path that stays', text: '- include: {tasks: ./a.yaml}', expected: ['RB1150 role.yaml:2:20'] },
    { name: 'a path with backslashes', text: "- include: {tasks: 'a\\b.yaml'}", expected: ['RB1150 role.yaml:2:20'] },
    { name: 'an empty path', text: '- include: {tasks: ""}', expected: ['RB1150 role.yaml:2:20'] },
    {
      name: 'a path that is misspelt',
      text: '- include: {tasks: tasks/bakcup.yaml}',
      files: { 'tasks/backup.yaml': '- fail: {message: x}' },
      expected: ['RB1151 role.yaml:2:20'],
      hint: /did you mean `tasks\/backup.yaml`\?/,
    },
    {
      name: 'a file that is not there',
      text: '- include: {tasks: tasks/backup.yaml}',
      expected: ['RB1151 role.yaml:2:20'],
      hint: /it would be roles\/web\/tasks\/backup.yaml/,
    },
    {
      name: 'a file that is not text',
      text: '- include: {tasks: a.yaml}',
      files: { 'a.yaml': '- fail: {message: x\0}' },
      expected: ['RB1152 role.yaml:2:20'],
      hint: /base64/,
    },
    {
      name: 'a file that is not YAML',
      text: '- include: {tasks: a.yaml}',
      files: { 'a.yaml': '- [' },
      expected: ['RB1001 a.yaml:1:4'],
    },
    {
      name: 'an empty file',
      text: '- include: {tasks: a.yaml}',
      files: { 'a.yaml': '' },
      expected: ['RB1014 a.yaml:1:1'],
    },
    {
      name: 'no tasks in it',
      text: '- include: {tasks: a.yaml}',
      files: { 'a.yaml': '[]' },
      expected: ['RB1023 a.yaml:1:1'],
    },
    {
      name: 'a whole role instead of a list',
      text: '- include: {tasks: a.yaml}',
      files: { 'a.yaml': 'tasks:\n  - fail: {message: x}\n' },
      expected: ['RB1022 a.yaml:1:1'],
      message: /must be a list/,
    },
    {
      name: 'mistakes in the file, shown there',
      text: '- include: {tasks: sub/a.yaml}\n- fail: {message: "${$y}"}',
      files: {
        'sub/a.yaml':
          '- fail: {mesage: x}\n- fail: {message: x}\n  register: a\n- fail: {message: "${$lenght(spec.a)}"}\n',
      },
      expected: ['RB1020 sub/a.yaml:1:10', 'RB1021 sub/a.yaml:1:9', 'RB1101 sub/a.yaml:3:3', 'RB1203 sub/a.yaml:4:22'],
    },
    {
      name: 'itself',
      text: '- include: {tasks: a.yaml}',
      files: { 'a.yaml': '- name: Again\n  include: {tasks: a.yaml}\n' },
      expected: ['RB1153 a.yaml:2:20'],
      message: /a\.yaml → a\.yaml/,
      hint: /break the circle/,
    },
    {
      name: 'itself by way of others, in a block',
      text: '- include: {tasks: start.yaml}',
      files: {
        'start.yaml': '- include: {tasks: a.yaml}\n',
        'a.yaml': '- block:\n    tasks:\n      - include: {tasks: b.yaml}\n',
        'b.yaml': '- include: {tasks: a.yaml}\n',
      },
      expected: ['RB1153 b.yaml:1:20'],
      message: /: a\.yaml → b\.yaml → a\.yaml$/,
    },
    {
      name: 'files that include others twice, and so on',
      text: '- include: {tasks: f0.yaml}',
      files: chainOf(15, 2),
      expected: ['RB1154 f6.yaml:2:20'],
      message: /more than 1000 tasks/,
      hint: /`loop`/,
    },
    {
      name: 'files that include each other too deep',
      text: '- include: {tasks: f0.yaml}',
      files: chainOf(25, 1),
      expected: ['RB1154 f19.yaml:1:20'],
      message: /more than 20 deep/,
    },
    {
      name: 'a name outside that it makes inside',
      text: '- include: {tasks: a.yaml}\n- fail: {message: "${$made}"}',
      files: { 'a.yaml': '- set: {made: 1}\n' },
      expected: ['RB1204 role.yaml:3:22'],
    },
    {
      name: 'names of the tasks around it, used inside',
      text: '- set: {outer: 1}\n- loop: [1]\n  include: {tasks: a.yaml}',
      files: { 'a.yaml': '- fail: {message: "${$outer}${$item}"}\n' },
      expected: ['RB1204 a.yaml:1:22', 'RB1204 a.yaml:1:31'],
    },
    {
      name: 'variables of another include',
      text: '- include: {tasks: a.yaml, vars: {x: 1}}\n- include: {tasks: a.yaml}',
      files: { 'a.yaml': '- fail: {message: "${$x}"}\n' },
      expected: ['RB1204 a.yaml:1:22'],
    },
    {
      name: 'a variable that the role has',
      head: 'vars: {size: 1}\n',
      text: '- include: {tasks: a.yaml, vars: {size: 2}}',
      files: { 'a.yaml': '- fail: {message: "${$size}"}\n' },
      expected: ['RB1103 role.yaml:3:35'],
      message: /given in line 1$/,
    },
    {
      name: 'a name inside that the role has',
      head: 'vars: {size: 1}\n',
      text: '- include: {tasks: a.yaml}',
      files: { 'a.yaml': '- set: {size: 2}\n' },
      expected: ['RB1103 a.yaml:1:9'],
      message: /given in line 1 of role\.yaml$/,
    },
    {
      name: 'a name inside that it was given',
      text: '- include: {tasks: a.yaml, vars: {size: 2}}',
      files: { 'a.yaml': '- set: {size: 2}\n' },
      expected: ['RB1103 a.yaml:1:9'],
      message: /given in line 2 of role\.yaml$/,
    },
    {
      name: 'a variable called like a function',
      text: '- include: {tasks: a.yaml, vars: {sum: 2}}',
      files: { 'a.yaml': '- fail: {message: x}\n' },
      expected: ['RB1104 role.yaml:2:35'],
    },
    {
      name: 'an unknown variable in what it gives',
      text: '- include: {tasks: a.yaml, vars: {x: "${$y}"}}',
      files: { 'a.yaml': '- fail: {message: "${$x}"}\n' },
      expected: ['RB1204 role.yaml:2:41'],
    },
    {
      name: 'a value of a Secret that comes to the status by way of what it gives, also filled into a text',
      text: '- get: {apiVersion: v1, kind: Secret, name: s}\n  register: secret\n- include: {tasks: a.yaml, vars: {x: "${$template(\'b.txt\')}"}}',
      files: { 'a.yaml': '- status: {x: "${$x}"}\n', 'files/b.txt': '<${$secret.data.a}>' },
      expected: ['RB1141 a.yaml:1:18'],
      // A name that another file gives is shown with that file.
      message: /: `\$secret` \(role\.yaml:3\) → `\$x` \(role\.yaml:4\)$/,
    },
    {
      name: 'an object that is wanted by what was read outside',
      text: '- get: {apiVersion: v1, kind: Secret, name: s}\n  register: secret\n- include: {tasks: a.yaml, vars: {seen: "${$secret}"}}',
      files: { 'a.yaml': `- when: \${$exists($seen)}\n  ensure: ${map('a')}\n` },
      expected: ['RB1106 a.yaml:1:9'],
    },
    {
      name: 'register',
      text: '- include: {tasks: a.yaml}\n  register: x',
      files: { 'a.yaml': '- fail: {message: x}\n' },
      expected: ['RB1101 role.yaml:3:3'],
    },
  ]
  for (const { name, text, files, head, expected, message, hint } of refused) {
    it(`is refused with ${name}`, () => {
      const { diagnostics } = compileTasks(text, files, head)
      const found = diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)
      expect(found.sort(), printDiagnostics(diagnostics)).to.deep.equal(expected)
      if (message) expect(diagnostics[0]?.message).to.match(message)
      if (hint) expect(diagnostics[0]?.hint).to.match(hint)
    })
  }

  it('shows a mistake with the line of the file that has it', () => {
    const { diagnostics } = compileTasks('- include: {tasks: a.yaml}', {
      'a.yaml': '- fail:\n    message: ${$lenght(spec.a)}\n',
    })
    expect(printDiagnostics(diagnostics)).to.match(/a\.yaml:2:16[\s\S]*message: \$\{\$lenght\(spec\.a\)\}\n[ |]*\^/)
  })

  it('needs the rights of its tasks', () => {
    const { role } = compileTasks('- include: {tasks: a.yaml}', {
      'a.yaml': `- ensure: ${map('a')}\n- get: {apiVersion: v1, kind: Secret, name: s}\n`,
    })
    expect(role?.permissions.map(({ gvk, access }) => `${access} ${gvk.kind}`)).to.deep.equal([
      'own ConfigMap',
      'read Secret',
    ])
  })

  it('makes another role of other files', () => {
    const hashOf = (text: string) =>
      compileTasks('- include: {tasks: a.yaml}', { 'a.yaml': text, 'b.yaml': '' }).role?.hash
    expect(hashOf('- fail: {message: x}\n')).to.equal(hashOf('- fail: {message: x}\n'))
    expect(hashOf('- fail: {message: x}\n')).not.to.equal(hashOf('- fail: {message: y}\n'))
  })
})
