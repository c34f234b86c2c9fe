import { parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { loadInstallation } from '../../src/rolebook/cli/load-installation.ts'
import type { ProjectOptions } from '../../src/rolebook/config/load-project.ts'
import type { GeneratedFile } from '../../src/rolebook/generate/generated-file.ts'
import type { InstallSettings } from '../../src/rolebook/generate/install-settings.ts'
import { bundleFiles } from '../../src/rolebook/generate/olm/bundle-files.ts'

const SETTINGS: InstallSettings = { name: 'webs', namespace: 'webs-system', image: 'registry.example.com/webs:1.2.3' }
const BUNDLE = { version: '1.2.3', channel: 'stable', provider: 'Example' }
const PROJECT: ProjectOptions = {
  watchesFile: 'watches.yaml',
  rolesPath: 'roles',
  environment: {},
  kinds: builtinTaskKinds,
}

/** The bundle of a project: of this repository, unless another is given. */
export async function generatedBundle(
  project: Partial<ProjectOptions> = {},
  settings: Partial<InstallSettings> = {},
): Promise<readonly GeneratedFile[]> {
  const { installation, diagnostics } = await loadInstallation({ ...PROJECT, ...project }, { ...SETTINGS, ...settings })
  if (!installation) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return bundleFiles(installation, BUNDLE)
}

/** The objects in its manifests. */
export function manifestsOf(files: readonly GeneratedFile[]): readonly KubeObject[] {
  const manifests = files.filter(({ path }) => path.startsWith('manifests/'))
  return manifests.flatMap(({ text }) => parseAllDocuments(text).map((one) => one.toJS() as KubeObject))
}
