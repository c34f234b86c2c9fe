import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiVersionOf, formatGroupKind, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { projectAt } from '../support/running-operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { RoleLife } from './role-lives.ts'

/** A role with everything that its life needs. */
export interface PreparedRole {
  readonly life: RoleLife
  readonly project: Project
  /** The same with the edit in its role. */
  readonly edited: Project
  /** The same without the entry. */
  readonly without: Project
  /** What is in the cluster before the resource is. */
  readonly surroundings: readonly KubeObject[]
  readonly resource: KubeObject
}

export async function prepareRole(life: RoleLife): Promise<PreparedRole> {
  const { role } = life
  const project = onlyRole(await projectAt(pathsOf(life.folder)), role)
  const kind = formatGroupKind(project.watches[0]?.watch.gvk ?? gvkOf(nothing))
  const objects = project.samples
    .filter(({ path }) => path.includes(`/${role}/`) || path.startsWith(`roles/${role}/`))
    .flatMap((sample) => sample.objects)
    .map((object) => placed(object))
  const resource = objects.find((object) => formatGroupKind(gvkOf(object)) === kind)
  if (!resource) throw new Error(`the role ${role} has no sample of its own kind`)
  const surroundings = objects.filter((object) => object !== resource)
  return {
    life,
    project,
    edited: await editedProject(life),
    without: { ...project, watches: [] },
    surroundings,
    resource,
  }
}

const nothing = { apiVersion: 'v1', kind: '', metadata: {} }

function pathsOf(folder: string): { watchesFile: string; rolesPath: string } {
  return { watchesFile: join(folder, 'watches.yaml'), rolesPath: join(folder, 'roles') }
}

async function editedProject({ role, folder, edit }: RoleLife): Promise<Project> {
  const copy = temporaryFolder()
  try {
    for (const part of ['watches.yaml', 'roles']) cpSync(join(folder, part), copy.at(part), { recursive: true })
    const file = copy.at(join('roles', role, 'role.yaml'))
    const text = readFileSync(file, 'utf8')
    if (!text.includes(edit.after)) throw new Error(`the role ${role} has no text to edit: ${edit.after}`)
    writeFileSync(
      file,
      text.replace(edit.after, () => edit.after + edit.add),
    )
    return onlyRole(await projectAt(pathsOf(copy.path)), role)
  } finally {
    copy.remove()
  }
}

/** A project with one entry, and the CRDs of that and of its samples: less is done sooner. */
function onlyRole(project: Project, role: string): Project {
  const watches = project.watches.filter(({ watch }) => watch.role === role)
  if (watches.length !== 1) throw new Error(`${watches.length} entries have the role ${role}`)
  const kinds = new Set(
    project.samples.filter(({ path }) => path.includes(`${role}/`)).flatMap(({ objects }) => objects.map(kindText)),
  )
  return { ...project, watches, crds: project.crds.filter((crd) => kindsOfCrd(crd).some((kind) => kinds.has(kind))) }
}

function kindText(object: KubeObject): string {
  return `${object.apiVersion} ${object.kind}`
}

function kindsOfCrd({ spec }: KubeObject): readonly string[] {
  const { group, names, versions } = spec as {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly name: string }[]
  }
  return versions.map(({ name }) => `${apiVersionOf({ group, version: name })} ${names.kind}`)
}

const CLUSTER_SCOPED = new Set(['Namespace', 'Tenant'])

function placed(object: KubeObject): KubeObject {
  if (CLUSTER_SCOPED.has(object.kind)) return object
  return { ...object, metadata: { namespace: 'default', ...object.metadata } }
}
