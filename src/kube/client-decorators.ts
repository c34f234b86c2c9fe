import type { KubeClient } from './client.ts'
import { type Gvk, gvkOf } from './group-version-kind.ts'
import { keyOf, type ObjectKey } from './object.ts'

/** A client whose writes pass the whole pipeline of the server and store nothing. */
export function dryRun(client: KubeClient): KubeClient {
  return {
    ...readsOf(client),
    create: (object, options) => client.create(object, { ...options, dryRun: true }),
    apply: (object, options) => client.apply(object, { ...options, dryRun: true }),
    patch: (gvk, key, patch, options) => client.patch(gvk, key, patch, { ...options, dryRun: true }),
    // A dry-run delete has no answer that anybody uses: the object stays.
    delete: (gvk, key, options) => client.get(gvk, key, { signal: options?.signal }),
  }
}

/** A write as `recording` and `guarded` see it. */
export interface Write {
  readonly verb: 'create' | 'apply' | 'patch' | 'delete'
  readonly gvk: Gvk
  readonly key: ObjectKey
  readonly subresource?: string | undefined
}

/** A client that tells `record` of every write once the server has answered it, or no answer has come. */
export function recording(client: KubeClient, record: (write: Write, error?: unknown) => void): KubeClient {
  return around(client, async (write, send) => {
    try {
      const answer = await send()
      record(write)
      return answer
    } catch (error) {
      record(write, error)
      throw error
    }
  })
}

/** A client that calls `check` before every write and sends nothing when that throws. */
export function guarded(client: KubeClient, check: (write: Write) => void): KubeClient {
  return around(client, (write, send) => {
    check(write)
    return send()
  })
}

/** A client that tells `warn` of what the server warns of. */
export function warning(client: KubeClient, warn: (warning: string) => void): KubeClient {
  return {
    get: (gvk, key, options) => client.get(gvk, key, { ...options, warn }),
    list: (gvk, options) => client.list(gvk, { ...options, warn }),
    watch: (gvk, options) => client.watch(gvk, { ...options, warn }),
    create: (object, options) => client.create(object, { ...options, warn }),
    apply: (object, options) => client.apply(object, { ...options, warn }),
    patch: (gvk, key, patch, options) => client.patch(gvk, key, patch, { ...options, warn }),
    delete: (gvk, key, options) => client.delete(gvk, key, { ...options, warn }),
  }
}

function around(client: KubeClient, wrap: <T>(write: Write, send: () => Promise<T>) => Promise<T>): KubeClient {
  return {
    ...readsOf(client),
    create: (object, options) =>
      wrap({ verb: 'create', gvk: gvkOf(object), key: keyOf(object) }, async () => client.create(object, options)),
    apply(object, options) {
      const write: Write = {
        verb: 'apply',
        gvk: gvkOf(object),
        key: keyOf(object),
        subresource: options.subresource,
      }
      return wrap(write, async () => client.apply(object, options))
    },
    patch(gvk, key, patch, options) {
      const write: Write = {
        verb: 'patch',
        gvk,
        key,
        subresource: options.subresource,
      }
      return wrap(write, async () => client.patch(gvk, key, patch, options))
    },
    delete: (gvk, key, options) => wrap({ verb: 'delete', gvk, key }, async () => client.delete(gvk, key, options)),
  }
}

function readsOf(client: KubeClient): Pick<KubeClient, 'get' | 'list' | 'watch'> {
  return {
    get: (gvk, key, options) => client.get(gvk, key, options),
    list: (gvk, options) => client.list(gvk, options),
    watch: (gvk, options) => client.watch(gvk, options),
  }
}
