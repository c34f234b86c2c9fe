import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadBuiltinSchemas } from '../../src/cli/sandbox-cluster.ts'
import { loadProject } from '../../src/config/load-project.ts'
import { loadTests } from '../../src/role-test/load-tests.ts'
import { builtinTaskKinds } from '../../src/tasks/builtin-task-kinds.ts'
import { printDiagnostics } from '../../src/yaml/print-diagnostics.ts'

/** What a broken file stands in place of, in the project beside this program. */
export const PLACES = {
  watches: 'watches.yaml',
  roles: 'roles/web/role.yaml',
  crds: 'roles/web/crd.yaml',
  samples: 'roles/web/samples/web.yaml',
  tests: 'roles/web/tests/broken.yaml',
} as const

export type Place = keyof typeof PLACES

/** A broken file, and the file that says what has to be told of it. */
export interface BrokenFile {
  readonly place: Place
  readonly name: string
  readonly path: string
  readonly expected: string
}

const schemas = loadBuiltinSchemas()

export function brokenFiles(): readonly BrokenFile[] {
  return (Object.keys(PLACES) as Place[]).flatMap((place) => {
    const folder = join(import.meta.dirname, place)
    const names = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
    return names.sort().map((file) => {
      const path = join(folder, file)
      return { place, name: file.replace('.yaml', ''), path, expected: path.replace('.yaml', '.txt') }
    })
  })
}

/** What `rolebook check` prints of the project with the file in its place; for a test, what `rolebook test` says before it runs. */
export async function checkBroken({ place, path }: BrokenFile): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-broken-'))
  try {
    cpSync(join(import.meta.dirname, 'project'), folder, { recursive: true })
    cpSync(path, join(folder, PLACES[place]))
    return (await printed(folder)).replaceAll(`${folder}/`, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function printed(folder: string): Promise<string> {
  const [watchesFile, rolesPath] = [join(folder, 'watches.yaml'), join(folder, 'roles')]
  const known = { kinds: builtinTaskKinds, schemas: { builtin: schemas }, environment: {} }
  const { project, diagnostics } = await loadProject({ watchesFile, rolesPath, ...known })
  const tests = project && (await loadTests({ project, rolesPath, schemas }))
  return `${printDiagnostics([...diagnostics, ...(tests?.diagnostics ?? [])], { color: false })}\n`
}

export function readExpected({ expected }: BrokenFile): string | undefined {
  try {
    return readFileSync(expected, 'utf8')
  } catch {
    return undefined
  }
}
