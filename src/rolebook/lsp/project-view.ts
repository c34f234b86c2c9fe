import { join } from 'node:path'
import type { JsonObject } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import type { KindSchemas } from '../../engine/role/kind-schemas.ts'
import type { RoleParser } from '../../engine/role/parse/parse-role.ts'
import { filesOfRole } from '../config/files-of-role.ts'
import type { ProjectOptions } from '../config/load-project.ts'
import { type Manifest, parseManifests } from '../config/parse-manifests.ts'
import { type ParsedWatches, parseWatches } from '../config/parse-watches.ts'
import type { ProjectFiles } from '../config/project-files.ts'
import { type KnownSchemas, projectSchemas } from '../config/project-schemas.ts'
import type { TextFile } from '../config/read-text-file.ts'
import { analyseRole, type RoleAnalysis, type RoleParts } from './role-analysis.ts'

/** What a file of a project is for. */
export type FileUse =
  | { readonly use: 'watches' | 'manifests' | 'test' }
  /** `path`: below the folder of the role; absent for role.yaml itself. */
  | { readonly use: 'role' | 'tasks' | 'text'; readonly role: string; readonly path?: string }

export interface ViewOptions extends Omit<ProjectOptions, 'schemas'> {
  readonly schemas: KnownSchemas
  readonly parser: RoleParser
}

/** The files of a project at one moment, understood as far as an editor asks. */
export class ProjectView {
  readonly files: ProjectFiles
  readonly options: ViewOptions
  readonly #analyses = new Map<string, RoleAnalysis | undefined>()
  #watches: ParsedWatches | undefined
  #schemas: KindSchemas | undefined

  constructor(files: ProjectFiles, options: ViewOptions) {
    this.files = files
    this.options = options
  }

  get watches(): ParsedWatches {
    const { source } = this.files.watches
    this.#watches ??= source ? parseWatches(source, this.options) : { isReadable: false, entries: [], diagnostics: [] }
    return this.#watches
  }

  get schemas(): KindSchemas {
    this.#schemas ??= schemasOf(this.options.schemas, this.crds)
    return this.#schemas
  }

  /** CustomResourceDefinitions of all roles. */
  get crds(): readonly Manifest[] {
    return [...this.files.roles.values()].flatMap(({ crds }) => crds.flatMap(manifestsIn))
  }

  /** Samples of the kind that a role looks after. */
  samplesOf(role: string): readonly KubeObject[] {
    const kind = this.partsOf(role)?.watch.kind
    const files = this.files.roles.get(role)?.samples ?? []
    return files.flatMap(manifestsIn).flatMap(({ object }) => (object.kind === kind ? [object] : []))
  }

  /** `undefined` for a file that is not the project's. */
  useOf(path: string): FileUse | undefined {
    if (path === this.files.watches.path) return { use: 'watches' }
    for (const [role, files] of this.files.roles) {
      if (files.role.some((file) => file.path === path)) return { use: 'role', role }
      if ([...files.crds, ...files.samples].some((file) => file.path === path)) return { use: 'manifests' }
      for (const [name, file] of files.files) {
        if (file.path === path) return { use: name.startsWith('files/') ? 'text' : 'tasks', role, path: name }
      }
    }
    const [, kind] = path.slice(this.options.rolesPath.length + 1).split('/')
    return kind === 'tests' ? { use: 'test' } : undefined
  }

  /** What the engine sees in a role as its files are. */
  analysisOf(role: string): RoleAnalysis | undefined {
    if (!this.#analyses.has(role)) {
      const parts = this.partsOf(role)
      this.#analyses.set(role, parts && analyseRole(parts))
    }
    return this.#analyses.get(role)
  }

  /** `undefined` when there is no role of this name. One that no entry uses is taken to look after a kind that is not known. */
  partsOf(role: string): RoleParts | undefined {
    const source = this.files.roles.get(role)?.role[0]?.source
    if (!source) return undefined
    const entry = this.watches.entries.find(({ watch }) => watch.role === role)
    return {
      name: role,
      source,
      sources: filesOfRole(role, this.files, this.options.rolesPath),
      watch: entry?.watch.gvk ?? { group: '', version: '', kind: '' },
      vars: entry?.watch.vars ?? {},
      schemas: this.schemas,
      parser: this.options.parser,
    }
  }

  /** Where a path below the folder of a role leads to, or `undefined` when nothing is there. */
  fileOfRole(role: string, path: string): string | undefined {
    const files = this.files.roles.get(role)
    const text = files?.files.get(path) ?? files?.files.get(`files/${path}`)
    if (text) return text.path
    const charts = [...(files?.charts?.files.keys() ?? [])]
    const chart = charts.includes(path) ? path : charts.find((name) => name === `${path}/Chart.yaml`)
    return chart && join(this.options.rolesPath, role, chart)
  }
}

const manifests = new WeakMap<SourceFile, readonly Manifest[]>()

/** Files that have not changed are read once. */
function manifestsIn({ source }: TextFile): readonly Manifest[] {
  if (!source) return []
  const found = manifests.get(source) ?? parseManifests(source).manifests
  manifests.set(source, found)
  return found
}

const schemas = new WeakMap<KnownSchemas, { readonly crds: readonly JsonObject[]; readonly found: KindSchemas }>()

/** Types that come of schemas are remembered by them, so that schemas have to stay the same while their CRDs do. */
function schemasOf(known: KnownSchemas, crds: readonly Manifest[]): KindSchemas {
  const objects = crds.map(({ object }) => object)
  const last = schemas.get(known)
  if (last && last.crds.length === objects.length && last.crds.every((crd, index) => crd === objects[index]))
    return last.found
  const found = projectSchemas(known, crds)
  schemas.set(known, { crds: objects, found })
  return found
}
