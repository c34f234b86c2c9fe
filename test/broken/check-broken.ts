import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFaults } from '../../src/cli/faults/parse-faults.ts'
import { FolderFiles } from '../../src/cli/folder-files.ts'
import { loadBuiltinSchemas } from '../../src/cli/load-builtin-schemas.ts'
import { loadProject } from '../../src/config/load-project.ts'
import { migrateAnsible } from '../../src/migrate/migrate-ansible.ts'
import { printReport } from '../../src/migrate/print-report.ts'
import { loadTests } from '../../src/role-test/load-tests.ts'
import { builtinTaskKinds } from '../../src/tasks/builtin-task-kinds.ts'
import type { Diagnostic } from '../../src/yaml/diagnostic.ts'
import { printDiagnostics } from '../../src/yaml/print-diagnostics.ts'
import { SourceFile } from '../../src/yaml/source-file.ts'

type Check = (folder: string) => Promise<string>

/** Where a broken file lies in a copy of the project beside this program, and who tells what is wrong with it. */
const PLACES: Readonly<Record<string, { readonly path: string; readonly check: Check }>> = {
  watches: { path: 'watches.yaml', check: checkProject },
  roles: { path: 'roles/web/role.yaml', check: checkProject },
  crds: { path: 'roles/web/crd.yaml', check: checkProject },
  samples: { path: 'roles/web/samples/web.yaml', check: checkProject },
  tests: { path: 'roles/web/tests/broken.yaml', check: checkProject },
  faults: { path: 'faults.yaml', check: checkFaults },
  /** Several files; those that the file `REMOVED` names are not there. */
  projects: { path: '', check: checkProject },
  /** Projects of an Ansible operator. */
  ansible: { path: 'ansible', check: checkMigration },
}

export const PLACE_NAMES = Object.keys(PLACES)

/** A broken file or folder, and the file that says what has to be told of it. */
export interface BrokenFile {
  readonly place: string
  readonly name: string
  readonly path: string
  readonly expected: string
}

const schemas = loadBuiltinSchemas()

export function brokenFiles(): readonly BrokenFile[] {
  return PLACE_NAMES.flatMap((place) => {
    const folder = join(import.meta.dirname, place)
    const names = readdirSync(folder).filter((file) => !file.endsWith('.txt'))
    return names.sort().map((file) => {
      const name = file.replace('.yaml', '')
      return { place, name, path: join(folder, file), expected: join(folder, `${name}.txt`) }
    })
  })
}

/** What is printed of the project with the file in its place: by `check`, for tests by `test` before it runs, by `migrate`. */
export async function checkBroken({ place, path }: BrokenFile): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-broken-'))
  const at = PLACES[place] as (typeof PLACES)[string]
  try {
    cpSync(join(import.meta.dirname, 'project'), folder, { recursive: true })
    if (lstatSync(path).isDirectory()) for (const removed of removedIn(path)) rmSync(join(folder, removed))
    cpSync(path, join(folder, at.path), { recursive: true, verbatimSymlinks: true })
    return (await at.check(folder)).replaceAll(`${folder}/`, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function removedIn(path: string): readonly string[] {
  const list = join(path, 'REMOVED')
  return existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []
}

async function checkProject(folder: string): Promise<string> {
  const [watchesFile, rolesPath] = [join(folder, 'watches.yaml'), join(folder, 'roles')]
  const known = { kinds: builtinTaskKinds, schemas: { builtin: schemas }, environment: {} }
  const { project, diagnostics } = await loadProject({ watchesFile, rolesPath, ...known })
  const tests = project && (await loadTests({ project, rolesPath, schemas }))
  return printed([...diagnostics, ...(tests?.diagnostics ?? [])])
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
  return `${printDiagnostics(diagnostics, { color: false })}\n`
}

export function readExpected({ expected }: BrokenFile): string | undefined {
  try {
    return readFileSync(expected, 'utf8')
  } catch {
    return undefined
  }
}
