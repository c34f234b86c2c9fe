import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { printDiagnostics } from '../../../src/core/yaml/print-diagnostics.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { parseFaults } from '../../../src/rolebook/cli/faults/parse-faults.ts'
import { FolderFiles } from '../../../src/rolebook/cli/folder-files.ts'
import { migrateAnsible } from '../../../src/rolebook/migrate/migrate-ansible.ts'
import { printReport } from '../../../src/rolebook/migrate/print-report.ts'
import { loadTests } from '../../../src/rolebook/role-test/load-tests.ts'
import { checkProject as checked } from '../../../src/rolebook/trial/check-project.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import type { BrokenCase } from './broken-cases.ts'

type Check = (folder: string) => Promise<string>

/** Where in a copy of the project the cases of a place go, and what checks the copy. */
const PLACES: Readonly<Record<string, { readonly path: string; readonly check: Check }>> = {
  watches: { path: 'watches.yaml', check: checkProject },
  roles: { path: 'roles/web/role.yaml', check: checkProject },
  crds: { path: 'roles/web/crd.yaml', check: checkProject },
  samples: { path: 'roles/web/samples/web.yaml', check: checkProject },
  tests: { path: 'roles/web/tests/broken.yaml', check: checkProject },
  faults: { path: 'faults.yaml', check: checkFaults },
  /** Several files; the file `REMOVED` names those of the project that are not there. */
  projects: { path: '', check: checkProject },
  /** Projects of an Ansible operator. */
  ansible: { path: 'ansible', check: checkMigration },
}

const schemas = loadBuiltinSchemas()

/** What is printed of the project with the case in its place: by `check`, for tests by `test` before it runs, by `migrate`. */
export async function checkBroken({ place, given }: BrokenCase): Promise<string> {
  const at = PLACES[place] as (typeof PLACES)[string]
  if ('text' in given) return withText(at.path, given.text, async (copy) => pathsWithin(copy, await at.check(copy)))
  const copy = copyOfProject()
  try {
    layOver(copy, given.folder, at.path)
    return pathsWithin(copy, await at.check(copy))
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** What is found in a file of a project whose text is another one. */
export function findingsWith(place: keyof typeof PLACES, text: string): Promise<readonly Diagnostic[]> {
  const { path } = PLACES[place] as (typeof PLACES)[string]
  return withText(path, text, async (copy) => {
    const found = await findingsInProject(copy)
    return found.filter(({ file }) => file === join(copy, path))
  })
}

function pathsWithin(copy: string, printed: string): string {
  return `${printed.replaceAll(`${copy}/`, '').trimEnd()}\n`
}

/**
 * What `look` makes of a project in which one file has another text. All callers share a copy of the project, because to make and remove one
 * takes as long as to check it.
 */
async function withText<Result>(path: string, text: string, look: (copy: string) => Promise<Result>): Promise<Result> {
  shared ??= sharedCopy()
  const file = join(shared, path)
  const former = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  writeFile(file, text)
  try {
    return await look(shared)
  } finally {
    if (former === undefined) rmSync(file)
    else writeFileSync(file, former)
  }
}

let shared: string | undefined

function sharedCopy(): string {
  const copy = copyOfProject()
  process.once('exit', () => rmSync(copy, { recursive: true }))
  return copy
}

function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'rolebook-broken-'))
  cpSync(join(import.meta.dirname, 'project'), copy, { recursive: true })
  return copy
}

function layOver(copy: string, folder: string, path: string): void {
  const list = join(folder, 'REMOVED')
  const removed = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []
  for (const one of removed) rmSync(join(copy, one))
  cpSync(folder, join(copy, path), { recursive: true, verbatimSymlinks: true })
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function checkProject(folder: string): Promise<string> {
  return printed(await findingsInProject(folder))
}

async function findingsInProject(folder: string): Promise<readonly Diagnostic[]> {
  const [watchesFile, rolesPath] = [join(folder, 'watches.yaml'), join(folder, 'roles')]
  const known = { kinds: builtinTaskKinds, schemas: { builtin: schemas }, environment: {} }
  const { project, diagnostics } = await checked({ watchesFile, rolesPath, ...known })
  const tests = project && (await loadTests({ project, rolesPath, schemas }))
  return [...diagnostics, ...(tests?.diagnostics ?? [])]
}

async function checkFaults(folder: string): Promise<string> {
  const path = join(folder, 'faults.yaml')
  return printed(parseFaults(new SourceFile(path, readFileSync(path, 'utf8'))).diagnostics)
}

async function checkMigration(folder: string): Promise<string> {
  const { diagnostics, findings } = migrateAnsible(new FolderFiles(join(folder, 'ansible')), { adopt: false })
  return diagnostics.length > 0 ? printed(diagnostics) : printReport(findings)
}

function printed(diagnostics: readonly Diagnostic[]): string {
  return printDiagnostics(diagnostics, { color: false })
}
