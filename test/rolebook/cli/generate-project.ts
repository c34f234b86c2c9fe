import { chdir, cwd } from 'node:process'
import { parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { ProjectFolder, CRD as SMALL_CRD, WATCHES } from '../../support/project-folder.ts'

export const ROLE = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}"}}}]\n'
export const CRD = SMALL_CRD.replace(
  'status: {type: object}',
  'status: {type: object, x-kubernetes-preserve-unknown-fields: true}',
)

/** Kinds of what is printed, by what is generated. */
export const PRINTED: Readonly<Record<string, readonly string[]>> = {
  rbac: ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  crd: ['CustomResourceDefinition'],
  configmap: ['ConfigMap', 'ConfigMap'],
  olm: [
    'ClusterServiceVersion',
    'CustomResourceDefinition',
    ...['ConfigMap', 'ConfigMap', 'Service', 'PodDisruptionBudget'],
  ],
  deploy: [
    'Namespace',
    'CustomResourceDefinition',
    ...['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
    ...['ConfigMap', 'ConfigMap', 'Deployment', 'Service', 'NetworkPolicy', 'PodDisruptionBudget'],
  ],
}

interface Generated {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A project of one role, for tests that generate files from it. */
export function projectToGenerateFrom(): Promise<ProjectFolder> {
  return ProjectFolder.create({
    'watches.yaml': WATCHES,
    'roles/web/role.yaml': ROLE,
    'roles/web/crd.yaml': `---\n# Ours.\n${CRD.trimEnd()}`,
  })
}

/** Runs `rolebook generate` on a project. Paths in what it prints are relative to the project. */
export async function generateFrom(folder: ProjectFolder, args: readonly string[]): Promise<Generated> {
  const places = ['--watches-file', folder.path('watches.yaml'), '--roles-path', folder.path('roles')]
  const { code, out, err } = await generate([...args, ...places])
  const relative = (text: string): string => text.replaceAll(`${folder.root}/`, '')
  return { code, out: relative(out), err: relative(err) }
}

/** Runs it in a folder, by paths that are relative to it. */
export async function generateIn(place: string, args: readonly string[]): Promise<Generated> {
  const former = cwd()
  chdir(place)
  try {
    return await generate(args)
  } finally {
    chdir(former)
  }
}

async function generate(args: readonly string[]): Promise<Generated> {
  const terminal = new FakeTerminal()
  const code = await runProgram(['generate', ...args], terminal)
  return { code, out: terminal.stdout, err: terminal.stderr }
}

export function objectsIn(text: string): KubeObject[] {
  return parseAllDocuments(text).map((one) => one.toJS() as KubeObject)
}

export function kindsIn(text: string): string[] {
  return objectsIn(text).map(({ kind }) => kind)
}
