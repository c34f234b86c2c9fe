import { writeFileSync } from 'node:fs'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { isError } from '../../core/yaml/diagnostic.ts'
import { editYaml } from '../../core/yaml/edit-yaml.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { ProjectOptions } from '../config/load-project.ts'
import { sharedHelmRenderer } from '../library/helm-renderer.ts'
import { Coverage } from '../role-test/coverage.ts'
import { loadTests } from '../role-test/load-tests.ts'
import { printJson } from '../role-test/print-json.ts'
import { printJunit } from '../role-test/print-junit.ts'
import { printResult, printSummary } from '../role-test/print-table.ts'
import { runTest } from '../role-test/run-test.ts'
import type { TestCase } from '../role-test/test-case.ts'
import type { TestResult } from '../role-test/test-result.ts'
import { openProject, problemsText } from './open-project.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'

export interface RoleTestOptions {
  readonly files: ProjectOptions
  readonly terminal: Terminal
  readonly schemas: BuiltinSchemas
  /** Which tests run. */
  readonly selects: (test: TestCase) => boolean
  readonly reporter: 'table' | 'junit' | 'json'
  /** Whether expectations are rewritten to what comes out. */
  readonly update: boolean
  /** Whether it is shown which tasks no test reaches. */
  readonly coverage: boolean
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
  const results: TestResult[] = []
  for (const test of tests) {
    if (terminal.stopped.aborted) break
    const result = await runOne(test, { ...options, project: observed })
    results.push(result)
    if (reporter === 'table') terminal.out(printResult(result, terminal))
  }
  if (reporter === 'table') terminal.out(printSummary(results))
  else terminal.out(reporter === 'junit' ? printJunit(results) : printJson(results))
  if (options.coverage) (reporter === 'table' ? terminal.out : terminal.err).call(terminal, coverage.print())
  if (tests.length === 0) terminal.err('there are no tests: they are written in roles/<role>/tests/\n')
  const isCutShort = results.length < tests.length
  if (isCutShort) terminal.err(`stopped: ${results.length} of ${tests.length} tests have run\n`)
  return isCutShort || results.some(({ failures }) => failures.length > 0) ? EXIT.failure : EXIT.ok
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

type OneOptions = RoleTestOptions & { readonly project: Project }

async function runOne(test: TestCase, options: OneOptions): Promise<TestResult> {
  const { project, schemas, update, files, terminal } = options
  const result = await runTest(test, { project, schemas, charts: sharedHelmRenderer(), keepGoing: update })
  if (!update || result.edits.length === 0) return result
  writeFileSync(test.path, editYaml(test.document, result.edits))
  terminal.err(`${test.path}: ${result.edits.length} expectation${result.edits.length === 1 ? '' : 's'} rewritten\n`)
  const again = await loadTests({ project, rolesPath: files.rolesPath, schemas, selects: (path) => path === test.path })
  const [rewritten] = again.tests
  return rewritten ? runTest(rewritten, { project, schemas, charts: sharedHelmRenderer() }) : result
}
