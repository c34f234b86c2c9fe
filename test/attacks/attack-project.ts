import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/core/base/json.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../src/rolebook/config/load-project.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'

const GROUP = 'attacks.rolebook.dev'
export const ATTACK: Gvk = { group: GROUP, version: 'v1', kind: 'Attack' }
export const GOOD: Gvk = { group: GROUP, version: 'v1', kind: 'Good' }

const ANYTHING: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

export function crdOf({ group, version, kind }: Gvk): KubeObject {
  const singular = kind.toLowerCase()
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: ANYTHING, status: ANYTHING } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${singular}s`, singular, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  }
}

const GOOD_ROLE = `vars:
  size: "\${spec.size}"
tasks:
  - name: Settings
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}" }
      data: { size: "\${$string($size)}", list: "\${$join([1..$size].$string(), ',')}" }
    register: settings
  - name: Show
    status: { size: "\${$length($settings.data.list)}" }
`

/** The name of the resource whose role does no harm. */
export const CALM = 'calm'

/** The role of an attack: it meets the document of its resource. */
function attackRole(source: string): string {
  const text = JSON.stringify(`\${spec.doc.(${source})}`)
  return `tasks:\n  - name: Strike\n    set: { it: ${text} }\n  - name: Show\n    status: { found: "\${$type($it)}" }\n`
}

export interface AttackProject {
  readonly watchesFile: string
  readonly rolesPath: string
  /** By the label that selects its resources. */
  readonly attacks: ReadonlyMap<string, string>
  /** Those that are refused before anything runs. */
  readonly refused: readonly string[]
}

/** Writes a project with one role for each attack; those that `check` refuses are left out. */
export async function writeAttackProject(folder: string, sources: readonly string[]): Promise<AttackProject> {
  const named = new Map(sources.map((source, index) => [`x${index}`, source]))
  const first = await write(folder, named)
  const broken = new Set(first.errors.map((file) => /roles\/([^/]+)\//.exec(file)?.[1] ?? file))
  const attacks = new Map([...named].filter(([name]) => !broken.has(name)))
  const { errors, watchesFile, rolesPath } = await write(folder, attacks)
  if (errors.length > 0) throw new Error(`the project is not sound: ${errors.join()}`)
  return {
    watchesFile,
    rolesPath,
    attacks,
    refused: [...named].flatMap(([name, source]) => (broken.has(name) ? [source] : [])),
  }
}

async function write(folder: string, attacks: ReadonlyMap<string, string>) {
  const [watchesFile, rolesPath] = [join(folder, 'watches.yaml'), join(folder, 'roles')]
  const roles = new Map([...attacks].map(([name, source]) => [name, attackRole(source)]))
  roles.set(CALM, attackRole('$count($)'))
  const watches = [...roles.keys()].map(
    (name) =>
      `- {group: ${GROUP}, version: v1, kind: Attack, role: ${name}, maxConcurrentReconciles: 1, selector: {matchLabels: {attack: ${name}}}}\n`,
  )
  rmSync(rolesPath, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(watchesFile, `- {group: ${GROUP}, version: v1, kind: Good, role: good}\n${watches.join('')}`)
  for (const [name, text] of [...roles, ['good', GOOD_ROLE] as const]) {
    mkdirSync(join(rolesPath, name), { recursive: true })
    writeFileSync(join(rolesPath, name, 'role.yaml'), text)
  }
  const { diagnostics } = await loadProject({
    watchesFile,
    rolesPath,
    environment: {},
    kinds: builtinTaskKinds,
    schemas: { builtin: loadBuiltinSchemas() },
  })
  return {
    watchesFile,
    rolesPath,
    errors: diagnostics.filter(({ severity }) => severity === 'error').map(({ file }) => file),
  }
}
