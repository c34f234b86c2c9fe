import { loadTests } from '../../role-test/load-tests.ts'
import { printResult, printSummary } from '../../role-test/print-table.ts'
import { runTest } from '../../role-test/run-test.ts'
import type { TestResult } from '../../role-test/test-result.ts'
import type { Command } from '../command.ts'
import { openProject, problemsText, projectOptions } from '../open-project.ts'
import { PROJECT_OPTIONS } from '../options.ts'
import { loadBuiltinSchemas } from '../sandbox-cluster.ts'
import { EXIT } from '../terminal.ts'

export const testCommand: Command = {
  name: 'test',
  summary: 'run the tests of the roles',
  description:
    'Runs the tests in roles/*/tests/*.yaml, each with the real operator on an API server of its own, in memory and on a clock ' +
    'that is moved by the test. PATTERN is a part of the path of a test. Exit code 1 when one fails.',
  arguments: '[pattern]',
  options: [...PROJECT_OPTIONS],
  examples: ['rolebook test', 'rolebook test memcached/'],
  async run(invocation) {
    const { terminal } = invocation
    const options = projectOptions(invocation)
    const project = await openProject(options, terminal)
    if (!project) return EXIT.usage
    const [pattern = ''] = invocation.files
    const schemas = loadBuiltinSchemas()
    const selects = (path: string): boolean => path.includes(pattern)
    const loaded = await loadTests({ project, rolesPath: options.rolesPath, schemas, selects })
    terminal.err(problemsText(loaded, terminal))
    if (loaded.diagnostics.some(({ severity }) => severity === 'error')) return EXIT.usage
    const results: TestResult[] = []
    for (const test of loaded.tests) {
      const result = await runTest(test, { project, schemas, kinds: loaded.kinds })
      results.push(result)
      terminal.out(printResult(result, terminal))
    }
    terminal.out(printSummary(results))
    return results.some(({ failures }) => failures.length > 0) ? EXIT.failure : EXIT.ok
  },
}
