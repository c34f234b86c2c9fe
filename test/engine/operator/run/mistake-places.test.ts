import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'
import { projectAt } from '../../../support/running-operator.ts'

const CASES: { name: string; role: string; says: string; reason?: string }[] = [
  {
    name: 'an expression in a field: its own line, not that of the task',
    role: `tasks:
  - name: Make
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: part
      data:
        good: text
        bad: \${$string($number(spec.word))}
`,
    says: '(roles/widget/role.yaml:10)',
  },
  {
    name: 'an object that the server refuses: the field of the first cause',
    role: `tasks:
  - name: make service
    ensure:
      apiVersion: v1
      kind: Service
      metadata:
        name: \${metadata.name}
      spec:
        selector: {app: web}
        ports:
          - name: http
            port: \${spec.size}
`,
    reason: 'Invalid',
    says: '(roles/widget/role.yaml:12)',
  },
  {
    name: 'a field that an expression makes: the field around it',
    role: `vars:
  ports: [{name: http, port: 421042}]
tasks:
  - ensure:
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        selector: {app: web}
        ports: \${$ports}
`,
    reason: 'Invalid',
    says: '(roles/widget/role.yaml:10)',
  },
  {
    name: 'a name that cannot be one',
    role: `tasks:
  - name: Make
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        namespace: default
        name: \${spec.word & "_"}
`,
    reason: 'Invalid',
    says: '(roles/widget/role.yaml:8)',
  },
  {
    name: 'a fail: the task, since nothing of it is wrong',
    role: 'tasks:\n  - set: {a: 1}\n  - name: Stop\n    fail: {message: stop}\n',
    says: 'task "Stop": stop (roles/widget/role.yaml:3)',
  },
  {
    name: 'a false assert',
    role: 'tasks:\n  - assert:\n      that: ["${false}"]\n      message: never\n',
    says: 'task "assert (task 1)": never (roles/widget/role.yaml:2)',
  },
  {
    name: 'a value to loop over that cannot be computed',
    role: 'tasks:\n  - name: Each\n    event: {type: Normal, reason: Seen, message: a}\n    loop: ${$number(spec.word)}\n',
    says: '(roles/widget/role.yaml:4)',
  },
  {
    name: 'a task within a block, of one item of a loop',
    role: `tasks:
  - name: Group
    loop: [1]
    block:
      tasks:
        - name: Inner
          set:
            a: \${$number(spec.word)}
`,
    says: '(roles/widget/role.yaml:8)',
  },
  {
    name: 'a variable of the role',
    role: 'vars:\n  good: 1\n  bad: ${$number(spec.word)}\ntasks:\n  - set: {a: 1}\n',
    says: '(roles/widget/role.yaml:3)',
  },
  {
    name: 'a text that is too long for a condition: its end is cut, and the place stays',
    role: "tasks:\n  - name: Stop\n    fail: {message: \"${$pad('', 3000, 'no ')}\"}\n",
    says: '… (roles/widget/role.yaml:2)',
  },
  {
    name: 'two keys that come out the same',
    role: `tasks:
  - name: Make
    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}, data: {"\${$string(spec.size)}": a, "421042": b}}
`,
    says: '(roles/widget/role.yaml:3)',
  },
]

/** What a Widget says whose role is made of files. */
async function failureOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-test-'))
  const sandbox = await OperatorSandbox.start({ workloads: false })
  try {
    const rolesPath = join(folder, 'somewhere')
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(rolesPath, name)), { recursive: true })
      writeFileSync(join(rolesPath, name), text)
    }
    const watchesFile = join(folder, 'watches.yaml')
    writeFileSync(watchesFile, '- {group: example.com, version: v1, kind: Widget, role: widget}\n')
    sandbox.run(await projectAt({ watchesFile, rolesPath }))
    await sandbox.widget('w')
    return (await sandbox.ready('Failed')).message ?? ''
  } finally {
    await sandbox.stop()
    rmSync(folder, { recursive: true })
  }
}

describe('A mistake of a role at run time', () => {
  for (const { name, role, says, reason = 'Failed' } of CASES) {
    it(`names the file and the line: ${name}`, async () => {
      const sandbox = await OperatorSandbox.start({ workloads: false })
      try {
        sandbox.run(await projectOf({ widget: role }))
        await sandbox.widget('w', { size: 421_042, word: 'hush' })
        const { message = '' } = await sandbox.ready(reason)
        expect(message).to.contain(says)
        expect(message.length).to.be.at.most(1024)
        expect(message.endsWith(')')).to.equal(true)
        await sandbox.settled()
        const why = sandbox.runs.at(-1)?.trace?.tasks.flatMap(({ why = [] }) => why) ?? []
        const place = says.slice(says.lastIndexOf('('))
        // Variables belong to no task.
        if (!role.includes('  bad: ${$number')) expect(why.join('\n'), 'what explain says').to.contain(place)
      } finally {
        await sandbox.stop()
      }
    })
  }

  it('is named alike wherever the role lies: in folders, and side by side as in a ConfigMap', async () => {
    const role = 'tasks:\n  - include: {tasks: tasks/stop.yaml}\n'
    const stop = '\n- name: Stop\n  fail: {message: stop}\n'
    const layouts = [
      { 'widget/role.yaml': role, 'widget/tasks/stop.yaml': stop },
      { 'widget.yaml': role, 'widget.tasks.stop.yaml': stop },
    ]
    const messages = await Promise.all(layouts.map(failureOf))
    const expected = 'task "Stop of include (task 1)": stop (roles/widget/tasks/stop.yaml:2)'
    expect(messages).to.deep.equal([expected, expected])
  })

  it('says nothing of a place while a task only waits', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    try {
      sandbox.run(await projectOf({ widget: 'tasks:\n  - wait: {for: "${false}", message: not yet}\n' }))
      await sandbox.widget('w')
      const { message } = await sandbox.ready('Waiting')
      expect(message).to.equal('task "wait (task 1)": not yet')
    } finally {
      await sandbox.stop()
    }
  })

  it('moves with an edit above it, and such an edit writes nothing to a resource that is in order', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    try {
      const role = 'tasks:\n  - name: Stop\n    when: ${spec.bad = true}\n    fail: {message: stop}\n'
      const operator = sandbox.run(await projectOf({ widget: role }))
      await sandbox.widget('good')
      await sandbox.ready('Ready', { name: 'good' })
      await sandbox.widget('bad', { bad: true })
      await sandbox.ready('Failed', { name: 'bad' })
      await sandbox.settled()
      sandbox.writes.length = 0
      operator.replaceProject(await projectOf({ widget: `# a comment\n${role}` }))
      await sandbox.settled()
      expect(sandbox.writes.filter((write) => write.includes('default/good'))).to.deep.equal([])
      const { message } = await sandbox.ready('Failed', { name: 'bad' })
      expect(message).to.equal('task "Stop": stop (roles/widget/role.yaml:3)')
    } finally {
      await sandbox.stop()
    }
  })
})
