import { writeFileSync } from 'node:fs'
import { systemClock } from '../../core/base/clock.ts'
import { cryptographicBytes } from '../../core/base/hash.ts'
import type { Connection } from '../../core/kube-client/connect.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { isError } from '../../core/yaml/diagnostic.ts'
import { editYaml } from '../../core/yaml/edit-yaml.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { ProjectOptions } from '../config/load-project.ts'
import { sharedHelmRenderer } from '../library/helm-renderer.ts'
import { Coverage } from '../role-test/coverage.ts'
import { loadTests } from '../role-test/load-tests.ts'
import { RealClusterSession } from '../role-test/on-cluster/real-cluster-session.ts'
import { printJson } from '../role-test/print-json.ts'
import { printJunit } from '../role-test/print-junit.ts'
import { printResult, printSummary } from '../role-test/print-table.ts'
import { runTest } from '../role-test/run-test.ts'
import type { TestCase } from '../role-test/test-case.ts'
import type { TestResult } from '../role-test/test-result.ts'
import { openProject, problemsText } from './open-project.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'
import { printTestResults, type WorkflowOptions } from './workflow-commands.ts'

export interface RoleTestOptions {
  readonly files: ProjectOptions
  readonly terminal: Terminal
  readonly schemas: BuiltinSchemas
  /** Which tests run. */
  readonly selects: (test: TestCase) => boolean
  readonly reporter: 'table' | 'junit' | 'json' | 'github'
  /** Whether expectations are rewritten to what comes out. */
  readonly update: boolean
  /** Whether it is shown which tasks no test reaches. */
  readonly coverage: boolean
  /** Where the tests run. Absent: each on a sandbox of its own. */
  readonly cluster?: TestedCluster | undefined
}

/** A cluster that the person at the terminal has agreed to. */
export interface TestedCluster {
  /** A new connection for a client of this name. */
  connect(client: string): Promise<Connection>
  /** Milliseconds for which a step waits for what it expects. */
  readonly timeout: number
}

/** Runs the tests of all roles once and prints what became of them. */
export async function runRoleTests(options: RoleTestOptions): Promise<ExitCode> {
  const { files, terminal, reporter } = options
  const coverage = new Coverage()
  const observing = options.coverage ? { ...files, branches: coverage.branches } : files
  const project = await openProject(observing, terminal)
  const tests = project && (await loadSelected(project, options))
  if (!tests) return EXIT.usage
  const observed = options.coverage ? coverage.observe(project) : project
  const { results, left } = await runAll(tests, { ...options, project: observed })
  terminal.out(REPORTS[reporter](results, { workspace: terminal.environment.GITHUB_WORKSPACE }))
  if (options.coverage) (reporter === 'table' ? terminal.out : terminal.err).call(terminal, coverage.print())
  if (tests.length === 0) terminal.err('there are no tests: they are written in roles/<role>/tests/\n')
  const isCutShort = results.length < tests.length
  if (isCutShort) terminal.err(`stopped: ${results.length} of ${tests.length} tests have run\n`)
  const hasFailed = results.some(({ failures }) => failures.length > 0)
  return isCutShort || hasFailed || left.length > 0 ? EXIT.failure : EXIT.ok
}

/** What is printed once all tests have run. */
const REPORTS: Readonly<
  Record<RoleTestOptions['reporter'], (results: readonly TestResult[], options: WorkflowOptions) => string>
> = {
  table: printSummary,
  junit: printJunit,
  json: printJson,
  github: (results, options) => printTestResults(results, options) + printSummary(results),
}

interface Outcome {
  readonly results: readonly TestResult[]
  /** What could not be removed from the cluster. */
  readonly left: readonly string[]
}

async function runAll(tests: readonly TestCase[], options: OneOptions): Promise<Outcome> {
  const { cluster, terminal, project } = options
  if (!cluster) return { results: await runEach(tests, options), left: [] }
  const { stopped: signal } = terminal
  const session = await RealClusterSession.open({ ...cluster, clock: systemClock, random: cryptographicBytes, signal })
  let results: readonly TestResult[] = []
  let left: readonly string[] = []
  try {
    await session.check(tests, project)
    results = await runEach(tests, { ...options, session })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    left = await session.close()
    if (left.length > 0)
      terminal.err(`could not be removed from the cluster:\n${left.map((one) => `  ${one}\n`).join('')}`)
  }
  return { results, left }
}

/** One after the other, until the terminal is stopped. */
async function runEach(tests: readonly TestCase[], options: OneOptions): Promise<readonly TestResult[]> {
  const { terminal, reporter, session } = options
  const results: TestResult[] = []
  for (const test of tests) {
    if (terminal.stopped.aborted) break
    const result = await runOne(test, options)
    // On a cluster a stop ends the test in its midst: it has no result.
    if (session && terminal.stopped.aborted) break
    results.push(result)
    if (reporter === 'table') terminal.out(printResult(result, terminal))
  }
  return results
}

/** `undefined` after everything that is wrong with them was printed. */
async function loadSelected(project: Project, options: RoleTestOptions): Promise<readonly TestCase[] | undefined> {
  const { files, schemas, terminal, selects } = options
  const loaded = await loadTests({ project, rolesPath: files.rolesPath, schemas })
  terminal.err(problemsText(loaded, terminal))
  if (loaded.diagnostics.some(isError)) return undefined
  const selected = loaded.tests.filter(selects)
  if (selected.length > 0 || loaded.tests.length === 0) return selected
  // A pattern with a typing error must not look like tests that pass.
  const paths = loaded.tests.map(({ path }) => path)
  terminal.err(`rolebook test: no test was selected: there are ${paths.join(', ')}\n`)
  return undefined
}

type OneOptions = RoleTestOptions & { readonly project: Project; readonly session?: RealClusterSession | undefined }

async function runOne(test: TestCase, options: OneOptions): Promise<TestResult> {
  const { project, schemas, update, files, terminal, session } = options
  const result = await runTest(test, { project, schemas, charts: sharedHelmRenderer(), keepGoing: update, session })
  if (!update || result.edits.length === 0) return result
  writeFileSync(test.path, editYaml(test.document, result.edits))
  terminal.err(`${test.path}: ${result.edits.length} expectation${result.edits.length === 1 ? '' : 's'} rewritten\n`)
  const again = await loadTests({ project, rolesPath: files.rolesPath, schemas, selects: (path) => path === test.path })
  const [rewritten] = again.tests
  return rewritten ? runTest(rewritten, { project, schemas, charts: sharedHelmRenderer() }) : result
}
