import { expect } from 'chai'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { type FoundShard, findShard, printShard } from '../../../src/rolebook/cli/explain/find-shard.ts'

const KEY = { namespace: 'default', name: 'web' }
const lease = { namespace: 'ops', name: 'rolebook' }
const heldBy = (holderIdentity: string): KubeObject => {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: {}, spec: { holderIdentity } }
}

describe('The shard of a resource, for people', () => {
  const cases: readonly {
    readonly name: string
    readonly leases: Readonly<Record<string, KubeObject | ApiError>>
    readonly found: FoundShard | undefined
    readonly text?: string
  }[] = [
    {
      name: 'names the Pod that holds its lease',
      leases: { rolebook: heldBy('16 shards'), 'rolebook-shard-4': heldBy('rolebook-7d9f_0a1b') },
      found: { index: 4, count: 16, heldBy: 'rolebook-7d9f' },
      text: 'shard 4 of 16, held by rolebook-7d9f\n\n',
    },
    {
      name: 'says that no replica holds it',
      leases: { rolebook: heldBy('16 shards'), 'rolebook-shard-4': heldBy('') },
      found: { index: 4, count: 16 },
      text: 'shard 4 of 16, held by no replica at the moment\n\n',
    },
    {
      name: 'is left out where one replica leads',
      leases: { rolebook: heldBy('rolebook-7d9f_0a1b') },
      found: undefined,
    },
    { name: 'is left out where there is no lease', leases: {}, found: undefined },
    {
      name: 'is left out where leases may not be read',
      leases: { rolebook: new ApiError(403, 'Forbidden', 'x') },
      found: undefined,
    },
  ]
  for (const { name, leases, found, text } of cases) {
    it(name, async () => {
      const client = {
        get: async (_gvk: unknown, key: { readonly name: string }): Promise<KubeObject | undefined> => {
          const answer = leases[key.name]
          if (answer instanceof ApiError) throw answer
          return answer
        },
      }
      const shard = await findShard(KEY, { client, lease })
      expect(shard).to.deep.equal(found)
      if (shard) expect(printShard(shard)).to.equal(text)
    })
  }
})
