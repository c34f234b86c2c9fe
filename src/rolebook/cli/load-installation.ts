import type { JsonObject } from '../../core/base/json.ts'
import { formatGvk } from '../../core/kube/group-version-kind.ts'
import { loadBuiltinSchemas } from '../../sandbox/cluster/load-builtin-schemas.ts'
import type { ProjectResult } from '../config/load-project.ts'
import { buildProject, type ProjectOptions } from '../config/load-project.ts'
import { readProjectFiles } from '../config/project-files.ts'
import type { Installation } from '../generate/deploy-files.ts'
import type { InstallSettings } from '../generate/install-settings.ts'
import { kindsOf, offlineKindNames } from '../generate/kind-names.ts'
import { UsageError } from './command.ts'

export interface LoadedInstallation extends Pick<ProjectResult, 'diagnostics'> {
  /** Absent when there is an error. */
  readonly installation?: Installation
}

/** A project with its files, and the names of its kinds as far as they can be known offline. */
export async function loadInstallation(
  options: ProjectOptions,
  settings: InstallSettings,
): Promise<LoadedInstallation> {
  const files = await readProjectFiles(options)
  const { project, diagnostics } = buildProject(files, options)
  if (!project) return { diagnostics }
  const builtin = loadBuiltinSchemas()
  const own = project.crds as readonly object[] as readonly JsonObject[]
  const names = offlineKindNames([...own, ...(options.schemas?.crds ?? [])], builtin)
  return { diagnostics, installation: { project, files, settings, names, builtin } }
}

/** @throws UsageError when there is a kind that no rule can name */
export function refuseUnknownKinds({ project, names }: Installation): void {
  const unknown = kindsOf(project).filter((gvk) => !names(gvk))
  if (unknown.length === 0) return
  const kinds = unknown.map(formatGvk).join(', ')
  const remedy = 'put the CRD into the folder of the role (rolebook generate crd makes a draft), or give --schemas'
  throw new UsageError(`nothing is known of ${kinds}: ${remedy}`)
}
