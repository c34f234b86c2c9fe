import { join } from 'node:path'
import { jsonEquals } from '../../core/base/json.ts'
import { didYouMean } from '../../core/base/nearest-name.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { type Diagnostic, diagnosticAt, diagnosticOf } from '../../core/yaml/diagnostic.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import type { Project, SampleFile, WatchedRole } from '../../engine/operator/project.ts'
import { type CompileOptions, compileRole } from '../../engine/role/compile/compile-role.ts'
import type { KindSchemas } from '../../engine/role/kind-schemas.ts'
import type { RoleDraft, RoleParser } from '../../engine/role/parse/parse-role.ts'
import { checkCrdPaths } from './check-crd-paths.ts'
import { checkSample, checkSchemasOf } from './check-schemas.ts'
import { checkWholeCrd } from './check-whole-crd.ts'
import { checkCrd, findCrd, hasVersion, missingStatusFields, topFields } from './custom-resource-definition.ts'
import { filesOfRole } from './files-of-role.ts'
import { type Manifest, parseManifests } from './parse-manifests.ts'
import type { ParsedWatches, WatchEntry } from './parse-watches.ts'
import type { ProjectFiles } from './project-files.ts'
import { type KnownSchemas, projectSchemas } from './project-schemas.ts'
import type { TextFile } from './read-text-file.ts'

export interface LoadedRoles extends Omit<Project, 'hash'> {
  readonly diagnostics: readonly Diagnostic[]
}

export interface RoleSettings {
  readonly parser: RoleParser
  /** For messages. */
  readonly rolesPath: string
  /** Schemas of kinds besides those of the CRDs of the project. Absent: nothing is claimed that takes schemas. */
  readonly schemas?: KnownSchemas | undefined
  readonly functions?: CompileOptions['functions']
  /** By the name of a role: the observer of the branches of its expressions. */
  readonly branches?: ((role: string) => CompileOptions['branches']) | undefined
  readonly places?: CompileOptions['places']
}

/** The roles that entries name, compiled once for each entry, with their CRDs and samples. */
export function loadRoles(parsed: ParsedWatches, files: ProjectFiles, settings: RoleSettings): LoadedRoles {
  const loader = new RoleLoader(files, settings)
  // An entry without a role that can be read was reported.
  const entries = parsed.entries.filter(({ watch }) => watch.role !== '')
  const used = [...new Set(entries.map(({ watch }) => watch.role))]
  for (const name of used) loader.read(name)
  loader.checkSamples()
  const watches = entries.flatMap((entry) => loader.compile(entry) ?? [])
  if (parsed.isReadable) loader.warnOfUnused(used)
  return {
    watches: Object.freeze(watches),
    crds: Object.freeze(loader.crds.map(({ object }) => object)),
    samples: Object.freeze(loader.samples),
    diagnostics: loader.diagnostics,
  }
}

class RoleLoader {
  readonly diagnostics: Diagnostic[] = []
  readonly crds: Manifest[] = []
  readonly samples: SampleFile[] = []
  readonly #files: ProjectFiles
  readonly #settings: RoleSettings
  readonly #drafts = new Map<string, RoleDraft>()
  readonly #sampled: Manifest[] = []
  #known: KindSchemas | undefined

  constructor(files: ProjectFiles, settings: RoleSettings) {
    this.#files = files
    this.#settings = settings
  }

  read(name: string): void {
    const { role = [], crds = [], samples = [] } = this.#files.roles.get(name) ?? {}
    const [file] = role
    if (file) this.#readDraft(name, file)
    for (const twice of [role, crds]) this.#reportTwice(twice)
    for (const crd of crds) this.#readCrds(crd)
    for (const sample of samples) this.#readSample(sample)
  }

  compile({ watch, locate }: WatchEntry): WatchedRole | undefined {
    const problem = this.#roleProblem(watch.role)
    if (problem) this.diagnostics.push(diagnosticAt(locate(['role']), problem))
    const { version } = watch.gvk
    const crd = findCrd(this.crds, watch.gvk)
    if (crd && version !== '' && !hasVersion(crd, version)) {
      const message = `the CRD in ${crd.document.source.path} has no version ${version}`
      this.diagnostics.push(diagnosticAt(locate(['version']), { code: 'RB1316', message }))
    }
    const draft = this.#drafts.get(watch.role)
    if (!draft) return undefined
    const fields = crd ? topFields(crd, version) : fieldsOf(this.#schemas?.get(watch.gvk))
    if (crd && watch.manageStatus) this.#warnOfStatus(crd, version)
    const { gvk, vars, acknowledge } = watch
    const options = { name: watch.role, watch: gvk, vars, fields, schemas: this.#schemas, acknowledge }
    const branches = this.#settings.branches?.(watch.role)
    const { functions, places } = this.#settings
    const { role, diagnostics } = compileRole(draft, { ...options, functions, branches, places })
    this.diagnostics.push(...diagnostics)
    return role && Object.freeze({ watch, role })
  }

  /** When all roles are read: what a server would say to the samples. */
  checkSamples(): void {
    const schemas = this.#schemas
    if (schemas) this.diagnostics.push(...this.#sampled.flatMap((sample) => checkSample(sample, schemas)))
  }

  /** Asked for when all CRDs are read. */
  get #schemas(): KindSchemas | undefined {
    const { schemas } = this.#settings
    this.#known ??= schemas && projectSchemas(schemas, this.crds)
    return this.#known
  }

  warnOfUnused(used: readonly string[]): void {
    for (const [name, { role }] of this.#files.roles) {
      const [file] = role
      // `web.tasks.yaml` may be a file of the role `web`.
      if (!file || used.some((one) => one === name || name.startsWith(`${one}.`))) continue
      const message = `no entry of watches.yaml uses the role "${name}"`
      this.diagnostics.push(diagnosticOf(file.path, { severity: 'warning', code: 'RB1313', message }))
    }
  }

  #readDraft(name: string, file: TextFile): void {
    const source = this.#sourceOf(file)
    if (!source) return
    const sources = filesOfRole(name, this.#files, this.#settings.rolesPath)
    const { draft, diagnostics } = this.#settings.parser.parse(source, sources)
    this.diagnostics.push(...diagnostics)
    if (draft) this.#drafts.set(name, draft)
  }

  #readManifests(file: TextFile): readonly Manifest[] {
    const source = this.#sourceOf(file)
    if (!source) return []
    const { manifests, diagnostics } = parseManifests(source)
    this.diagnostics.push(...diagnostics)
    return manifests
  }

  #sourceOf(file: TextFile): SourceFile | undefined {
    if (!file.source) this.diagnostics.push(file.problem)
    return file.source
  }

  #readCrds(file: TextFile): void {
    for (const manifest of this.#readManifests(file)) {
      const problems = this.#crdProblems(manifest)
      this.diagnostics.push(...problems)
      if (problems.length > 0) continue
      this.#addCrd(manifest)
      this.diagnostics.push(...checkCrdPaths(manifest))
    }
  }

  #crdProblems(crd: Manifest): readonly Diagnostic[] {
    const unfit = checkCrd(crd)
    if (unfit.length > 0) return unfit
    const { schemas } = this.#settings
    return schemas ? checkWholeCrd(crd, schemas.builtin) : checkSchemasOf(crd)
  }

  /** Roles for versions of one kind may each have its CRD beside them, as long as all are the same. */
  #addCrd(crd: Manifest): void {
    const { name } = crd.object.metadata
    const former = this.crds.find(({ object }) => object.metadata.name === name)
    if (!former) this.crds.push(crd)
    else if (!jsonEquals(former.object, crd.object)) {
      const message = `another CRD "${name}" is in ${former.document.source.path}`
      const problem = { code: 'RB1312', message, hint: 'remove one of the two: a CRD counts for all roles' }
      this.diagnostics.push(diagnosticAt(crd.document.locate(['metadata', 'name']), problem))
    }
  }

  #readSample(file: TextFile): void {
    const manifests = this.#readManifests(file)
    this.#sampled.push(...manifests)
    const objects = manifests.map(({ object }) => object)
    this.samples.push(Object.freeze({ path: file.path, objects: Object.freeze(objects) }))
  }

  #reportTwice([first, second]: readonly TextFile[]): void {
    if (!first || !second) return
    const problem = { code: 'RB1312', message: `the same is in ${first.path}`, hint: 'remove one of the two files' }
    this.diagnostics.push(diagnosticOf(second.path, problem))
  }

  #warnOfStatus(crd: Manifest, version: string): void {
    const missing = this.#settings.schemas ? missingStatusFields(crd, version) : undefined
    if (missing === undefined) return
    const message = `the status has no room for ${missing.fields.join(' and ')}: the server drops what the engine says`
    const hint = 'add them to the schema, or set `manageStatus: false` in watches.yaml'
    const problem = { severity: 'warning', code: 'RB1136', message, hint } as const
    this.diagnostics.push(diagnosticAt(crd.document.locate(missing.path, 'key'), problem))
  }

  #roleProblem(name: string) {
    const { rolesPath } = this.#settings
    const names = [...this.#files.roles].filter(([, { role }]) => role.length > 0).map(([other]) => other)
    const alike = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase())
    if (names.includes(name)) {
      const message = `the roles "${name}" and "${alike}" differ only in case`
      return alike === undefined
        ? undefined
        : { code: 'RB1312', message, hint: 'rename one: some file systems take them for one' }
    }
    const looked = `it would be ${join(rolesPath, name, 'role.yaml')} or ${join(rolesPath, `${name}.yaml`)}`
    return { code: 'RB1311', message: `there is no role "${name}"`, hint: didYouMean(name, names) ?? looked }
  }
}

/** What an expression may read first of a kind that is not the project's own. */
function fieldsOf(schema: Schema | undefined): ReadonlySet<string> | undefined {
  if (schema?.properties === undefined) return undefined
  return new Set(Object.keys(schema.properties).filter((name) => name !== 'status'))
}
