import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { nopLogger } from '../../../core/base/logger.ts'
import { apiVersionOf, formatGvk, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { pluralOf } from '../../../core/kube/plural-name.ts'
import type { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'
import type { Project, WatchedRole } from '../../../engine/operator/project.ts'
import type { Role } from '../../../engine/role/role.ts'
import { lifeTest } from '../../scaffold/life-test.ts'
import { newCrd } from '../../scaffold/new-crd.ts'
import { RenderCluster } from '../render/render-cluster.ts'
import { renderPasses } from '../render/render-passes.ts'

export interface WrittenTest {
  readonly path: string
  readonly text: string
}

/** As many passes as no sound role needs. */
const MANY = 20

/** A test for each role of a project that has a sample and no test: what the role makes of the sample. */
export async function testsFor(
  project: Project,
  rolesPath: string,
  builtin: BuiltinSchemas,
): Promise<readonly WrittenTest[]> {
  const tests: WrittenTest[] = []
  const written = new Set<string>()
  for (const entry of project.watches) {
    const { name } = entry.role
    const path = join(rolesPath, name, 'tests', 'life.yaml')
    const sample = sampleOf(entry, project, join(rolesPath, name))
    if (written.has(name) || existsSync(path) || !sample) continue
    written.add(name)
    tests.push({ path, text: await testOf(entry, sample, { project, builtin }) })
  }
  return tests
}

interface Sample {
  /** As seen from the folder of the role. */
  readonly file: string
  readonly object: KubeObject
}

/** A file whose only object is of the kind. */
function sampleOf({ watch }: WatchedRole, { samples }: Project, folder: string): Sample | undefined {
  const { gvk } = watch
  for (const { path, objects } of samples) {
    const [object, ...others] = objects
    const isOurs = object?.kind === gvk.kind && object.apiVersion === apiVersionOf(gvk)
    const isOfRole = path.startsWith(join(folder, 'samples'))
    if (object && isOurs && isOfRole && others.length === 0) return { file: path.slice(folder.length + 1), object }
  }
  return undefined
}

async function testOf(
  { role, watch }: WatchedRole,
  { file, object }: Sample,
  { project, builtin }: { readonly project: Project; readonly builtin: BuiltinSchemas },
): Promise<string> {
  const foreign = foreignKinds([...role.permissions.map(({ gvk }) => gvk)], project, builtin)
  const namespaces = namespacesFor(role, object)
  const cluster = await RenderCluster.start(nopLogger)
  try {
    await cluster.install(...project.crds, ...foreign)
    for (const namespace of namespaces) await cluster.give(namespace)
    const resource = await cluster.give(object)
    await renderPasses(cluster, project, { logger: nopLogger, limit: MANY })
    const made = cluster.made.shown(false).map(({ object }) => object)
    const status = cluster.live(resource)?.status
    return lifeTest({
      gvk: watch.gvk,
      name: object.metadata.name ?? '',
      namespace: object.metadata.namespace,
      sample: file,
      given: [...foreign, ...namespaces],
      made,
      ready: readyOf(status),
    })
  } finally {
    await cluster.stop()
  }
}

/** Those that the sample and the role name, unless the role makes namespaces itself. */
function namespacesFor({ permissions }: Role, { metadata }: KubeObject): readonly KubeObject[] {
  const makesThem = permissions.some(({ gvk, access }) => gvk.kind === 'Namespace' && access === 'own')
  const named = makesThem ? [] : permissions.map(({ namespace }) => namespace)
  const names = new Set(
    [metadata.namespace, ...named].filter((name) => name !== undefined && /^[a-z0-9-]+$/.test(name)),
  )
  names.delete('default')
  return [...names].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: name as string } }))
}

function readyOf(status: JsonValue | undefined): string | undefined {
  const conditions = isJsonObject(status) && Array.isArray(status.conditions) ? status.conditions : []
  const ready = conditions.find((one) => isJsonObject(one) && one.type === 'Ready')
  return isJsonObject(ready) ? String(ready.status) : undefined
}

/** CRDs that take anything, for kinds that no server has by itself. */
function foreignKinds(gvks: readonly Gvk[], { crds }: Project, builtin: BuiltinSchemas): readonly KubeObject[] {
  const own = new Set(crds.map((crd) => groupKindOf(crd)))
  const foreign = gvks.filter((gvk) => !own.has(`${gvk.kind}.${gvk.group}`) && builtin.get(gvk) === undefined)
  const unique = [...new Map(foreign.map((gvk) => [formatGvk(gvk), gvk])).values()]
  return unique.map((gvk) => openCrd(gvk))
}

function groupKindOf({ spec }: KubeObject): string {
  const { names, group } = isJsonObject(spec) ? spec : {}
  return `${isJsonObject(names) ? String(names.kind) : ''}.${String(group)}`
}

function openCrd(gvk: Gvk): KubeObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const crd = newCrd({ gvk, spec: open })
  const plural = pluralOf(gvk.kind.toLowerCase())
  const version = {
    name: gvk.version,
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: open },
  }
  const { names, group, scope } = crd.spec as JsonObject
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${gvk.group}` },
    spec: { group, names, scope, versions: [version] },
  } as KubeObject
}
