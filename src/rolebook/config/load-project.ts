import { type Diagnostic, isError, sortDiagnostics } from '../../core/yaml/diagnostic.ts'
import type { Project } from '../../engine/operator/project.ts'
import { RoleParser } from '../../engine/role/parse/parse-role.ts'
import type { TaskKind } from '../../engine/role/task-kind.ts'
import { TaskRegistry } from '../../engine/role/task-registry.ts'
import { frozenMounts } from './frozen-mounts.ts'
import { loadRoles, type RoleSettings } from './load-roles.ts'
import { parseWatches, type WatchDefaults } from './parse-watches.ts'
import { type ProjectFiles, type ProjectPlaces, readProjectFiles } from './project-files.ts'
import type { KnownSchemas } from './project-schemas.ts'

export interface ProjectOptions extends ProjectPlaces, WatchDefaults {
  /** The vocabulary of the roles. */
  readonly kinds: readonly TaskKind[]
  /** Schemas that roles are checked against, besides those of their CRDs. Absent: only what needs no schema is checked. */
  readonly schemas?: KnownSchemas | undefined
  /** Functions that expressions may call, besides those of the language. Defaults to none. */
  readonly functions?: RoleSettings['functions']
  readonly branches?: RoleSettings['branches']
  /** Learns where each task is written. */
  readonly places?: RoleSettings['places']
  /** The table of mounts of the system, for a project that is to be followed: what is mounted so that it never changes is refused. */
  readonly mountTable?: string | undefined
}

/** A snapshot of the files, and what became of it. */
export interface ProjectResult {
  /** Of the files, whether or not a project could be made of them. */
  readonly hash: string
  /** Absent when there is an error. */
  readonly project?: Project | undefined
  /** Everything that is wrong, warnings included, by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A folder to a project, or everything that is wrong with it at once. Never rejects for what users do. */
export async function loadProject(options: ProjectOptions): Promise<ProjectResult> {
  const files = await readProjectFiles(options)
  const result = buildProject(files, options)
  const frozen = options.mountTable === undefined ? [] : await frozenMounts(files, options.mountTable)
  if (frozen.length === 0) return result
  return { hash: result.hash, diagnostics: sortDiagnostics([...result.diagnostics, ...frozen]) }
}

/** The files of one moment to a project. */
export function buildProject(files: ProjectFiles, options: ProjectOptions): ProjectResult {
  const { hash, watches: file } = files
  const parser = parserOf(options.kinds)
  const parsed = file.source
    ? parseWatches(file.source, options)
    : { isReadable: false, entries: [], diagnostics: [file.problem] }
  const { watches, crds, samples, diagnostics } = loadRoles(parsed, files, {
    parser,
    rolesPath: options.rolesPath,
    schemas: options.schemas,
    branches: options.branches,
    places: options.places,
    functions: options.functions,
  })
  const all = sortDiagnostics([...files.diagnostics, ...parsed.diagnostics, ...diagnostics])
  if (all.some(isError)) return { hash, diagnostics: all }
  return { hash, project: Object.freeze({ hash, watches, crds, samples }), diagnostics: all }
}

/** To compile the schema of roles takes longer than to read a project, and projects are read whenever they change. */
const parsers = new WeakMap<readonly TaskKind[], RoleParser>()

function parserOf(kinds: readonly TaskKind[]): RoleParser {
  const parser = parsers.get(kinds) ?? new RoleParser(new TaskRegistry(kinds))
  parsers.set(kinds, parser)
  return parser
}
