import { compileRegex } from '../../../core/base/regex.ts'
import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import type { TestCase } from '../../role-test/test-case.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { followFolders } from '../follow-folders.ts'
import { projectOptions } from '../open-project.ts'
import { CONTEXT_OPTION, KUBECONFIG_OPTION, PROJECT_OPTIONS } from '../options.ts'
import { type RoleTestOptions, runRoleTests } from '../role-tests.ts'
import { EXIT } from '../terminal.ts'
import { testedCluster } from '../tested-cluster.ts'
import { TIMEOUT } from '../value-kind.ts'

export const testCommand: Command = {
  name: 'test',
  summary: 'run the tests of the roles',
  description:
    'Runs the tests in roles/*/tests/*.yaml, each with the real operator on an API server of its own, in memory and on a clock ' +
    'that the test moves. PATTERN is a part of the path of a test. With --cluster they run on a real cluster in real time: each ' +
    'in a namespace of its own, which is removed with all else that the test has made. What needs the sandbox, such as faults, ' +
    'is skipped. Exit code 1 when one fails or something could not be removed, 2 when a file is wrong.',
  arguments: '[pattern]',
  options: [
    ...PROJECT_OPTIONS,
    { flags: '--filter <regex>', description: 'only tests whose path, or the name of one of whose steps, matches' },
    { flags: '--update', description: 'rewrite expectations that are not met to what came out' },
    {
      flags: '--coverage',
      description: 'show which tasks never run, and which conditions never come out true or false',
    },
    { flags: '--watch', description: 'run the tests again whenever a file changes' },
    {
      flags: '--reporter <format>',
      description: 'table for people, junit for CI systems, json for programs, github for annotations of a workflow',
      default: 'table',
      choices: ['table', 'junit', 'json', 'github'],
    },
    {
      flags: '--cluster',
      description: 'run the tests on a real cluster. Unless --context names it, you are shown which one, and asked',
    },
    { ...KUBECONFIG_OPTION, description: 'with --cluster: the kubeconfig (the one kubectl uses)' },
    { ...CONTEXT_OPTION, description: 'with --cluster: the context of the kubeconfig, which is not asked about then' },
    { flags: '--yes', description: 'with --cluster: do not ask, whichever cluster it is' },
    {
      flags: '--timeout <duration>',
      description: 'with --cluster: how long a step waits for what it expects (1m)',
      kind: TIMEOUT,
    },
  ],
  examples: [
    'rolebook test',
    'rolebook test memcached/tests/scale.yaml --update',
    'rolebook test --reporter junit > results.xml',
    'rolebook test --cluster --context kind-dev',
  ],
  async run(invocation) {
    const cluster = await testedCluster(invocation)
    if (cluster === 'refused') return EXIT.failure
    const options: RoleTestOptions = {
      files: projectOptions(invocation),
      terminal: invocation.terminal,
      schemas: loadBuiltinSchemas(),
      selects: selection(invocation),
      reporter: invocation.given('reporter') as RoleTestOptions['reporter'],
      update: invocation.flag('update'),
      coverage: invocation.flag('coverage'),
      cluster,
    }
    const exitCode = await runRoleTests(options)
    if (!invocation.flag('watch')) return exitCode
    const folders = [options.files.rolesPath, options.files.watchesFile]
    return followFolders(folders, { signal: invocation.terminal.stopped, onChange: () => runRoleTests(options) })
  },
}

/** @throws UsageError */
function selection({ files, text }: Invocation): (test: TestCase) => boolean {
  const [pattern = ''] = files
  const matches = matcher(text('filter'))
  return ({ path, steps }) => path.includes(pattern) && (matches(path) || steps.some(({ name }) => matches(name)))
}

function matcher(filter: string | undefined): (text: string) => boolean {
  if (filter === undefined) return () => true
  try {
    const regex = compileRegex(filter, '')
    return (text) => regex.exec(text, 0) !== undefined
  } catch (error) {
    throw new UsageError('--filter is not a regular expression that runs in linear time', { cause: error })
  }
}
