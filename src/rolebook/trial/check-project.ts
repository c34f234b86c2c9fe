import { type Diagnostic, isError, sortDiagnostics } from '../../core/yaml/diagnostic.ts'
import { TaskPlaces } from '../../engine/role/task-places.ts'
import type { ProjectResult } from '../config/load-project.ts'
import { loadProject, type ProjectOptions } from '../config/load-project.ts'
import { type ProjectTrialOptions, tryProject } from './try-project.ts'

/** Loads a project and tries its roles. A project with an error is none, as with `loadProject`. */
export async function checkProject(
  options: ProjectOptions,
  { charts }: Pick<ProjectTrialOptions, 'charts'> = {},
): Promise<ProjectResult> {
  const places = new TaskPlaces()
  const { schemas } = options
  const result = await loadProject({ ...options, places })
  const { hash, project } = result
  if (!project || !schemas) return result
  const known = new Set(result.diagnostics.map(placeOf))
  // What the schemas have reported already is said once.
  const found = (await tryProject(project, { schemas, places, charts })).filter((one) => !known.has(placeOf(one)))
  const diagnostics = sortDiagnostics([...result.diagnostics, ...found])
  return diagnostics.some(isError) ? { hash, diagnostics } : { hash, project, diagnostics }
}

function placeOf({ file, line, column }: Diagnostic): string {
  return `${file}:${line}:${column}`
}
