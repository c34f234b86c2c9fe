import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { Condition } from '../../../../src/core/kube/condition.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { ObjectApplier } from '../../../../src/engine/reconcile/apply/apply-object.ts'
import { DriftFights } from '../../../../src/engine/reconcile/apply/drift-fights.ts'
import type { ApplyTools } from '../../../../src/engine/reconcile/apply/write-decision.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const MAPPING = { gvk: CONFIG_MAP, plural: 'configmaps', namespaced: true, subresources: [], verbs: [] }
const READY: Condition = { type: 'Ready', status: 'True', observedGeneration: 1 }
const NOT_READY: Condition = { type: 'Ready', status: 'False', observedGeneration: 1 }

function resource(condition?: Condition): KubeObject {
  const metadata = { name: 'w', namespace: 'd', uid: 'u', generation: 1 }
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata }
  return condition ? { ...widget, status: { conditions: [{ ...condition }] } } : widget
}

/** A process that sees no child, and a server that has the owner or not. Returns what it sends when it applies for each of `met`, in order. */
async function sentFor(met: readonly KubeObject[], live: KubeObject | undefined): Promise<readonly string[]> {
  const sent: string[] = []
  const client = {
    get: async () => {
      sent.push('asks for the owner')
      return live
    },
    apply: async (object: KubeObject) => {
      sent.push(`creates ${object.metadata.name}`)
      return { ...object, metadata: { ...object.metadata, uid: `c${sent.length}`, resourceVersion: '1' } }
    },
  }
  const caches = { child: async () => undefined, wrote: () => undefined, sent: () => undefined }
  const applier = new ObjectApplier({
    client,
    caches,
    fights: new DriftFights(new FakeClock()),
  } as unknown as ApplyTools)
  for (const [index, object] of met.entries()) {
    const desired = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c-${index}`, namespace: 'd' } }
    const owner = ownerOf(object, WIDGET)
    const { signal } = new AbortController()
    const request = { desired, mapping: MAPPING, owner, adopt: 'never', beforeWrite: async () => undefined, signal }
    await applier
      .apply(request as unknown as Parameters<ObjectApplier['apply']>[0])
      .catch(({ message }: Error) => sent.push(message))
  }
  return sent
}

describe('A child that is not there', () => {
  const cases = [
    { name: 'of a new resource is created at once', met: [resource()], expected: ['creates c-0'] },
    {
      name: 'of a resource that this process has begun is created at once, also when another task waits',
      met: [resource(), resource(NOT_READY)],
      expected: ['creates c-0', 'creates c-1'],
    },
    {
      name: 'of a Ready resource may have been there: the server is asked whether the owner stays',
      met: [resource(READY)],
      expected: ['asks for the owner', 'creates c-0'],
    },
    {
      name: 'of a resource that is not Ready, and that a process before this one has reconciled, may have been there',
      met: [resource(NOT_READY), resource(NOT_READY)],
      expected: ['asks for the owner', 'creates c-0', 'asks for the owner', 'creates c-1'],
    },
  ]
  for (const { name, met, expected } of cases) {
    it(name, async () => expect(await sentFor(met, met[0])).to.deep.equal(expected))
  }

  it('is not made for an owner that was deleted while the process started', async () => {
    const [asked, refusal, ...others] = await sentFor([resource(NOT_READY)], undefined)
    expect([asked, others]).to.deep.equal(['asks for the owner', []])
    expect(refusal).to.contain('is being deleted')
  })
})
