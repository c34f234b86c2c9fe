import { join } from 'node:path'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { loadInstallation } from '../../src/rolebook/cli/load-installation.ts'
import { programVersion } from '../../src/rolebook/cli/program-version.ts'
import { deployFiles } from '../../src/rolebook/generate/deploy-files.ts'
import { stockDockerfile } from '../../src/rolebook/generate/dockerfile.ts'

const root = join(import.meta.dirname, '../..')

/** `deploy/` as `rolebook generate deploy` and `rolebook generate dockerfile --stock` write it. */
export async function deployFolder(): Promise<Readonly<Record<string, string>>> {
  const image = `rolebook:${programVersion()}`
  const { installation, diagnostics } = await loadInstallation(
    {
      watchesFile: join(root, 'watches.yaml'),
      rolesPath: join(root, 'roles'),
      environment: {},
      kinds: builtinTaskKinds,
    },
    { name: 'rolebook', namespace: 'rolebook-system', image },
  )
  if (!installation)
    throw new Error(`the roles cannot be used: ${diagnostics.map(({ message }) => message).join('; ')}`)
  const files = [...deployFiles(installation), ...stockDockerfile({ image })]
  return Object.fromEntries(files.map(({ path, text }) => [`deploy/${path}`, text]))
}
