import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { Logger } from '../../../src/core/base/logger.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { Project } from '../../../src/engine/operator/project.ts'
import { ReloadReport } from '../../../src/rolebook/cli/reload-report.ts'
import type { ProjectResult } from '../../../src/rolebook/config/load-project.ts'

const PROJECT = { hash: 'abcdef0123456789', watches: [] } as unknown as Project
const BROKEN: Pick<ProjectResult, 'diagnostics'> = {
  diagnostics: [
    { severity: 'warning', code: 'RB1199', message: 'unused', file: 'role.yaml', line: 1, column: 1 },
    { severity: 'error', code: 'RB1101', message: 'no tasks', file: 'role.yaml', line: 3, column: 5 },
  ],
}

/** A report whose events, log lines and counts are kept. */
function reportIn(environment: NodeJS.ProcessEnv, ledger?: KubeObject | Error) {
  const events: KubeObject[] = []
  const log: string[] = []
  const counted: string[] = []
  const client = {
    create: async (object: KubeObject) => {
      events.push(object)
      return object
    },
    get: async () => {
      if (ledger instanceof Error) throw ledger
      return ledger
    },
  } as unknown as KubeClient
  const note =
    (level: string) =>
    (message: string): void =>
      void log.push(`${level} ${message}`)
  const logger: Logger = { ...nopLogger, info: note('info'), warn: note('warn'), error: note('error') }
  const report = new ReloadReport({
    ...{ client, logger, clock: new FakeClock(), namespace: 'operators' },
    metrics: { reloaded: (result) => void counted.push(result) },
    terminal: { environment, stopped: new AbortController().signal },
  })
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { report, events, log, counted, settled }
}

const about = ({ regarding, metadata, type, reason, note }: KubeObject): unknown => ({
  ...(regarding as object),
  in: metadata.namespace,
  says: `${type} ${reason}: ${note}`,
})

describe('what became of a changed project', () => {
  it('is reported for a broken one and for the next good one, in metric, log and events on the pod', async () => {
    const { report, events, log, counted, settled } = reportIn({ POD_NAME: 'rolebook-1', POD_UID: 'u1' })
    report.used(PROJECT)
    report.invalid(BROKEN)
    report.refused('it would tear down 2 resources')
    report.used(PROJECT)
    report.used({ ...PROJECT, hash: 'fedcba9876543210' })
    await settled()
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'operators',
      name: 'rolebook-1',
      uid: 'u1',
      in: 'operators',
    }
    const first = 'role.yaml:3:5 RB1101 no tasks'
    expect(events.map(about)).to.deep.equal(
      [
        'Normal Reloaded: the project can be used and is at work: 0 watches (version abcdef012345)',
        `Warning ReloadFailed: the last good version goes on: the changed project has 1 error, 1 warning, the first ${first}`,
        'Warning ReloadRefused: the last good version goes on: it would tear down 2 resources',
        'Normal Reloaded: the project can be used again and is at work: 0 watches (version abcdef012345)',
        'Normal Reloaded: the project can be used and is at work: 0 watches (version fedcba987654)',
      ].map((says) => ({ ...pod, says })),
    )
    expect(counted).to.deep.equal(['used', 'invalid', 'refused', 'used', 'used'])
    expect(log).to.deep.equal([
      'info project reloaded',
      'error the changed project cannot be used; the last good version goes on',
      'error the changed project is not used; the last good version goes on',
      'info project reloaded',
      'info project reloaded',
    ])
  })

  it('is reported for resources without role, with the reason why nothing was torn down', async () => {
    const { report, events, log, counted, settled } = reportIn({ POD_NAME: 'p' })
    report.teardownRefused('it would tear down 2 resources')
    report.used(PROJECT)
    await settled()
    expect(events.map(({ type, reason, note }) => `${type} ${reason}: ${note}`)).to.deep.equal([
      'Warning TeardownRefused: they are left as they are and not looked after: it would tear down 2 resources',
      'Normal Reloaded: the project can be used and is at work: 0 watches (version abcdef012345)',
    ])
    expect(log).to.deep.equal([
      'error resources have lost their watch entry: their objects stay as they are',
      'info project reloaded',
    ])
    expect(counted).to.deep.equal(['used'])
  })

  it('is reported in metric and log alone for one that has to wait for the API server', async () => {
    const { report, events, log, counted, settled } = reportIn({ POD_NAME: 'rolebook-1', POD_UID: 'u1' })
    report.delayed('no answer')
    await settled()
    expect(counted).to.deep.equal(['delayed'])
    expect(log).to.deep.equal([
      'warn the changed project is tried again until the API server lets it be used; the last good version goes on until then',
    ])
    expect(events).to.deep.equal([])
  })

  const places = [
    { name: 'of a pod whose uid is not known', environment: { POD_NAME: 'p' }, kind: 'Pod', uid: undefined },
    { name: 'outside of a pod, on the ledger', ledger: ledgerOf('l1'), kind: 'ConfigMap', uid: 'l1' },
    { name: 'outside of a pod, before there is a ledger', kind: 'ConfigMap', uid: undefined },
  ]
  for (const { name, environment = {}, ledger, kind, uid } of places) {
    it(`is an event ${name}`, async () => {
      const { report, events, settled } = reportIn(environment, ledger)
      report.refused('no')
      await settled()
      const [regarding] = events.map((event) => event.regarding as { kind: string; namespace: string; uid?: string })
      expect(regarding).to.deep.include({ kind, namespace: 'operators' })
      expect(regarding?.uid).to.equal(uid)
    })
  }

  it('is not an event while the server cannot say what it is about, and nothing fails', async () => {
    const { report, events, log, settled } = reportIn({}, new Error('no answer'))
    report.refused('no')
    await settled()
    expect(events).to.deep.equal([])
    expect(log.at(-1)).to.equal('warn cannot write an event')
  })
})

function ledgerOf(uid: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'rolebook-ledger', namespace: 'operators', uid } }
}
