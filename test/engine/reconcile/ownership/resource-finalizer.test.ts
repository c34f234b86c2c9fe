import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { ObjectMeta } from '../../../../src/core/kube/object.ts'
import { ownerOf, ResourceFinalizer } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { ObjectCaches } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { widgetWith } from '../../../support/widget.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }

const OURS = 'rolebook.dev/finalizer'

interface Case {
  readonly name: string
  readonly action: 'add' | 'remove'
  /** As the cache shows it. */
  readonly seen: ObjectMeta
  /** As the server has it; absent: gone. */
  readonly live?: ObjectMeta
  /** What the server says to every write. */
  readonly refusal?: ApiError
  /** Requests that are sent, and the end. */
  readonly expected: readonly string[]
}

const cases: readonly Case[] = [
  {
    name: 'added beside others',
    action: 'add',
    seen: { finalizers: ['x/y'] },
    live: { finalizers: ['x/y'] },
    expected: [`patch x/y,${OURS}`, 'wrote', 'done'],
  },
  {
    name: 'there already',
    action: 'add',
    seen: { finalizers: [OURS] },
    live: { finalizers: [OURS] },
    expected: ['done'],
  },
  {
    name: 'never added to what is going',
    action: 'add',
    seen: { deletionTimestamp: 'x' },
    live: {},
    expected: ['failed'],
  },
  {
    name: 'added after a look at the newest',
    action: 'add',
    seen: { resourceVersion: '1' },
    live: { resourceVersion: '2', finalizers: ['new'] },
    expected: [`patch ${OURS}`, 'get', `patch new,${OURS}`, 'wrote', 'done'],
  },
  {
    name: 'not added when the newest is going',
    action: 'add',
    seen: { resourceVersion: '1' },
    live: { resourceVersion: '2', deletionTimestamp: 'x' },
    expected: [`patch ${OURS}`, 'get', 'failed'],
  },
  {
    name: 'not added when the resource has gone',
    action: 'add',
    seen: {},
    expected: [`patch ${OURS}`, 'get', 'failed'],
  },
  {
    name: 'not added to another resource of that name',
    action: 'add',
    seen: { resourceVersion: '1' },
    live: { resourceVersion: '2', uid: 'other' },
    expected: [`patch ${OURS}`, 'get', 'failed'],
  },
  {
    name: 'removed, the last one',
    action: 'remove',
    seen: { deletionTimestamp: 'x', finalizers: [OURS] },
    live: { deletionTimestamp: 'x', finalizers: [OURS] },
    expected: ['patch ', 'removed', 'done'],
  },
  {
    name: 'removed, others stay',
    action: 'remove',
    seen: { deletionTimestamp: 'x', finalizers: [OURS, 'a/b'] },
    live: { deletionTimestamp: 'x', finalizers: [OURS, 'a/b'] },
    expected: ['patch a/b', 'wrote', 'done'],
  },
  {
    name: 'removed from what has gone',
    action: 'remove',
    seen: { deletionTimestamp: 'x', finalizers: [OURS] },
    expected: ['patch ', 'get', 'done'],
  },
  {
    name: 'not added where that is forbidden, and nothing else is asked',
    action: 'add',
    seen: {},
    live: {},
    refusal: new ApiError(403, 'Forbidden', 'x'),
    expected: [`patch ${OURS}`, 'failed'],
  },
  {
    name: 'not added to what others change all the time: another client may be served first',
    action: 'add',
    seen: {},
    live: {},
    refusal: new ApiError(409, 'Conflict', 'x'),
    expected: [...Array.from({ length: 4 }, () => [`patch ${OURS}`, 'get']).flat(), `patch ${OURS}`, 'failed'],
  },
]

describe('ResourceFinalizer', () => {
  for (const { name, action, seen, live, refusal, expected } of cases) {
    it(name, async () => {
      const log: string[] = []
      const client: Partial<KubeClient> = {
        get: async () => {
          log.push('get')
          return live && widgetWith(live)
        },
        patch: async (_gvk, _key, { body }) => {
          const { metadata } = body as { metadata: JsonObject & { finalizers: readonly string[] } }
          log.push(`patch ${metadata.finalizers.join()}`)
          if (refusal) throw log.length < 20 ? refusal : new Error('it never ends')
          if (!live) throw new ApiError(404, 'NotFound', 'x')
          if (metadata.resourceVersion !== live.resourceVersion) throw new ApiError(409, 'Conflict', 'x')
          return widgetWith({ ...live, finalizers: metadata.finalizers })
        },
      }
      const caches: Partial<ObjectCaches> = {
        wrote: () => void log.push('wrote'),
        removed: () => void log.push('removed'),
      }
      const finalizer = new ResourceFinalizer({ client: client as KubeClient, caches: caches as ObjectCaches })
      const owner = ownerOf(widgetWith(seen), WIDGET)
      await finalizer[action](owner, new AbortController().signal).then(
        () => log.push('done'),
        () => log.push('failed'),
      )
      expect(log).to.deep.equal(expected)
    })
  }
})
