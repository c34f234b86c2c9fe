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
    const terminal = new FakeTerminal()
    const places = ['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]
    const code = await runProgram(['prove', 'redis', ...places], terminal)
    expect(code).to.equal(2)
    expect(terminal.stderr).to.equal('rolebook prove: no entry of watches.yaml has the role redis: there are web\n')
  })
})
