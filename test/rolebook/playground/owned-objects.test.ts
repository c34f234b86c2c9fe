import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { OwnedTree } from '../../../src/rolebook/playground/owned-objects.ts'
import type { ObjectNode, OwnedObjects } from '../../../src/rolebook/ui/model.ts'

const API: Readonly<Record<string, string>> = {
  Pod: 'v1',
  PersistentVolumeClaim: 'v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
}

function object(kind: string, name: string, owner?: string, rest: JsonObject = {}): KubeObject {
  const ownerReferences = owner === undefined ? [] : [{ apiVersion: 'v1', kind: 'Any', name: owner, uid: owner }]
  const metadata = { name, uid: name, namespace: 'default', ownerReferences }
  return { apiVersion: API[kind] ?? 'apps/v1', kind, metadata, ...rest } as KubeObject
}

function pod(name: string, owner: string, isReady = true): KubeObject {
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
  const status = { phase: 'Running', conditions, containerStatuses: [{ name: 'a', ready: isReady }] }
  return object('Pod', name, owner, { spec: { containers: [{ name: 'a' }] }, status })
}

function node(kind: string, name: string): ObjectNode {
  const head = { group: 'apps', kind, namespace: 'default', name, uid: name }
  return { ...head, health: 'ready', message: '', created: '', finalizers: [] }
}

/** `web[a(Running 1/1) b(Running 1/1)]` */
function print({ nodes, more, moreUnready }: OwnedObjects): string {
  const texts = nodes.map(
    ({ name, status, owned }) => `${name}(${status})${owned.nodes.length > 0 ? print(owned) : ''}`,
  )
  return `[${[...texts, ...(more > 0 ? [`+${more}, ${moreUnready} not ready`] : [])].join(' ')}]`
}

function shown(root: ObjectNode, all: readonly KubeObject[], tree = new OwnedTree()): string {
  return tree
    .withOwned([root], all)
    .map(({ owned }) => (owned ? print(owned) : 'unknown'))
    .join()
}

describe('what an object owns', () => {
  const web = node('Deployment', 'web')
  const replicaSet = (name: string, replicas: number): KubeObject =>
    object('ReplicaSet', name, 'web', { spec: { replicas }, status: { readyReplicas: replicas } })
  const cases = [
    {
      name: 'are the Pods of the ReplicaSet of a Deployment',
      root: web,
      all: [object('Deployment', 'web'), replicaSet('web-1', 2), pod('a', 'web-1'), pod('b', 'web-1', false)],
      expected: '[web-1(2/2 ready)[a(Running 1/1) b(Running 0/1)]]',
    },
    {
      name: 'is not a ReplicaSet that is kept for a rollback',
      root: web,
      all: [object('Deployment', 'web'), replicaSet('web-0', 0), replicaSet('web-1', 1), pod('a', 'web-1')],
      expected: '[web-1(1/1 ready)[a(Running 1/1)]]',
    },
    {
      name: 'are six at most, and the number of the others',
      root: node('ReplicaSet', 'web-1'),
      all: Array.from({ length: 18 }, (_, index) => pod(`p${index}`, 'web-1', index < 16)),
      expected: `[${[0, 1, 2, 3, 4, 5].map((index) => `p${index}(Running 1/1)`).join(' ')} +12, 2 not ready]`,
    },
    {
      name: 'are the claims of a StatefulSet, which have no owner',
      root: node('StatefulSet', 'db'),
      all: [
        object('StatefulSet', 'db', undefined, { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } }),
        pod('db-0', 'db'),
        object('PersistentVolumeClaim', 'data-db-0', undefined, { status: { phase: 'Bound' } }),
        object('PersistentVolumeClaim', 'data-db-x', undefined, { status: { phase: 'Bound' } }),
        object('PersistentVolumeClaim', 'data-db-other-0', undefined, { status: { phase: 'Bound' } }),
      ],
      expected: '[db-0(Running 1/1) data-db-0(Bound)]',
    },
    {
      name: 'are the claims of a StatefulSet that it deletes with itself, each once',
      root: node('StatefulSet', 'db'),
      all: [
        object('StatefulSet', 'db', undefined, { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } }),
        object('PersistentVolumeClaim', 'data-db-0', 'db', { status: { phase: 'Bound' } }),
      ],
      expected: '[data-db-0(Bound)]',
    },
    {
      name: 'are claims whose metadata name no owner at all',
      root: node('StatefulSet', 'db'),
      all: [
        object('StatefulSet', 'db', undefined, { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } }),
        {
          ...object('PersistentVolumeClaim', 'data-db-0', undefined, { status: { phase: 'Pending' } }),
          metadata: { name: 'data-db-0', uid: 'data-db-0', namespace: 'default' },
        },
      ],
      expected: '[data-db-0(Pending)]',
    },
    {
      name: 'is a Pod that has done its work, and one that no node has taken yet',
      root: node('Job', 'tidy'),
      all: [
        object('Pod', 'a', 'tidy', { spec: { containers: [{ name: 'a' }] }, status: { phase: 'Succeeded' } }),
        object('Pod', 'b', 'tidy', { spec: { containers: [{ name: 'a' }] }, status: { phase: 'Pending' } }),
      ],
      expected: '[a(Succeeded) b(Pending 0/1)]',
    },
    {
      name: 'are the Pods of the Jobs of a CronJob',
      root: node('CronJob', 'tidy'),
      all: [object('Job', 'tidy-1', 'tidy', { status: { succeeded: 1 } }), pod('tidy-1-x', 'tidy-1')],
      expected: '[tidy-1(1/1 done)[tidy-1-x(Running 1/1)]]',
    },
    {
      name: 'is no more than three levels deep, also when owners go round in circles',
      root: node('Job', 'a'),
      all: [object('Job', 'b', 'a'), object('Job', 'c', 'b'), object('Job', 'b2', 'c'), object('Job', 'b3', 'b2')],
      expected: '[b(0/1 done)[c(0/1 done)[b2(0/1 done)]]]',
    },
  ]
  for (const { name, root, all, expected } of cases) it(name, () => expect(shown(root, all)).to.equal(expected))

  it('keeps its place when one of them is replaced', () => {
    const tree = new OwnedTree()
    const root = node('ReplicaSet', 'web-1')
    const all = (names: string): readonly KubeObject[] => [
      object('ReplicaSet', 'web-1'),
      ...[...names].map((name) => pod(name, 'web-1')),
    ]
    shown(root, all('abc'), tree)
    expect(shown(root, all('bcd'), tree)).to.match(/^\[d\(.*\) b\(.*\) c\(.*\)\]$/)
  })

  it('is not ready while its status is about a former generation', () => {
    const database = object('Database', 'db', 'web', { status: { observedGeneration: 1 } })
    const outdated = { ...database, metadata: { ...database.metadata, generation: 2 } }
    const [grown] = new OwnedTree().withOwned([node('Shop', 'web')], [outdated])
    expect(grown?.owned?.nodes[0]).to.include({ health: 'notReady', message: 'its controller has not seen it yet' })
  })

  it('may be in no namespace', () => {
    const { metadata, ...rest } = object('ClusterRole', 'web-reader', 'web')
    const [grown] = new OwnedTree().withOwned(
      [node('Shop', 'web')],
      [{ ...rest, metadata: { ...metadata, namespace: undefined } }],
    )
    expect(grown?.owned?.nodes[0]).to.include({ kind: 'ClusterRole', namespace: '', name: 'web-reader' })
  })

  it('says why a Pod does not start, and that it is being deleted', () => {
    const containerStatuses = [{ name: 'a', ready: false, state: { waiting: { reason: 'ImagePullBackOff' } } }]
    const broken = { spec: { containers: [{ name: 'a' }] }, status: { phase: 'Pending', containerStatuses } }
    const living = pod('b', 'web-1')
    const leaving = { ...living, metadata: { ...living.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
    const all = [object('Pod', 'a', 'web-1', broken), leaving]
    expect(shown(node('ReplicaSet', 'web-1'), all)).to.equal('[a(ImagePullBackOff 0/1) b(Terminating)]')
  })
})
