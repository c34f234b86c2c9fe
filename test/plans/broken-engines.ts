import type { JsonObject } from '../../src/core/base/json.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../src/core/kube/object.ts'
import { clientWith } from '../support/client-with.ts'
import { BYSTANDER } from './life.ts'

/** An engine that does something wrong without any fault, and the oracle that has to see it. */
export interface BrokenEngine {
  readonly oracle: string
  readonly defect: string
  readonly role: 'website' | 'database'
  breakClient(client: KubeClient): KubeClient
}

const WEBSITE = { apiVersion: 'example.com/v1', kind: 'Website', metadata: { name: 'shop', namespace: 'default' } }
const DATABASE = { apiVersion: 'example.com/v1', kind: 'Database', metadata: { name: 'orders', namespace: 'default' } }
const AS_ENGINE = { fieldManager: 'rolebook' }

export const BROKEN_ENGINES: readonly BrokenEngine[] = [
  {
    oracle: 'same end',
    defect: 'a write is taken for done that was never sent',
    role: 'website',
    breakClient: (client) =>
      clientWith(client, {
        apply: async (object, options) => {
          const isEdited = object.metadata.name === 'shop-page' && 'edited.html' in ((object.data ?? {}) as JsonObject)
          const live = isEdited ? await read(client, object) : undefined
          return live ?? client.apply(object, options)
        },
      }),
  },
  {
    oracle: 'nothing made twice',
    defect: 'a child is made, removed and made again',
    role: 'website',
    breakClient: (client) => afterFirst(client, 'ConfigMap', (page) => client.delete(gvkOf(page), keyOf(page))),
  },
  {
    oracle: 'nothing removed needlessly',
    defect: 'a child is replaced by another one of its name',
    role: 'website',
    breakClient: (client) => afterFirst(client, 'Service', (service) => client.delete(gvkOf(service), keyOf(service))),
  },
  {
    oracle: 'generated values stay',
    defect: 'a password is made anew',
    role: 'database',
    breakClient: (client) =>
      afterFirst(client, 'Secret', (account) => merge(client, account, { data: { password: 'YW5vdGhlcg==' } })),
  },
  {
    oracle: 'nothing foreign touched',
    defect: 'what looks like a child is taken for one',
    role: 'website',
    breakClient: (client) =>
      afterFirst(client, 'Service', () => merge(client, BYSTANDER, { metadata: { annotations: { taken: 'yes' } } })),
  },
  {
    oracle: 'rest',
    defect: 'a status is written that says what it said before',
    role: 'website',
    breakClient: (client) => whenWatching(client, () => merge(client, WEBSITE, { status: {} }, 'status')),
  },
  {
    oracle: 'true conditions',
    defect: 'it says Ready before it applies',
    role: 'website',
    breakClient: (client) =>
      clientWith(client, {
        apply: async (object, options) => {
          if (object.kind === 'ConfigMap') await sayReady(client)
          return client.apply(object, options)
        },
      }),
  },
  {
    oracle: 'generations in order',
    defect: 'a status is written on an old view',
    role: 'website',
    breakClient: (client) =>
      whenWatching(client, () => merge(client, WEBSITE, { status: { observedGeneration: 0 } }, 'status')),
  },
  {
    oracle: 'nothing left',
    defect: 'a child is made for an owner that is gone',
    role: 'website',
    breakClient: (client) =>
      afterFirst(client, 'Service', () =>
        client.create({ ...BYSTANDER, metadata: { ...BYSTANDER.metadata, name: 'left' } }, AS_ENGINE),
      ),
  },
  {
    oracle: 'no secret published',
    defect: 'a status quotes a password',
    role: 'database',
    breakClient: (client) =>
      afterFirst(client, 'Secret', (account) =>
        merge(client, DATABASE, { status: { secret: (account.data as JsonObject).password } }, 'status'),
      ),
  },
  {
    oracle: 'bounded requests',
    defect: 'it asks over and over again',
    role: 'website',
    breakClient: (client) =>
      whenWatching(client, async () => {
        for (let count = 0; count < 20; count++) await read(client, WEBSITE)
      }),
  },
  {
    oracle: 'no unexpected end',
    defect: 'a watch goes on when the process is asked to end',
    role: 'website',
    breakClient: (client) =>
      clientWith(client, {
        watch: (gvk, options) => client.watch(gvk, { ...options, signal: undefined, timeoutSeconds: 3600 }),
      }),
  },
]

function read(client: KubeClient, object: KubeObject): Promise<KubeObject | undefined> {
  return client.get(gvkOf(object), keyOf(object))
}

function merge(client: KubeClient, object: KubeObject, body: JsonObject, subresource?: 'status'): Promise<KubeObject> {
  return client.patch(gvkOf(object), keyOf(object), { type: 'merge', body }, { ...AS_ENGINE, subresource })
}

/** Does something once, after the first object of a kind was made. */
function afterFirst(client: KubeClient, kind: string, work: (made: KubeObject) => Promise<unknown>): KubeClient {
  let isDone = false
  return clientWith(client, {
    apply: async (object, options) => {
      const made = await client.apply(object, options)
      if (object.kind !== kind || isDone) return made
      isDone = true
      await work(made)
      return made
    },
  })
}

/** Does something whenever a watch begins. */
function whenWatching(client: KubeClient, work: () => Promise<unknown>): KubeClient {
  return clientWith(client, {
    watch: (gvk, options) => {
      // Before the resource is made and after it is gone there is nothing to do it to.
      void work().catch(() => undefined)
      return client.watch(gvk, options)
    },
  })
}

async function sayReady(client: KubeClient): Promise<void> {
  const { generation: observedGeneration = 0 } = (await read(client, WEBSITE))?.metadata ?? {}
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  await merge(
    client,
    WEBSITE,
    { status: { observedGeneration, conditions: [{ ...ready, observedGeneration }] } },
    'status',
  )
}
