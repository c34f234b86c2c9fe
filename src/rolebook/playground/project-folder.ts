import { join } from 'node:path'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import type { Diagnostic } from '../../core/yaml/diagnostic.ts'
import type { Project } from '../../engine/operator/project.ts'
import { builtinTaskKinds } from '../../engine/tasks/builtin-task-kinds.ts'
import { loadTests } from '../role-test/load-tests.ts'
import { printResult } from '../role-test/print-table.ts'
import { runTest } from '../role-test/run-test.ts'
import { checkProject } from '../trial/check-project.ts'
import type { DiagnosticView, TestView } from './protocol.ts'
import { fixesFor } from './quick-fixes.ts'

/** Where the texts of the page stand as files, and what projects need besides. */
export interface ProjectTools {
  readonly folder: string
  readonly schemas: BuiltinSchemas
  readonly charts: ChartRenderer
}

/** The project in the folder, and what `rolebook check` says of it. */
export async function openFolder({ folder, schemas, charts }: ProjectTools) {
  const options = { environment: {}, kinds: builtinTaskKinds, schemas: { builtin: schemas } }
  const { project, diagnostics } = await checkProject({ ...placesIn(folder), ...options }, { charts })
  return { project, diagnostics: diagnostics.map((one) => diagnosticView(one, folder)) }
}

/** The results of the tests of all roles, each on a server and an operator of its own. */
export async function runTests(
  project: Project,
  { folder, schemas, charts }: ProjectTools,
): Promise<readonly TestView[]> {
  const { rolesPath } = placesIn(folder)
  const { tests, diagnostics } = await loadTests({ project, schemas, rolesPath })
  const wrong = diagnostics.map((one) => ({
    ...{ role: '', path: below(one.file, folder), isPassed: false },
    report: plain(`${one.file}:${one.line}:${one.column}: ${one.message}`, folder),
  }))
  const results: TestView[] = []
  for (const test of tests) {
    const result = await runTest(test, { project, schemas, charts })
    const isPassed = result.failures.length === 0
    const report = plain(printResult(result).trimEnd(), folder)
    results.push({ role: test.role, path: below(test.path, folder), isPassed, report })
  }
  return [...wrong, ...results]
}

function placesIn(folder: string): { readonly watchesFile: string; readonly rolesPath: string } {
  return { watchesFile: join(folder, 'watches.yaml'), rolesPath: join(folder, 'roles') }
}

function diagnosticView({ source, ...one }: Diagnostic, folder: string): DiagnosticView {
  const { hint } = one
  return {
    ...one,
    file: below(one.file, folder),
    message: plain(one.message, folder),
    hint: hint === undefined ? undefined : plain(hint, folder),
    fixes: source ? fixesFor(one, source) : [],
  }
}

/** The text with paths as seen from the folder. */
function plain(text: string, folder: string): string {
  return text.replaceAll(`${folder}/`, '')
}

function below(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}
