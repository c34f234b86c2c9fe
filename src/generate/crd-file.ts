import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { Project } from '../config/project.ts'
import type { ProjectFiles } from '../config/project-files.ts'
import type { GeneratedFile } from './generated-file.ts'

/** The CRDs of the roles, as their files are. None: all kinds are built in. */
export function crdFile({ watches, crds }: Project, { roles }: ProjectFiles): readonly GeneratedFile[] {
  const used = new Set(watches.map(({ role }) => role.name))
  const texts = [...used]
    .sort()
    .flatMap((role) => (roles.get(role)?.crds ?? []).flatMap(({ source }) => source?.text ?? []))
  if (texts.length === 0) return []
  const objects = crds.filter((crd): crd is typeof crd & JsonObject => isJsonObject(crd))
  return [{ path: 'crds.yaml', objects, text: texts.map(asDocument).join('---\n') }]
}

function asDocument(text: string): string {
  const bare = text.replace(/^---\n/, '')
  return bare.endsWith('\n') ? bare : `${bare}\n`
}
