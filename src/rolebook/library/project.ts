import { join } from 'node:path'
import { CodedError } from '../../core/base/coded-error.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { type Diagnostic, isError } from '../../core/yaml/diagnostic.ts'
import { printDiagnostics } from '../../core/yaml/print-diagnostics.ts'
import type { ExpressionFunction } from '../../engine/expression/function-table.ts'
import type { Project as CompiledProject } from '../../engine/operator/project.ts'
import type { TaskKind } from '../../engine/role/task-kind.ts'
import { builtinTaskKinds } from '../../engine/tasks/builtin-task-kinds.ts'
import { loadBuiltinSchemas } from '../../sandbox/cluster/load-builtin-schemas.ts'
import { loadProject as loadFolder } from '../config/load-project.ts'
import { offlineKindNames } from '../generate/kind-names.ts'
import { neededRights } from '../generate/needed-rights.ts'
import type { Right } from '../generate/right.ts'

export interface LoadOptions {
  /** It holds `watches.yaml` and `roles/`. */
  readonly folder: string
  /** Kinds of tasks that roles may use besides those of rolebook. Defaults to none. */
  readonly taskKinds?: readonly TaskKind[] | undefined
  /** Functions that expressions may call besides those of the language, made by `defineFunction`. Defaults to none. */
  readonly functions?: readonly ExpressionFunction[] | undefined
  /** Values of the variables that `watches.yaml` may name. Defaults to none. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
}

/** Something that a person has to look at in a file. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'note'
  /** As `docs/errors.md` lists it: `RB1201`. */
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly file: string
  /** From 1, like `column`. */
  readonly line: number
  readonly column: number
}

/** A project that cannot be loaded. The message is what `rolebook check` prints. */
export class ProjectError extends CodedError {
  /** Errors and warnings, by file and line. */
  readonly findings: readonly Finding[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super('InvalidProject', printDiagnostics(diagnostics).trimEnd())
    this.findings = diagnostics.map(findingOf)
  }
}

/** The files of a project, checked and compiled. It does not change when the files do. */
export interface Project {
  /** The CustomResourceDefinitions of the roles. */
  readonly crds: readonly KubeObject[]
  /** The objects of `roles/<role>/samples/`. */
  readonly samples: readonly KubeObject[]
  readonly warnings: readonly Finding[]
  /**
   * What an operator that is installed in a namespace may ask of the API server, and no more. `rolebook generate rbac` writes the
   * same as manifests. `namespace` defaults to `default`.
   */
  rights(namespace?: string): readonly Right[]
}

/**
 * Reads, checks and compiles a project.
 *
 * @throws ProjectError with every mistake, if there is one
 */
export async function loadProject({
  folder,
  taskKinds = [],
  functions = [],
  environment = {},
}: LoadOptions): Promise<Project> {
  const builtin = loadBuiltinSchemas()
  const { project, diagnostics } = await loadFolder({
    watchesFile: join(folder, 'watches.yaml'),
    rolesPath: join(folder, 'roles'),
    environment,
    kinds: taskKinds.length === 0 ? builtinTaskKinds : [...builtinTaskKinds, ...taskKinds],
    functions,
    schemas: { builtin },
  })
  if (!project) throw new ProjectError(diagnostics)
  const loaded: Project = {
    crds: project.crds,
    samples: project.samples.flatMap(({ objects }) => objects),
    warnings: diagnostics.filter((one) => !isError(one)).map(findingOf),
    rights: (namespace = 'default') =>
      neededRights(project, { namespace, names: offlineKindNames(project.crds, builtin) }),
  }
  compiled.set(loaded, project)
  return Object.freeze(loaded)
}

const compiled = new WeakMap<Project, CompiledProject>()

/** @throws Error when `loadProject` did not make it */
export function compiledProject(project: Project): CompiledProject {
  const found = compiled.get(project)
  if (!found) throw new Error('cannot use the project: it was not made by loadProject of this copy of rolebook')
  return found
}

function findingOf({ severity, code, message, hint, file, line, column }: Diagnostic): Finding {
  return { severity, code, message, hint, file, line, column }
}
