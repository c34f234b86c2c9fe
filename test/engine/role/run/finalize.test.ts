import { expect } from 'chai'
import { checkText } from '../../../support/checked-role.ts'
import { markedText } from '../../../support/marked-text.ts'
import { compileText, runText, said } from '../../../support/small-task-kinds.ts'

const LIVE =
  'vars: {all: "${spec.size}"}\ntasks:\n  - get: {apiVersion: v1, kind: Pod, name: p}\n    register: pod\n  - fail: {message: "${$pod.metadata.name & $all}"}\n'

/** Lists that are wrong, with `«` before the place that is meant. */
const WRONG: readonly { readonly name: string; readonly code: string; readonly text: string; readonly fix?: string }[] =
  [
    {
      name: 'an unknown kind of task',
      code: 'RB1020',
      text: 'finalize:\n  - {«ensur: {}, name: x}\n',
      fix: '`ensure`',
    },
    { name: 'no task at all', code: 'RB1023', text: 'finalize: «[]\n' },
    { name: 'a misspelt key', code: 'RB1020', text: '«finalise:\n  - fail: {message: x}\n', fix: '`finalize`' },
    {
      name: 'a name that only a live run knows',
      code: 'RB1204',
      text: 'finalize:\n  - fail: {message: "${«$pod.metadata.name}"}\n',
    },
    {
      name: 'a path that cannot exist',
      code: 'RB1220',
      text: 'finalize:\n  - fail: {message: "${spec.«nmae}"}\n',
      fix: 'name',
    },
    {
      name: 'an unknown field of a manifest',
      code: 'RB1130',
      text: 'finalize:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, «dta: {a: b}}\n',
      fix: '`data`',
    },
    {
      name: 'a name that nothing uses',
      code: 'RB1133',
      text: 'finalize:\n  - get: {apiVersion: v1, kind: Pod, name: p}\n    register: «last\n',
      fix: 'read it as `$last`, or remove it',
    },
    {
      name: 'a task that never runs',
      code: 'RB1134',
      text: 'finalize:\n  - fail: {message: x}\n  - «{fail: {message: z}}\n',
      fix: 'give the `fail` a `when`',
    },
    {
      name: 'a modifier without meaning',
      code: 'RB1101',
      text: 'finalize:\n  - set: {x: 1}\n    «register: z\n',
      fix: '`set` takes',
    },
  ]

describe('the finalize list of a role', () => {
  for (const { name, code, text: marked, fix } of WRONG) {
    it(`is refused with ${name}`, () => {
      const { text, place } = markedText(LIVE + marked)
      const found = checkText(text).filter((one) => one.code !== 'RB1021')
      const first = found.find((one) => one.code === code)
      expect(`${first?.code} ${first?.line}:${first?.column}`).to.equal(`${code} ${place}`)
      if (fix !== undefined) expect(first?.hint).to.include(fix)
    })
  }

  it('may ask the cluster whether an object is to be made, and use names of the live tasks anew', () => {
    const text = `${LIVE}finalize:
  - get: {apiVersion: v1, kind: Pod, name: p, optional: true}
    register: pod
  - when: \${$exists($pod)}
    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${$exists($all) ? 'x' : 'none'}"}}
`
    expect(checkText(text).map(({ code, message }) => `${code} ${message}`)).to.deep.equal([])
  })

  it('is absent where the role has none', () => {
    expect(compileText('tasks: [{say: 1}]').role?.finalize).to.equal(undefined)
  })

  it('counts towards the rights of the role', () => {
    const { role } = compileText('tasks: [{let: {a: 1}}]\nfinalize: [{say: 1}]')
    expect(role?.permissions.map(({ gvk }) => gvk.kind)).to.deep.equal(['ConfigMap'])
  })

  const TEXT =
    'vars: {a: 1}\ntasks: [{say: live}]\nfinalize: [{say: "${$a}"}, {hold: {until: "${spec.go}"}}, {say: end}]'
  it('runs instead of the tasks, with the variables of the role', async () => {
    const waiting = await runText(TEXT, {}, { list: 'finalize' })
    expect(waiting.stoppedBy?.task).to.equal('hold (task 2 of finalize)')
    expect(said.map(({ value }) => value)).to.deep.equal([1])
    const { complete } = await runText(TEXT, { go: true }, { list: 'finalize' })
    expect(complete).to.equal(true)
    expect(said.map(({ value }) => value)).to.deep.equal([1, 'end'])
  })

  it('does not run with the tasks', async () => {
    await runText(TEXT)
    expect(said.map(({ value }) => value)).to.deep.equal(['live'])
  })

  it('that is not there is done', async () => {
    expect(await runText('tasks: [{say: live}]', {}, { list: 'finalize' })).to.deep.equal({ complete: true, tasks: [] })
  })
})
