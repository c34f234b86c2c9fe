import { systemClock } from '../../../core/base/clock.ts'
import { CodedError, explain } from '../../../core/base/coded-error.ts'
import { type Diagnostic, isError, sortDiagnostics } from '../../../core/yaml/diagnostic.ts'
import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import type { ProjectResult } from '../../config/load-project.ts'
import { sharedHelmRenderer } from '../../library/helm-renderer.ts'
import { isExpectedToFail } from '../../role-test/expected-refusals.ts'
import { type LoadedTests, loadTests } from '../../role-test/load-tests.ts'
import { checkProject } from '../../trial/check-project.ts'
import { FORMATS, formatDiagnostics } from '../check-formats.ts'
import { clusterSchemas } from '../cluster-schemas.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { problemsText, projectOptions } from '../open-project.ts'
import { PROJECT_OPTIONS } from '../options.ts'
import { readCrds } from '../read-crds.ts'
import { EXIT } from '../terminal.ts'
import { TrialCharts } from '../trial-charts.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'check watches.yaml and the roles it names',
  description:
    'Checks watches.yaml, roles, CRDs, samples and tests, types every expression against the schemas of the kinds that it ' +
    'reads and makes, and runs each role in memory on its samples and on resources made from its CRD. Needs no cluster. ' +
    'Prints every mistake with file, line and column. Exit code 3 when there is an error.',
  options: [
    ...PROJECT_OPTIONS,
    {
      flags: '--format <format>',
      description: 'text for people, json for editors, sarif for code scanning, github for annotations of a workflow',
      default: 'text',
      choices: FORMATS,
    },
    {
      flags: '--schemas <dir>',
      description: 'a folder with CRDs of kinds that roles read or make and that are not theirs',
    },
    { flags: '--cluster', description: 'use the CRDs and schemas of a cluster instead of the built-in ones' },
    { flags: '--kubeconfig <path>', description: 'the kubeconfig for --cluster (the one kubectl uses)' },
    { flags: '--context <name>', description: 'the context of the kubeconfig (its current one)' },
    { flags: '--strict', description: 'exit code 3 for warnings, too' },
  ],
  examples: [
    'rolebook check',
    'rolebook check --strict --format github',
    'rolebook check --schemas vendor/crds --roles-path deploy/roles',
  ],
  async run(invocation) {
    const { terminal } = invocation
    const result = await check(invocation)
    const format = invocation.text('format')
    const workspace = terminal.environment.GITHUB_WORKSPACE
    terminal.out(
      format === 'text' ? problemsText(result, terminal) : formatDiagnostics(format, result.diagnostics, { workspace }),
    )
    if (!result.project || (invocation.flag('strict') && result.diagnostics.some(isWorseThanNote))) return EXIT.findings
    const roles = new Set(result.project.watches.map(({ role }) => role.name))
    terminal.err(`${inOrder(result.project.watches.length, roles.size)}\n`)
    return EXIT.ok
  },
}

/** `1 watch and 1 role are in order` */
function inOrder(watches: number, roles: number): string {
  return `${watches} ${watches === 1 ? 'watch' : 'watches'} and ${roles} ${roles === 1 ? 'role' : 'roles'} are in order`
}

function isWorseThanNote({ severity }: Diagnostic): boolean {
  return severity !== 'note'
}

async function check(invocation: Invocation): Promise<ProjectResult> {
  const folder = invocation.text('schemas')
  const crds = folder === undefined ? [] : readCrds(folder)
  const found = invocation.flag('cluster') ? await readCluster(invocation) : undefined
  const known = found ? { served: found.served, crds: [...found.crds, ...crds] } : { crds }
  const charts = new TrialCharts({ renderer: sharedHelmRenderer(), clock: systemClock })
  let tests: LoadedTests | undefined
  const result = await checkProject(projectOptions(invocation, known), {
    charts,
    refusals: async (project) => {
      // The tests of the roles are read, too; they do not run.
      tests = await loadTests({ project, rolesPath: invocation.given('roles-path'), schemas: loadBuiltinSchemas() })
      const { tests: cases } = tests
      return (sample) => isExpectedToFail(sample, cases)
    },
  })
  await charts.close()
  if (charts.leftOut !== undefined)
    invocation.terminal.err(`tasks that render a chart were not all tried: ${charts.leftOut}\n`)
  return withTests(result, tests)
}

function withTests(result: ProjectResult, tests: LoadedTests | undefined): ProjectResult {
  const { hash, project } = result
  const diagnostics = sortDiagnostics([...result.diagnostics, ...(tests?.diagnostics ?? [])])
  if (!project) return { hash, diagnostics }
  return diagnostics.some(isError) ? { hash, diagnostics } : { hash, project, diagnostics }
}

async function readCluster(invocation: Invocation): ReturnType<typeof clusterSchemas> {
  try {
    return await clusterSchemas({ kubeconfig: invocation.text('kubeconfig'), context: invocation.text('context') })
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new UsageError(`cannot read the schemas of the cluster: ${explain(error)}`)
  }
}
