import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { JsonPatchBody, KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { foreseeingAdoption } from '../../../../src/engine/reconcile/ownership/adoption.ts'
import { partOf } from '../../../support/part-of.ts'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const KEY = { namespace: 'd', name: 'it' }
const DRY = { fieldManager: 'rolebook', dryRun: true }

const data = (...names: readonly string[]): JsonObject => ({
  'f:data': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
})
const entry = (manager: string, fieldsV1: JsonObject): ManagedFieldsEntry => ({
  ...{ manager, operation: manager === 'rolebook' ? 'Apply' : 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' },
  fieldsV1,
})
const configMap = (values: JsonObject, managedFields: readonly ManagedFieldsEntry[]): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', data: values },
  metadata: { ...KEY, managedFields },
})
const taking = (managedFields: readonly ManagedFieldsEntry[]): JsonPatchBody => ({
  type: 'merge',
  body: { metadata: { managedFields: managedFields as unknown as JsonObject[] } },
})

/** A client whose server answers each apply with this object, and each patch as it is told. */
function clientOf(answer: KubeObject) {
  const sent: JsonPatchBody[] = []
  const client = foreseeingAdoption(
    partOf<KubeClient>({
      apply: async () => answer,
      patch: async (_gvk, _key, patch) => {
        sent.push(patch)
        return { ...answer, data: { patched: 'yes' } }
      },
    }),
  )
  const apply = () => client.apply(answer, { ...DRY, force: true })
  return { client, sent, apply }
}

describe('a dry run of an adoption', () => {
  const ours = entry('rolebook', data('a'))
  const others = entry('other', data('b'))

  it('needs no other request for an object that has nothing but its name', async () => {
    const managedFields = [entry('rolebook', {}), others]
    const bare: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...KEY, managedFields } }
    const { client, sent, apply } = clientOf(bare)
    await client.patch(CONFIG_MAP, KEY, taking([ours, others]), DRY)
    expect(await apply()).to.deep.equal(bare)
    expect(sent).to.have.length(1)
  })

  it('asks what the server makes of what is left, also where a field that was taken is not there', async () => {
    // The server gives defaults to what is missing, so the whole of it is sent.
    const { client, sent, apply } = clientOf(configMap({ a: '1', c: '3' }, [ours]))
    await client.patch(CONFIG_MAP, KEY, taking([entry('rolebook', data('a', 'c', 'gone'))]), DRY)
    expect((await apply()).data).to.deep.equal({ patched: 'yes' })
    expect(sent[1]).to.deep.equal({ type: 'json', body: [{ op: 'add', path: '/data', value: { a: '1' } }] })
  })

  it('leaves the entries of others where we hold nothing any more', async () => {
    const { client, apply } = clientOf(configMap({ b: '2' }, [others]))
    await client.patch(CONFIG_MAP, KEY, taking([others]), DRY)
    expect((await apply()).metadata.managedFields).to.deep.equal([others])
  })

  const irrelevant: readonly { name: string; patch: JsonPatchBody; dryRun: boolean }[] = [
    { name: 'is written', patch: taking([ours]), dryRun: false },
    { name: 'takes no fields', patch: { type: 'merge', body: { data: { a: '2' } } }, dryRun: true },
    { name: 'is one of JSON', patch: { type: 'json', body: [{ op: 'remove', path: '/data/a' }] }, dryRun: true },
  ]
  for (const { name, patch, dryRun } of irrelevant) {
    it(`is not made of a patch that ${name}: the answer to the apply is the whole truth`, async () => {
      const answer = configMap({ a: '1' }, [ours])
      const { client, sent, apply } = clientOf(answer)
      await client.patch(CONFIG_MAP, KEY, patch, { fieldManager: 'rolebook', dryRun })
      expect(await apply()).to.equal(answer)
      expect(sent).to.deep.equal([patch])
    })
  }
})
