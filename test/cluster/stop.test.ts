import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { writeNoteProject } from '../rolebook/cli/note-project.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const LEDGER = { namespace: 'default', name: 'rolebook-ledger' }
const KEY = { namespace: 'default', name: 'rolebook' }
/** The first write of a role never comes to an end. */
const FAULTS = 'rules: [{when: {verbs: [patch], resource: configmaps, name: hello}, do: {stall: before}}]\n'

describe('a signal while a write is under way', function () {
  this.timeout(300_000)
  let folder: ReturnType<typeof temporaryFolder>
  let sandbox: RolebookProcess
  let operator: RolebookProcess
  let connection: Connection

  async function begin(grace: string): Promise<void> {
    folder = temporaryFolder()
    writeNoteProject(folder.path)
    writeFileSync(join(folder.path, 'faults.yaml'), FAULTS)
    const cwd = folder.path
    sandbox = new RolebookProcess(['sandbox', '--no-operator', '--samples', '--faults', 'faults.yaml'], { cwd })
    await sandbox.until('it listens', ({ stdout }) => stdout.includes('Kubernetes API at'))
    const kubeconfig = join(folder.path, '.rolebook/kubeconfig')
    connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
    operator = new RolebookProcess(
      ['run', '--kubeconfig', kubeconfig, '--graceful-shutdown-timeout', grace, '--log-format', 'json'],
      { cwd },
    )
    // What a role makes is noted before the first of it is written.
    while (!(await connection.client.get(CONFIG_MAP, LEDGER)));
  }
  afterEach(async () => {
    await operator.stop('SIGKILL')
    await connection.close()
    await sandbox.stop()
    folder.remove()
  })

  const holder = async (): Promise<unknown> => (await connection.client.get(LEASE, KEY))?.spec

  it('drops it when its time is up, says so, lets the lease go, and ends with 0', async () => {
    await begin('1s')
    expect(await operator.stop()).to.equal(0)
    expect(operator.stderr).to.include('runs are aborted')
    expect(await holder()).to.include({ holderIdentity: '' })
  })

  it('ends at once with 1 at the second signal, the lease still held', async () => {
    await begin('10m')
    const ended = operator.stop()
    await operator.until('it has heard the first', ({ stderr }) => stderr.includes('operator stops'))
    expect(await operator.stop()).to.equal(1)
    await ended
    expect(operator.stderr).to.not.include('runs are aborted')
    expect(await holder())
      .to.have.property('holderIdentity')
      .that.matches(/_[0-9a-f]+$/)
  })
})
