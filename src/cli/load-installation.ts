import type { JsonObject } from '../base/json.ts'
import { buildProject, type ProjectOptions } from '../config/load-project.ts'
import type { Project, ProjectResult } from '../config/project.ts'
import { readProjectFiles } from '../config/project-files.ts'
import type { Installation } from '../generate/deploy-files.ts'
import type { InstallSettings } from '../generate/install-settings.ts'
import { type KindNames, kindsOf, offlineKindNames } from '../generate/kind-names.ts'
import { formatGvk } from '../kube/group-version-kind.ts'
import { UsageError } from './command.ts'
import { loadBuiltinSchemas } from './sandbox-cluster.ts'

export interface LoadedInstallation extends Pick<ProjectResult, 'diagnostics'> {
  /** Absent when there is an error. */
  readonly installation?: Installation
}

/** A project with its files, and the names of its kinds as far as they can be known offline. @throws UsageError */
export async function loadInstallation(
  options: ProjectOptions,
  settings: InstallSettings,
): Promise<LoadedInstallation> {
  const files = await readProjectFiles(options)
  const { project, diagnostics } = buildProject(files, options)
  if (!project) return { diagnostics }
  return { diagnostics, installation: { project, files, settings, names: namesFor(project, options.schemas?.crds) } }
}

function namesFor(project: Project, further: readonly JsonObject[] = []): KindNames {
  const own = project.crds as readonly object[] as readonly JsonObject[]
  const names = offlineKindNames([...own, ...further], loadBuiltinSchemas())
  const unknown = kindsOf(project).filter((gvk) => !names(gvk))
  if (unknown.length === 0) return names
  const kinds = unknown.map(formatGvk).join(', ')
  throw new UsageError(`nothing is known of ${kinds}: put the CRD into the folder of the role, or give --schemas`)
}
