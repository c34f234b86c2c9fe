import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { builtinTaskKinds } from '../../../engine/tasks/builtin-task-kinds.ts'
import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import { loadProject, type ProjectOptions } from '../../config/load-project.ts'
import { runRoleTests } from '../role-tests.ts'
import type { Terminal } from '../terminal.ts'
import { testsFor } from './written-tests.ts'

export interface TestPlaces {
  readonly watchesFile: string
  readonly rolesPath: string
}

/** Writes tests of what roles without any make of their samples; the paths of those. A project that cannot be loaded has none. */
export async function addTests(places: TestPlaces, terminal: Terminal): Promise<readonly string[]> {
  const schemas = loadBuiltinSchemas()
  const { environment, stopped } = terminal
  const known = { namespaces: undefined, kinds: builtinTaskKinds, schemas: { builtin: schemas } }
  const files: ProjectOptions = { ...places, environment, ...known }
  const { project } = await loadProject(files)
  const tests = project ? await testsFor(project, files.rolesPath, schemas) : []
  for (const { path, text } of tests) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const written = new Set(tests.map(({ path }) => path))
  // What the clock of a test shows otherwise is taken over: the test says what the role does.
  const options = { files, schemas, reporter: 'table', update: true, coverage: false } as const
  // What they print is of no interest to a person who has not seen them.
  const silent = { out: () => undefined, err: () => undefined, interactive: false, color: false, environment, stopped }
  if (tests.length > 0) await runRoleTests({ ...options, terminal: silent, selects: ({ path }) => written.has(path) })
  return [...written]
}
