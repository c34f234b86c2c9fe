import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { connect } from '../../src/core/kube-client/connect.ts'
import { writeNoteProject } from '../rolebook/cli/note-project.ts'
import { type ClusterDriver, KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { gone, has } from '../scenarios/objects.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NARROWER = '- {group: example.com, version: v1, kind: Note, role: note, selector: {matchLabels: {keep: "yes"}}}\n'

describe('a selector that existing resources leave while the program runs', function () {
  this.timeout(60_000)
  let folder: ReturnType<typeof temporaryFolder>
  let programs: RolebookProcess[]
  beforeEach(() => {
    folder = temporaryFolder()
    programs = []
    writeNoteProject(folder.path)
  })
  afterEach(async () => {
    for (const program of programs.reverse()) await program.stop()
    folder.remove()
  })

  function start(...args: string[]): RolebookProcess {
    const program = new RolebookProcess(args, { cwd: folder.path })
    programs.push(program)
    return program
  }

  async function withDriver(work: (driver: ClusterDriver) => Promise<unknown>): Promise<void> {
    const kubeconfig = join(folder.path, '.rolebook/kubeconfig')
    const connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
    try {
      await work(httpDriver(connection.client, 'default'))
    } finally {
      await connection.close()
    }
  }

  const narrow = (): void => writeFileSync(join(folder.path, 'watches.yaml'), NARROWER)

  it('is refused, with the flag that permits it', async () => {
    const sandbox = start('sandbox', '--samples')
    await sandbox.until('the sample is ready', ({ stdout }) => stdout.includes('Note default/hello Ready=True'))
    narrow()
    await sandbox.until('it refuses', ({ stderr }) => /Note default\/hello\); --allow-teardown permits/.test(stderr))
    await withDriver((driver) => driver.until(KIND.configMap, 'hello', has(['data', 'text'], 'good morning')))
  })

  it('is refused again by the next start, which says so, until that has the flag', async () => {
    const sandbox = start('sandbox', '--samples', '--no-operator')
    await sandbox.until('it listens', ({ stdout }) => stdout.includes('Kubernetes API at'))
    const run = (...flags: string[]): RolebookProcess => start('run', '--kubeconfig', '.rolebook/kubeconfig', ...flags)
    const kept = /Note default\/hello\); --allow-teardown permits.*have lost their watch entry/
    const first = run()
    await withDriver((driver) => driver.until(KIND.configMap, 'hello', has(['data', 'text'], 'good morning')))
    narrow()
    await first.until('it refuses', ({ stderr }) => stderr.includes('--allow-teardown permits'))
    await first.stop()
    const second = run()
    await second.until('it keeps the objects', ({ stderr }) => kept.test(stderr))
    await withDriver((driver) => driver.until(KIND.configMap, 'hello', has(['data', 'text'], 'good morning')))
    await second.stop()
    const third = run('--allow-teardown')
    await withDriver((driver) => driver.until(KIND.configMap, 'hello', gone))
    expect(third.stderr).to.not.match(kept)
  })

  it('is followed by a sandbox with --allow-teardown', async () => {
    const sandbox = start('sandbox', '--samples', '--allow-teardown')
    await sandbox.until('the sample is ready', ({ stdout }) => stdout.includes('Note default/hello Ready=True'))
    narrow()
    await withDriver((driver) => driver.until(KIND.configMap, 'hello', gone))
  })

  it('is followed by an operator with --allow-teardown, on a sandbox that has none', async () => {
    const sandbox = start('sandbox', '--samples', '--no-operator')
    await sandbox.until('it listens', ({ stdout }) => stdout.includes('Kubernetes API at'))
    const operator = start('run', '--kubeconfig', '.rolebook/kubeconfig', '--allow-teardown', '--log-format', 'json')
    await withDriver(async (driver) => {
      await driver.until(KIND.configMap, 'hello', has(['data', 'text'], 'good morning'))
      narrow()
      await driver.until(KIND.configMap, 'hello', gone)
    })
    expect(await operator.stop()).to.equal(0)
    const lines = operator.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const messages = lines.map(({ msg }) => msg)
    expect(messages).to.include.members(['operator starts', 'project reloaded'])
    expect(messages.slice(-2)).to.deep.equal(['leader election: stops leading', 'operator has stopped'])
  })
})
