import type { KubeClient, SendOptions } from './client.ts'
import { type Gvk, gvkOf } from './group-version-kind.ts'
import { cutDeepNesting } from './nesting.ts'
import { type KubeObject, keyOf, type ObjectKey } from './object.ts'

/** A client whose writes pass the whole pipeline of the server and store nothing. */
export function dryRun(client: KubeClient): KubeClient {
  return {
    ...readsOf(client),
    create: (object, options) => client.create(object, { ...options, dryRun: true }),
    apply: (object, options) => client.apply(object, { ...options, dryRun: true }),
    patch: (gvk, key, patch, options) => client.patch(gvk, key, patch, { ...options, dryRun: true }),
    // The answer to a dry-run delete is not used: the object stays.
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

/** A client that calls `record` for every write, after the server has answered or when no answer came. */
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

/**
 * A client that calls `check` before every write, and again at the last moment before each attempt to send it, which may be
 * much later: a write waits for a connection, or for a server that asked to be left alone. Throwing, it keeps it back.
 */
export function guarded(client: KubeClient, check: (write: Write) => void): KubeClient {
  return around(client, async (write, send) => {
    check(write)
    return send(() => check(write))
  })
}

/** A client that passes the warnings of the server to `warn`. */
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

/** A client whose answers hold no object that is nested too deeply to be walked. What its watches bring is not looked at. */
export function cutting(client: KubeClient): KubeClient {
  const cutIfThere = (object: KubeObject | undefined): KubeObject | undefined => object && cutDeepNesting(object)
  return {
    get: async (gvk, key, options) => cutIfThere(await client.get(gvk, key, options)),
    list: async (gvk, options) => {
      const page = await client.list(gvk, options)
      return { ...page, items: page.items.map(cutDeepNesting) }
    },
    watch: (gvk, options) => client.watch(gvk, options),
    create: async (object, options) => cutDeepNesting(await client.create(object, options)),
    apply: async (object, options) => cutDeepNesting(await client.apply(object, options)),
    patch: async (gvk, key, patch, options) => cutDeepNesting(await client.patch(gvk, key, patch, options)),
    delete: async (gvk, key, options) => cutIfThere(await client.delete(gvk, key, options)),
  }
}

type Send<Answer> = (beforeSend?: () => void) => Promise<Answer>

function around(client: KubeClient, wrap: <T>(write: Write, send: Send<T>) => Promise<T>): KubeClient {
  return {
    ...readsOf(client),
    create: (object, options) =>
      wrap({ verb: 'create', gvk: gvkOf(object), key: keyOf(object) }, (check) =>
        client.create(object, checkedBy(check, options)),
      ),
    apply(object, options) {
      const write: Write = {
        verb: 'apply',
        gvk: gvkOf(object),
        key: keyOf(object),
        subresource: options.subresource,
      }
      return wrap(write, (check) => client.apply(object, checkedBy(check, options)))
    },
    patch(gvk, key, patch, options) {
      const write: Write = {
        verb: 'patch',
        gvk,
        key,
        subresource: options.subresource,
      }
      return wrap(write, (check) => client.patch(gvk, key, patch, checkedBy(check, options)))
    },
    delete: (gvk, key, options = {}) =>
      wrap({ verb: 'delete', gvk, key }, (check) => client.delete(gvk, key, checkedBy(check, options))),
  }
}

/** Decorators may stand around each other: all of their checks count. */
function checkedBy<Options extends SendOptions>(check: (() => void) | undefined, options: Options): Options {
  if (!check) return options
  const beforeSend = (): void => {
    options.beforeSend?.()
    check()
  }
  return { ...options, beforeSend }
}

function readsOf(client: KubeClient): Pick<KubeClient, 'get' | 'list' | 'watch'> {
  return {
    get: (gvk, key, options) => client.get(gvk, key, options),
    list: (gvk, options) => client.list(gvk, options),
    watch: (gvk, options) => client.watch(gvk, options),
  }
}
