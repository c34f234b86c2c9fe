import type { JsonObject } from '../../../core/base/json.ts'
import { formatGroupKind } from '../../../core/kube/group-version-kind.ts'
import type { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import type { Project, WatchedRole } from '../../../engine/operator/project.ts'
import { parseManifests } from '../../config/parse-manifests.ts'
import type { ProjectFiles, RoleFiles } from '../../config/project-files.ts'
import type { GeneratedFile } from '../generated-file.ts'
import type { KindNames } from '../kind-names.ts'
import { inferredCrd } from './inferred-crd.ts'

/** The CRDs of the roles, as their files are. None: all kinds are built in. */
export function crdFile({ watches, crds }: Project, { roles }: ProjectFiles): readonly GeneratedFile[] {
  const used = new Set(watches.map(({ role }) => role.name))
  const written = new Set<unknown>()
  const texts = [...used]
    .sort()
    .flatMap((role) => (roles.get(role) as RoleFiles).crds)
    // A project could be made of the files, so they could be read.
    .flatMap(({ source }) => textOfNew(source as SourceFile, written))
  const objects = crds as readonly object[] as readonly JsonObject[]
  return texts.length === 0 ? [] : [{ path: 'crds.yaml', objects, text: texts.map(asDocument).join('---\n') }]
}

/** A file as it is, unless another role has a CRD of it, too: a server and kustomize take each once. */
function textOfNew(source: SourceFile, written: Set<unknown>): readonly string[] {
  const crds = parseManifests(source).manifests.map(({ object }) => object)
  const unwritten = crds.filter(({ metadata }) => !written.has(metadata.name))
  for (const { metadata } of unwritten) written.add(metadata.name)
  return unwritten.length === crds.length ? [source.text] : unwritten.map((crd) => printYaml([crd]))
}

function asDocument(text: string): string {
  return `${text.replace(/^---\n/, '').trimEnd()}\n`
}

export interface CrdSources {
  readonly project: Project
  readonly files: ProjectFiles
  readonly names: KindNames
  readonly builtin: BuiltinSchemas
}

/** The CRDs of the roles, and a draft of one for each kind that has none. */
export function crdFiles({ project, files, names, builtin }: CrdSources): readonly GeneratedFile[] {
  const unknown = project.watches.filter(({ watch }) => names(watch.gvk) === undefined)
  const first = new Map([...unknown].reverse().map((entry) => [formatGroupKind(entry.watch.gvk), entry]))
  const drafts = [...first.values()].reverse().map((entry) => draftFor(entry, { project, files, builtin }))
  const own = crdFile(project, files)
  if (drafts.length === 0) return own
  const objects = [...own.flatMap((file) => file.objects ?? []), ...drafts.map(({ crd }) => crd)]
  const texts = [...own.map(({ text }) => text), ...drafts.map(({ text }) => text)]
  return [{ path: 'crds.yaml', objects, text: texts.join('---\n') }]
}

function draftFor(
  entry: WatchedRole,
  { project, files, builtin }: Omit<CrdSources, 'names'>,
): { readonly crd: JsonObject; readonly text: string } {
  const { name } = entry.role
  const crd = inferredCrd(entry, project, { files: files.roles.get(name) as RoleFiles, builtin })
  const comment = `# A draft, from what the role ${name} reads and writes: put it beside the role as crd.yaml, and make it stricter.\n`
  return { crd, text: `${comment}${printYaml([crd])}` }
}
