import { expect } from 'chai'
import { checkText } from '../../../support/checked-role.ts'
import { markedText } from '../../../support/marked-text.ts'
import { SMALL_PARSER } from '../../../support/small-task-kinds.ts'
import { RIGHT_MANIFESTS, WRONG_MANIFESTS } from './wrong-manifests.ts'

describe('static types of tasks', () => {
  for (const { name, code, tasks, fix } of WRONG_MANIFESTS) {
    it(`${code}: ${name}`, () => {
      const { text, place } = markedText(`tasks:\n${tasks}`)
      const [first, ...others] = checkText(text)
      expect(`${first?.code} ${first?.line}:${first?.column}`).to.equal(`${code} ${place}`)
      expect(others.map(({ message }) => message)).to.deep.equal([])
      if (fix !== undefined) expect(first?.hint).to.include(fix)
    })
  }

  for (const { name, tasks } of RIGHT_MANIFESTS) {
    it(`says nothing against ${name}`, () => {
      expect(checkText(`tasks:\n${tasks}`).map(({ message }) => message)).to.deep.equal([])
    })
  }

  const CHART = 'apiVersion: v2\nname: a\nversion: 1.0.0\n'
  const others: { name: string; tasks: string; file: string; found: readonly string[] }[] = [
    {
      name: 'the values of a chart',
      tasks: '  - chart: {path: charts/a, kinds: [v1/Service], values: {a: "${spec.naem}"}}\n',
      file: '',
      found: ['RB1220 role.yaml:2:70'],
    },
    {
      name: 'a file of tasks that is given nothing',
      tasks: '  - include: {tasks: tasks/a.yaml}\n',
      file: '- status: {raedy: 1}\n',
      found: ['RB1130 tasks/a.yaml:1:12'],
    },
    {
      name: 'what stands beside a file that is not there',
      tasks: '  - include: {tasks: tasks/b.yaml, vars: {x: "${spec.naem}"}}\n  - status: {raedy: 1}\n',
      file: '',
      found: ['RB1151 role.yaml:2:22', 'RB1220 role.yaml:2:54', 'RB1130 role.yaml:3:14'],
    },
    {
      name: 'a file of tasks, but not whether all of it is used, beside a task that cannot be read',
      tasks: '  - include: {tasks: tasks/a.yaml, vars: {x: 1}}\n  - fail: {}\n',
      file: '- set: {one: "${spec.naem}"}\n',
      found: ['RB1021 role.yaml:3:11', 'RB1220 tasks/a.yaml:1:22'],
    },
  ]
  for (const { name, tasks, file, found } of others) {
    it(`checks ${name}`, () => {
      const files = { 'charts/a/Chart.yaml': CHART, 'tasks/a.yaml': file }
      const diagnostics = checkText(`tasks:\n${tasks}`, {}, { files })
      expect(diagnostics.map((one) => `${one.code} ${one.file}:${one.line}:${one.column}`)).to.have.members(found)
    })
  }

  it('says nothing of variables that an entry of watches.yaml gives', () => {
    const text = 'vars: {size: 1}\ntasks:\n  - status: {ready: "${$size}"}\n'
    expect(checkText(text, { size: 'three' })).to.deep.equal([])
  })

  it('looks at the expressions of a kind of task that has no rules of its own', () => {
    const [found, ...others] = checkText('tasks:\n  - say: {a: "${spec.nmae}"}\n', {}, { parser: SMALL_PARSER })
    expect(others).to.deep.equal([])
    expect(found?.hint).to.include('did you mean name?')
  })

  it('says nothing of a kind without a schema', () => {
    const text =
      'tasks:\n  - fail: {message: "${metadata.nmae & spec.anything.at.all}"}\n  - status: {x: 1}\n    when: ${spec.a}\n'
    const watch = { group: 'other.example.com', version: 'v1', kind: 'Other' }
    expect(checkText(text, {}, { watch }).map(({ code }) => code)).to.deep.equal(['RB1134'])
  })
})
