import { join } from 'node:path'
import { loadInstallation } from '../../src/cli/load-installation.ts'
import { programVersion } from '../../src/cli/program-version.ts'
import { deployFiles } from '../../src/generate/deploy-files.ts'
import { stockDockerfile } from '../../src/generate/dockerfile.ts'
import { builtinTaskKinds } from '../../src/tasks/builtin-task-kinds.ts'

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
