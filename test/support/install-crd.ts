import { isJsonArray, isJsonObject } from '../../src/core/base/json.ts'
import { isNotFound } from '../../src/core/kube/api-error.ts'
import { type Gvk, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Connection } from '../../src/core/kube-client/connect.ts'

/** Applies a CRD and returns when all of its versions are served, which is a moment after it is established. */
export async function installCrd({ client, mapper }: Connection, crd: KubeObject): Promise<void> {
  const { metadata } = await client.apply(crd, { fieldManager: 'test', force: true })
  const fieldSelector = `metadata.name=${metadata.name}`
  for await (const event of client.watch(gvkOf(crd), { fieldSelector, resourceVersion: '0' })) {
    if (event.type !== 'ERROR' && isEstablished(event.object)) break
  }
  for (;;) {
    mapper.refresh()
    const served = await Promise.all(kindsOf(crd).map((gvk) => isServed(client, gvk)))
    if (served.every(Boolean)) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function isServed(client: Connection['client'], gvk: Gvk): Promise<boolean> {
  try {
    await client.list(gvk, { limit: 1 })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

function kindsOf({ spec }: KubeObject): readonly Gvk[] {
  const { group, names, versions } = spec as { group: string; names: { kind: string }; versions: { name: string }[] }
  return versions.map(({ name }) => ({ group, version: name, kind: names.kind }))
}

function isEstablished({ status }: KubeObject): boolean {
  const conditions = isJsonObject(status) && isJsonArray(status.conditions) ? status.conditions : []
  return conditions.some((one) => isJsonObject(one) && one.type === 'Established' && one.status === 'True')
}
