import type { KubeObject } from '../../core/kube/object.ts'
import { type Diagnostic, isError, sortDiagnostics } from '../../core/yaml/diagnostic.ts'
import type { Project } from '../../engine/operator/project.ts'
import { TaskPlaces } from '../../engine/role/parse/task-places.ts'
import type { ProjectResult } from '../config/load-project.ts'
import { loadProject, type ProjectOptions } from '../config/load-project.ts'
import { type ProjectTrialOptions, tryProject } from './try-project.ts'

export interface CheckOptions extends Pick<ProjectTrialOptions, 'charts'> {
  /** Which samples the roles of a project are meant to refuse. Defaults to none. */
  readonly refusals?: ((project: Project) => Promise<(sample: KubeObject) => boolean>) | undefined
}

/** Loads a project and tries its roles. A project with an error is none, as with `loadProject`. */
export async function checkProject(
  options: ProjectOptions,
  { charts, refusals }: CheckOptions = {},
): Promise<ProjectResult> {
  const places = new TaskPlaces()
  const { schemas } = options
  const result = await loadProject({ ...options, places })
  const { hash, project } = result
  if (!project || !schemas) return result
  const isRefusalExpected = await refusals?.(project)
  const found = await trialOf(result, { project, schemas, places, charts, isRefusalExpected })
  const diagnostics = sortDiagnostics([...result.diagnostics, ...found])
  return diagnostics.some(isError) ? { hash, diagnostics } : { hash, project, diagnostics }
}

/** What a trial of a loaded project finds, but for what the schemas have reported already: a mistake is said once. */
export async function trialOf(
  { diagnostics }: ProjectResult,
  { project, ...options }: ProjectTrialOptions & { readonly project: Project },
): Promise<readonly Diagnostic[]> {
  const known = new Set(diagnostics.map(placeOf))
  return (await tryProject(project, options)).filter((one) => !known.has(placeOf(one)))
}

function placeOf({ file, line, column }: Diagnostic): string {
  return `${file}:${line}:${column}`
}
