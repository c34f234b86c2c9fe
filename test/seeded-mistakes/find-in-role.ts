import type { JsonObject } from '../../src/core/base/json.ts'
import type { Diagnostic } from '../../src/core/yaml/diagnostic.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { checkProject } from '../../src/rolebook/trial/check-project.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import type { CorrectRole } from './correct-roles.ts'

const ROLE = 'roles/web/role.yaml'

/** What `check` says of a role, notes left out. `text` stands in place of its file. */
export async function findingsIn(
  { files, crds }: Pick<CorrectRole, 'files' | 'crds'>,
  text = files[ROLE] ?? '',
): Promise<readonly Diagnostic[]> {
  const folder = temporaryFolder()
  try {
    writeFiles(folder.path, { ...files, [ROLE]: text })
    const { diagnostics } = await checkProject({
      ...{ watchesFile: folder.at('watches.yaml'), rolesPath: folder.at('roles'), environment: {} },
      ...{ kinds: builtinTaskKinds, schemas: { builtin: loadBuiltinSchemas(), crds: crds as readonly JsonObject[] } },
    })
    return diagnostics.filter(({ severity }) => severity !== 'note')
  } finally {
    folder.remove()
  }
}

export function textOf({ files }: Pick<CorrectRole, 'files'>): string {
  return files[ROLE] ?? ''
}
