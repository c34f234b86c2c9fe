import { expect } from 'chai'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import type { WatchSource } from '../../../../src/engine/operator/watching/watched-informers.ts'
import {
  findLostRoles,
  findUnselected,
  UnselectedSearch,
  type UnselectedSearchOptions,
  type UnselectedTools,
} from '../../../../src/engine/operator/without-role/unselected-search.ts'
import type { WatchEntry } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { ledgerWith } from '../../../support/ledger-with.ts'
import { partOf } from '../../../support/part-of.ts'
import { roleOf } from '../../../support/task-run.ts'
import { widgetWith } from '../../../support/widget.ts'

const WIDGET: Gvk = { group: 'example.com', version: 'v1', kind: 'Widget' }
const FORMER: Gvk = { group: '', version: 'v1', kind: 'Secret' }
const SOURCE = partOf<WatchSource>({
  entry: partOf<WatchEntry>({
    gvk: WIDGET,
    role: roleOf('- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}'),
  }),
  selector: { matchLabels: { tier: 'one' } },
})
const LEFT = widgetWith({ name: 'left' })
const CHILD: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'c', namespace: 'd' } }

const NOT_SERVED = new ApiError(404, 'KindNotServed', 'not served')
const FORBIDDEN = new ApiError(403, 'Forbidden', 'forbidden')
const AWAY = new ApiError(503, 'ServiceUnavailable', 'away')

interface Case {
  readonly name: string
  /** What a look for children of the kind that the role makes, and of the one that it made, yields. */
  readonly present: readonly KubeObject[] | ApiError
  readonly former: readonly KubeObject[] | ApiError
  readonly found: readonly string[] | ApiError
}

describe('resources that left their selector while the operator was away', () => {
  const cases: readonly Case[] = [
    { name: 'are those with children', present: [CHILD], former: [], found: ['left'] },
    { name: 'are those with children of a kind of before', present: [], former: [CHILD], found: ['left'] },
    { name: 'are none without children', present: [], former: [], found: [] },
    { name: 'are found beside a kind that is not served', present: NOT_SERVED, former: [CHILD], found: ['left'] },
    { name: 'are found though a kind of before may not be read any more', present: [], former: FORBIDDEN, found: [] },
    { name: 'are unknown while a kind may not be read', present: FORBIDDEN, former: [CHILD], found: FORBIDDEN },
    { name: 'are unknown while the server does not answer', present: [], former: AWAY, found: AWAY },
  ]
  for (const { name, present, former, found } of cases) {
    it(name, async () => {
      const children = async (gvk: Gvk): Promise<readonly KubeObject[]> => {
        const answer = gvk.kind === 'ConfigMap' ? present : former
        if (answer instanceof ApiError) throw answer
        return answer
      }
      const tools: UnselectedTools = {
        client: partOf<KubeClient>({ list: async () => ({ items: [LEFT], resourceVersion: '1' }) }),
        mapper: partOf<ResourceMapper>({ preferred: async () => FORMER }),
        ledger: ledgerWith({ own: [FORMER] }),
        caches: { children },
        signal: new AbortController().signal,
      }
      const reach = { sources: [SOURCE], former: [SOURCE] }
      const seen = await findUnselected(WIDGET, reach, tools).catch((error: unknown) => error)
      const isFound = typeof seen === 'object' && seen !== null && 'unselected' in seen
      const names = isFound ? (seen.unselected as readonly KubeObject[]).map(({ metadata }) => metadata.name) : seen
      expect(names).to.deep.equal(found)
    })
  }
})

describe('resources of a kind that no server has any more', () => {
  it('have lost no role that anything could be done about', async () => {
    const losses = await findLostRoles(new Map(), {
      client: partOf<KubeClient>({}),
      mapper: partOf<ResourceMapper>({ preferred: async () => undefined }),
      ledger: ledgerWith({}, { watched: async () => [WIDGET] }),
      cachesFor: () => ({ children: async () => [] }),
      signal: new AbortController().signal,
    })
    expect(losses).to.deep.equal([])
  })
})

describe('new entries of a kind', () => {
  it('that the ledger cannot record are left to the next start, as the log says', async () => {
    const log: unknown[] = []
    const options = partOf<UnselectedSearchOptions>({
      kind: WIDGET,
      sources: () => [],
      logger: { ...nopLogger, debug: (message, fields) => log.push([message, fields]) },
      ledger: ledgerWith({}, { record: () => Promise.reject(FORBIDDEN) }),
    })
    await new UnselectedSearch(options).remember(new AbortController().signal)
    expect(log).to.deep.equal([
      ['cannot record the entries of a kind', { kind: 'Widget.example.com', error: 'forbidden' }],
    ])
  })
})
