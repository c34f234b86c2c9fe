import { readFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import type { KubeObject } from '../../core/kube/object.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import type { Diagnostic, Problem } from '../../core/yaml/diagnostic.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import type { Project } from '../../engine/operator/project.ts'
import { parseManifests } from '../config/parse-manifests.ts'
import { readTextFile, type TextFile } from '../config/read-text-file.ts'
import { findTestFiles, type TestFile } from './find-test-files.ts'
import { KindNames } from './kind-names.ts'
import { parseTest } from './parse-test.ts'
import type { TestCase } from './test-case.ts'

export interface LoadedTests {
  readonly tests: readonly TestCase[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface LoadOptions {
  readonly project: Project
  readonly rolesPath: string
  readonly schemas: BuiltinSchemas
  /** Which files are read. Defaults to all. */
  readonly selects?: ((path: string) => boolean) | undefined
  /** Texts that an editor has of files, by their path, instead of what is on disk. Defaults to none. */
  readonly open?: ReadonlyMap<string, SourceFile> | undefined
}

/** The tests of all roles, in the order of their paths, or everything that is wrong with them. */
export async function loadTests({ project, rolesPath, schemas, selects, open }: LoadOptions): Promise<LoadedTests> {
  const kinds = new KindNames(schemas, project.crds)
  const tests: TestCase[] = []
  const diagnostics: Diagnostic[] = []
  const files = findTestFiles(rolesPath)
  const root = files.length === 0 ? rolesPath : await realpath(rolesPath)
  for (const file of files) {
    if (selects && !selects(file.path)) continue
    const { source, ...rest } = openFile(file.path, open) ?? (await readTextFile(file.path, root))
    if (!source) {
      if ('problem' in rest) diagnostics.push(rest.problem)
      continue
    }
    const watched = watchedBy(project, file)
    const parsed = parseTest(source, {
      role: file.role,
      kinds,
      watched,
      readFile: (path) => readGiven(file.path, path),
    })
    diagnostics.push(...parsed.diagnostics)
    if (parsed.test) tests.push(parsed.test)
  }
  return { tests, diagnostics }
}

function openFile(path: string, open: LoadOptions['open']): TextFile | undefined {
  const source = open?.get(path)
  return source && { path, source }
}

/** The kinds that a role looks after, then those that it makes and reads: a test means these. */
function watchedBy(project: Project, { role: name }: TestFile) {
  const entries = project.watches.filter(({ watch }) => watch.role === name)
  const used = entries.flatMap(({ role }) => role.permissions.map(({ gvk }) => gvk))
  return [...entries.map(({ watch }) => watch.gvk), ...used]
}

/** Paths are relative to the test. */
function readGiven(test: string, path: string): { readonly objects: readonly KubeObject[] } | Problem {
  const whole = normalize(join(dirname(test), path))
  try {
    const { manifests, diagnostics } = parseManifests(new SourceFile(whole, readFileSync(whole, 'utf8')))
    const [first] = diagnostics
    if (!first) return { objects: manifests.map(({ object }) => object) }
    return { code: 'RB1606', message: `${first.file}:${first.line}:${first.column}: ${first.message}` }
  } catch {
    return { code: 'RB1606', message: `cannot read ${whole}`, hint: 'paths are relative to the test' }
  }
}
