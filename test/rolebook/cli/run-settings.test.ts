import { env } from 'node:process'
import { expect } from 'chai'
import { UsageError } from '../../../src/rolebook/cli/command.ts'
import { runCommand } from '../../../src/rolebook/cli/commands/run.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { RUN_SETTINGS, type RunSettings, runSettings, type Setting } from '../../../src/rolebook/cli/run-settings.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'

function settingsOf(args: readonly string[]): RunSettings {
  const terminal = new FakeTerminal()
  const parsed = parseCommandLine(['run', ...args], { commands: [runCommand], terminal })
  if ('exitCode' in parsed) throw new Error(terminal.stderr)
  return runSettings(parsed.invocation)
}

/** With variables set meanwhile. */
async function within<Result>(
  variables: Readonly<Record<string, string>>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const former = Object.keys(variables).map((name) => [name, env[name]] as const)
  Object.assign(env, variables)
  try {
    return await work()
  } finally {
    for (const [name, value] of former) {
      if (value === undefined) delete env[name]
      else env[name] = value
    }
  }
}

describe('the settings of rolebook run', () => {
  it('have defaults as values', () => {
    expect(settingsOf([])).to.deep.equal({
      watchesFile: 'watches.yaml',
      rolesPath: 'roles',
      installCrds: false,
      allowTeardown: false,
      dryRun: false,
      namespaces: undefined,
      kubeconfig: undefined,
      context: undefined,
      apiQps: 0,
      apiBurst: undefined,
      leaderElect: true,
      leaderElectionId: 'rolebook',
      leaderElectionNamespace: undefined,
      leaseDuration: 15_000,
      renewDeadline: 10_000,
      shards: 1,
      retryPeriod: 2_000,
      maxConcurrent: 16,
      reconcilePeriod: 36_000_000,
      reconciliationTimeout: 600_000,
      cacheCheckPeriod: 21_600_000,
      gracePeriod: 30_000,
      metricsAddress: 'off',
      metricsSecure: true,
      metricsCertDir: undefined,
      probeAddress: 'off',
      uiAddress: 'off',
      logLevel: 'info',
      logFormat: 'auto',
    })
  })

  const cases: readonly {
    readonly name: string
    readonly args?: readonly string[]
    readonly variables?: Readonly<Record<string, string>>
    readonly expected: Partial<RunSettings>
  }[] = [
    { name: 'a flag', args: ['--reconcile-period', '1m30s'], expected: { reconcilePeriod: 90_000 } },
    { name: 'a flag with an equals sign', args: ['--kube-api-qps=50'], expected: { apiQps: 50 } },
    { name: 'a variable', variables: { ROLEBOOK_KUBE_API_QPS: '2.5' }, expected: { apiQps: 2.5 } },
    {
      name: 'a flag before a variable',
      args: ['--namespace', 'c'],
      variables: { WATCH_NAMESPACE: 'a,b' },
      expected: { namespaces: ['c'] },
    },
    { name: 'WATCH_NAMESPACE', variables: { WATCH_NAMESPACE: 'a,b' }, expected: { namespaces: ['a', 'b'] } },
    { name: 'an empty WATCH_NAMESPACE', variables: { WATCH_NAMESPACE: '' }, expected: { namespaces: 'all' } },
    { name: 'a switch alone', args: ['--dry-run'], expected: { dryRun: true } },
    { name: 'a switch that is off', args: ['--leader-elect=false'], expected: { leaderElect: false } },
    { name: 'the no-form of a switch', args: ['--no-metrics-secure'], expected: { metricsSecure: false } },
    {
      name: 'a switch by variable',
      variables: { ROLEBOOK_LEADER_ELECT: 'false', ROLEBOOK_DRY_RUN: 'true' },
      expected: { leaderElect: false, dryRun: true },
    },
    {
      name: 'an address',
      args: ['--metrics-bind-address', ':8443'],
      expected: { metricsAddress: { host: '', port: 8443 } },
    },
  ]
  for (const { name, args = [], variables = {}, expected } of cases) {
    it(`are taken from ${name}`, async () => {
      expect(await within(variables, () => settingsOf(args)))
        .to.include.deep.keys(expected)
        .and.deep.include(expected)
    })
  }

  const refused: readonly {
    readonly name: string
    readonly args?: readonly string[]
    readonly variables?: Readonly<Record<string, string>>
    readonly says: readonly string[]
  }[] = [
    {
      name: 'a duration without its unit',
      args: ['--graceful-shutdown-timeout', '30'],
      says: ['--graceful-shutdown-timeout', "'30'", 'such as 500ms, 15s'],
    },
    {
      name: 'a period that is too short',
      args: ['--reconcile-period', '1ms'],
      says: ['--reconcile-period', "'1ms'", '10s to 500h'],
    },
    {
      name: 'a port out of range',
      args: ['--metrics-bind-address', ':99999'],
      says: ['--metrics-bind-address', "':99999'", ':8080'],
    },
    { name: 'a word that is none', args: ['--log-level', 'loud'], says: ['--log-level', "'loud'", 'debug, info'] },
    {
      name: 'a variable that is no switch',
      variables: { ROLEBOOK_LEADER_ELECT: 'perhaps' },
      says: ['ROLEBOOK_LEADER_ELECT', "'perhaps'", 'true or false'],
    },
    { name: 'a namespace that is none', variables: { WATCH_NAMESPACE: 'A b' }, says: ['WATCH_NAMESPACE', "'A b'"] },
    {
      name: 'more shards than are renewed in time',
      args: ['--shards', '65'],
      says: ['--shards', "'65'", '1 to 64'],
    },
    {
      name: 'shards without leases',
      args: ['--shards', '2', '--leader-elect=false'],
      says: ['--shards needs --leader-elect'],
    },
    {
      name: 'a lease shorter than its deadline',
      args: ['--leader-election-lease-duration', '5s'],
      says: ['--leader-election-lease-duration must be longer than --leader-election-renew-deadline'],
    },
    {
      name: 'a deadline within which no try may fail',
      args: ['--leader-election-retry-period', '9s'],
      says: ['--leader-election-renew-deadline must be longer than 1.2 times --leader-election-retry-period'],
    },
  ]
  for (const { name, args = [], variables = {}, says } of refused) {
    it(`refuse ${name} with exit code 2, naming flag, value and remedy`, async () => {
      const terminal = new FakeTerminal()
      const code = await within(variables, () => runProgram(['run', ...args], terminal))
      expect(code).to.equal(2)
      for (const text of says) expect(terminal.stderr).to.include(text)
    })
  }

  it('are usage errors when they contradict each other', () => {
    expect(() => settingsOf(['--leader-election-lease-duration', '5s'])).to.throw(UsageError)
  })

  it('have variables that are named like their flags', () => {
    const rows: readonly Setting[] = Object.values(RUN_SETTINGS)
    for (const { flags, environment } of rows) {
      const name = flags.replace(/^--/, '').replace(/ .*/, '').toUpperCase().replaceAll('-', '_')
      const known = environment === undefined ? ['KUBECONFIG', 'CONTEXT'] : [`ROLEBOOK_${name}`, 'WATCH_NAMESPACE']
      expect(known).to.include(environment ?? name)
    }
  })
})
