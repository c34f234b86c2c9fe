import type { KubeClient } from '../../src/core/kube/client.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../src/core/kube/object.ts'
import type { ClusterDriver, Expectation } from './cluster-driver.ts'
import { goneOrReplaced } from './objects.ts'

/** A real garbage collector learns of a new kind within 30 s only. */
const PATIENCE_MS = 240_000
const MANAGER = 'scenario'

/** Drives a cluster over HTTP through the client port. */
export function httpDriver(client: KubeClient, namespace: string): ClusterDriver {
  const keyOf = (name: string): ObjectKey => ({ namespace, name })
  const placed = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, namespace },
  })
  const driver: ClusterDriver = {
    async apply(object) {
      await client.apply(placed(object), {
        fieldManager: MANAGER,
        force: true,
      })
    },
    async patch(gvk, name, body) {
      await client.patch(gvk, keyOf(name), { type: 'merge', body }, { fieldManager: MANAGER })
    },
    async scale(gvk, name, replicas) {
      const patch = { type: 'merge', body: { spec: { replicas } } } as const
      await client.patch(gvk, keyOf(name), patch, {
        fieldManager: MANAGER,
        subresource: 'scale',
      })
    },
    async remove(gvk, name) {
      const before = await client.get(gvk, keyOf(name))
      await client.delete(gvk, keyOf(name), {
        propagationPolicy: 'Background',
      })
      await driver.until(gvk, name, goneOrReplaced(before))
    },
    read: (gvk, name) => client.get(gvk, keyOf(name)),
    async list(gvk, labelSelector) {
      return (await client.list(gvk, { namespace, labelSelector })).items
    },
    until: (gvk, name, expected) => watchUntil(client, { gvk, key: keyOf(name) }, expected),
  }
  return driver
}

/** @throws Error with the last state when the expectation does not come true in time */
async function watchUntil(
  client: KubeClient,
  { gvk, key }: { gvk: Gvk; key: ObjectKey },
  expected: Expectation,
): Promise<KubeObject | undefined> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), PATIENCE_MS)
  const fieldSelector = `metadata.name=${key.name}`
  let last: KubeObject | undefined
  try {
    const list = await client.list(gvk, {
      namespace: key.namespace,
      fieldSelector,
    })
    last = list.items[0]
    if (expected.holds(last)) return last
    const watch = {
      namespace: key.namespace,
      fieldSelector,
      resourceVersion: list.resourceVersion,
    }
    for await (const event of client.watch(gvk, {
      ...watch,
      signal: controller.signal,
    })) {
      if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue
      last = event.type === 'DELETED' ? undefined : event.object
      if (expected.holds(last)) return last
    }
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
  throw new Error(
    `${gvk.kind} ${key.namespace}/${key.name} never ${expected.what}; it is ${JSON.stringify(last, null, 1)}`,
  )
}
