/**
 * Runs 100 role tests one after the other and prints how long that took. Should be less than ten seconds.
 *
 *     node bench/role-tests.ts [--tests 100]
 */
import { cpus } from 'node:os'
import { argv, cpuUsage, stdout, version } from 'node:process'
import { parseArgs } from 'node:util'
import { loadTests } from '../src/rolebook/role-test/load-tests.ts'
import { runTest } from '../src/rolebook/role-test/run-test.ts'
import { loadBuiltinSchemas } from '../src/sandbox/cluster/load-builtin-schemas.ts'
import { projectAt } from '../test/support/running-operator.ts'

const { values } = parseArgs({ args: argv.slice(2), options: { tests: { type: 'string', default: '100' } } })
const count = Number(values.tests)
const schemas = loadBuiltinSchemas()
const project = await projectAt()
const { tests } = await loadTests({ project, rolesPath: 'roles', schemas })
const ordinary = tests.filter(({ path }) => path.endsWith('faults.yaml'))
const begun = performance.now()
const before = cpuUsage()
let failed = 0
for (let index = 0; index < count; index++) {
  const test = ordinary[index % ordinary.length]
  const result = test && (await runTest(test, { project, schemas }))
  if (result?.failures.length !== 0) failed += 1
}
const seconds = (performance.now() - begun) / 1000
const { user, system } = cpuUsage(before)
stdout.write(`${count} role tests, Node ${version}, ${cpus().length} × ${cpus()[0]?.model}\n`)
stdout.write(
  `  seconds      ${seconds.toFixed(1)}\n  CPU seconds  ${((user + system) / 1e6).toFixed(1)}\n  failed       ${failed}\n`,
)
