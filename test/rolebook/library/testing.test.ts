import { expect } from 'chai'
import { defineRoleTests, loadRoleTests, ProjectError, runRoleTest } from '../../../src/rolebook/library/testing.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const MADE = '{apiVersion: v1, kind: ConfigMap, metadata: {name: made}}'
const testOf = (name: string): string =>
  `given: [{apiVersion: example.com/v1, kind: Widget, metadata: {name: web}}]
steps:
  - name: creation
    expect: [{kind: ConfigMap, name: ${name}}]
`

describe('the tests of roles in a program', () => {
  const folder = temporaryFolder()
  before(() => {
    folder.write('watches.yaml', '- {group: example.com, version: v1, kind: Widget, role: widget}\n')
    folder.write('roles/widget/crd.yaml', JSON.stringify(crd(WIDGET)))
    folder.write('roles/widget/role.yaml', `tasks:\n  - name: Made\n    ensure: ${MADE}\n`)
    folder.write('roles/widget/tests/made.yaml', testOf('made'))
    folder.write('roles/widget/tests/other.yaml', testOf('other'))
  })
  after(() => folder.remove())

  it('are found in the order of their paths, and say what `rolebook test` prints', async () => {
    const tests = await loadRoleTests({ folder: folder.path })
    const [made, other] = ['made', 'other'].map((name) => folder.at(`roles/widget/tests/${name}.yaml`))
    expect(tests.map(({ role, path }) => [role, path])).to.deep.equal([
      ['widget', made],
      ['widget', other],
    ])
    const [passed, failed] = await Promise.all(tests.map(runRoleTest))
    expect([passed?.passed, failed?.passed]).to.deep.equal([true, false])
    expect(passed?.report).to.match(/^ok +\S+made\.yaml/)
    expect(failed?.report).to.include('ConfigMap').and.include('other')
  })

  it('are given to a runner, by role, and one that fails throws its report', async () => {
    const registered: string[] = []
    const tests: (() => Promise<void>)[] = []
    await defineRoleTests({
      folder: folder.path,
      describe: (name, define) => {
        registered.push(name)
        define()
      },
      it: (name, run) => {
        registered.push(name)
        tests.push(run)
      },
    })
    expect(registered).to.deep.equal([
      'widget',
      ...['made', 'other'].map((name) => folder.at(`roles/widget/tests/${name}.yaml`)),
    ])
    const [passed, failed] = await Promise.allSettled(tests.map((run) => run()))
    expect(passed?.status).to.equal('fulfilled')
    expect(failed).to.have.nested.property('reason.message').that.includes('other')
  })

  it('are refused with a mistake in one of them', async () => {
    const broken = temporaryFolder()
    broken.write('watches.yaml', '- {group: example.com, version: v1, kind: Widget, role: widget}\n')
    broken.write('roles/widget/crd.yaml', JSON.stringify(crd(WIDGET)))
    broken.write('roles/widget/role.yaml', `tasks:\n  - name: Made\n    ensure: ${MADE}\n`)
    broken.write('roles/widget/tests/wrong.yaml', `${testOf('made')}    frobnicate: 1\n`)
    const error = await loadRoleTests({ folder: broken.path }).catch((thrown) => thrown)
    broken.remove()
    expect(error).to.be.instanceOf(ProjectError)
    expect(error.message).to.include('frobnicate')
  })
})
