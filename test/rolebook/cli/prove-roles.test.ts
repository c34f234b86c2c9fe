import { join } from 'node:path'
import { expect } from 'chai'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'
import { webCrd } from '../../support/tried-role.ts'

describe('rolebook prove', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('names the roles that there are when the one to prove is not among them', async () => {
    writeFiles(folder.path, {
      'watches.yaml': '- {group: example.com, version: v1, kind: Web, role: web}\n',
      'roles/web/role.yaml': 'tasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: web}}\n',
      'roles/web/crd.yaml': webCrd(),
    })
    const { code, stderr } = await prove(new FakeTerminal(), 'redis')
    expect(code).to.equal(2)
    expect(stderr).to.equal('rolebook prove: no entry of watches.yaml has the role redis: there are web\n')
  })

  it('has not succeeded when it is stopped before the first case', async () => {
    const stopped = new FakeTerminal()
    stopped.stop()
    const { code, stdout, stderr } = await prove(stopped, '--case', '3')
    expect([code, stderr]).to.deep.equal([1, 'rolebook prove: stopped before the last case\n'])
    expect(stdout).to.equal('0 roles: 0 proven, 0 failed; 0 cases, 0.0 a second, seed 1\n')
  })

  for (const [reporter, printed] of [
    ['json', /^\[\]\n$/],
    ['junit', /<testsuites tests="0" failures="0" /],
  ] as const) {
    it(`prints what programs read with --reporter ${reporter}, also when it is stopped`, async () => {
      const stopped = new FakeTerminal()
      stopped.stop()
      expect((await prove(stopped, '--reporter', reporter)).stdout).to.match(printed)
    })
  }

  it('proves nothing of a project with mistakes', async () => {
    writeFiles(folder.path, { 'watches.yaml': 'nonsense' })
    const { code, stdout, stderr } = await prove()
    expect([code, stdout]).to.deep.equal([2, ''])
    expect(stderr).to.match(/watches\.yaml:1:1 error RB\d+/)
  })

  async function prove(terminal = new FakeTerminal(), ...args: readonly string[]) {
    const places = ['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]
    const code = await runProgram(['prove', ...args, ...places], terminal)
    return { code, stdout: terminal.stdout, stderr: terminal.stderr }
  }
})
