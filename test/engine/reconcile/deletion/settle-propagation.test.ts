import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { Cleanup, type CleanupTools, settlePropagation } from '../../../../src/engine/reconcile/deletion/deletion.ts'
import { SeenDeletions } from '../../../../src/engine/reconcile/deletion/propagation.ts'
import { ownerOf, type ResourceFinalizer } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { ManagedObjects } from '../../../../src/engine/reconcile/prune/managed-objects.ts'
import { type ReconcileContext, ResourceMemory } from '../../../../src/engine/reconcile/run/reconcile-context.ts'
import { partOf } from '../../../support/part-of.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const REQUEST = { group: 'example.com', kind: 'Widget', namespace: 'default', name: 'w' }

const resource = (metadata: KubeObject['metadata'] = {}): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default', uid: 'u', finalizers: ['rolebook.dev/finalizer'], ...metadata },
})
const going = resource({ deletionTimestamp: '2026-01-01T00:00:00Z' })

/** The watch has not shown the deletion yet: the answer to a write of the operator has. */
function toolsWith(seenDeletions: SeenDeletions): CleanupTools {
  const untouched = new Proxy({}, { get: (_none, name) => expect.fail(`it asked for ${String(name)}`) })
  return partOf<CleanupTools>({
    managedObjects: untouched as ManagedObjects,
    finalizer: untouched as ResourceFinalizer,
    seenDeletions,
    resources: { isDeletionDue: () => true },
  })
}

function settle(seenDeletions: SeenDeletions, object = going): Promise<ReconcileContext | undefined> {
  const owner = ownerOf(object, WIDGET)
  const context = { request: REQUEST, owner, memory: new ResourceMemory('u'), entry: { role: {} } }
  return settlePropagation(toolsWith(seenDeletions), context as unknown as ReconcileContext)
}

describe('a deletion that the answer to a write shows before the watch does', () => {
  it('is left to the watch, which shows how it began: the run is tried again', async () => {
    expect(await settle(new SeenDeletions())).to.equal(undefined)
    const owner = ownerOf(going, WIDGET)
    const context = { request: REQUEST, owner, selection: 'selected', memory: new ResourceMemory('u') }
    const settled = await new Cleanup(toolsWith(new SeenDeletions())).settled(context as unknown as ReconcileContext)
    expect(settled).to.deep.equal({ result: { retry: true } })
  })

  it('is settled at once when it shows itself that it began in the foreground', async () => {
    const finalizers = ['foregroundDeletion', 'rolebook.dev/finalizer']
    const settled = await settle(new SeenDeletions(), resource({ ...going.metadata, finalizers }))
    expect(settled?.memory.propagation).to.equal('Foreground')
  })

  it('is settled at once when a watch has shown it', async () => {
    const seen = new SeenDeletions()
    seen.note({ type: 'updated', old: resource(), object: going })
    expect(await settle(seen)).to.not.equal(undefined)
  })
})
