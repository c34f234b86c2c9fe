/** `rolebook/testing`: the tests of roles, for any runner of tests. */
import { join } from 'node:path'
import { isError } from '../../core/yaml/diagnostic.ts'
import { loadBuiltinSchemas } from '../../sandbox/cluster/load-builtin-schemas.ts'
import { loadTests } from '../role-test/load-tests.ts'
import { printResult } from '../role-test/print-table.ts'
import { runTest } from '../role-test/run-test.ts'
import { sharedHelmRenderer } from './helm-renderer.ts'
import { compiledProject, type LoadOptions, loadProject, ProjectError } from './project.ts'

// biome-ignore lint/performance/noBarrelFile: what users import under one name stands in one file
export { type Finding, type LoadOptions, ProjectError } from './project.ts'

/** One file of `roles/<role>/tests/`. */
export interface RoleTest {
  /** Of the file. */
  readonly path: string
  readonly role: string
  /** @internal */
  readonly run: () => Promise<RoleTestResult>
}

export interface RoleTestResult {
  readonly passed: boolean
  /** What `rolebook test` prints of it. */
  readonly report: string
  /** Of real time, although the test has a clock of its own. */
  readonly milliseconds: number
}

/**
 * The tests of all roles of a project, in the order of their paths.
 *
 * @throws ProjectError with every mistake in the project or its tests, if there is one
 */
export async function loadRoleTests(options: LoadOptions): Promise<readonly RoleTest[]> {
  const project = compiledProject(await loadProject(options))
  const schemas = loadBuiltinSchemas()
  const { tests, diagnostics } = await loadTests({ project, schemas, rolesPath: join(options.folder, 'roles') })
  if (diagnostics.some(isError)) throw new ProjectError(diagnostics)
  return tests.map((test) => ({
    path: test.path,
    role: test.role,
    run: async () => {
      const result = await runTest(test, { project, schemas, charts: sharedHelmRenderer() })
      return {
        passed: result.failures.length === 0,
        report: printResult(result).trimEnd(),
        milliseconds: result.milliseconds,
      }
    },
  }))
}

/** Runs a test with an operator on an API server of its own. Never rejects for what a role does wrong. */
export async function runRoleTest(test: RoleTest): Promise<RoleTestResult> {
  return test.run()
}

export interface DefineOptions extends LoadOptions {
  /** Of the runner: it gets the name of a role and a function that calls `it`. */
  readonly describe: (name: string, define: () => void) => unknown
  /** Of the runner: it gets the path of a test and a function that rejects if the test fails. */
  readonly it: (name: string, run: () => Promise<void>) => unknown
}

/**
 * Registers the tests of all roles with a runner: mocha, vitest, or node:test. A test that fails throws what `rolebook test`
 * prints. Await it at the top of a test file, so that the runner waits for the tests to be found.
 *
 * @throws ProjectError as `loadRoleTests` does
 */
export async function defineRoleTests({ describe, it, ...options }: DefineOptions): Promise<void> {
  const tests = await loadRoleTests(options)
  for (const [role, ofRole] of Map.groupBy(tests, (test) => test.role)) {
    describe(role, () => {
      for (const test of ofRole) it(test.path, () => mustPass(test))
    })
  }
}

async function mustPass(test: RoleTest): Promise<void> {
  const { passed, report } = await test.run()
  if (!passed) throw new Error(report)
}
