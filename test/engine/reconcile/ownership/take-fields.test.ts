import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { JsonPatchBody, KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../../../../src/core/kube/object.ts'
import { markObject } from '../../../../src/engine/reconcile/apply/desired-object.ts'
import { takeFields } from '../../../../src/engine/reconcile/ownership/adoption.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import { TaskFailure } from '../../../../src/engine/role/task-outcome.ts'
import { partOf } from '../../../support/part-of.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const MAPPING = {
  gvk: { group: 'a.com', version: 'v1', kind: 'Thing' },
  plural: 'things',
  namespaced: true,
  subresources: [],
  verbs: [],
}
const OWNER = ownerOf(
  { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'd', uid: 'u' } },
  WIDGET,
)

function entry(manager: string, fieldsV1: JsonObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  const rest = { apiVersion: 'a.com/v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1' }
  return { manager, operation: 'Update', ...rest, fieldsV1, ...more }
}
const applied = { operation: 'Apply' }
const spec = (...names: readonly string[]): JsonObject => ({
  'f:spec': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
})

/** Takes the fields of `from`; resolves with the entries that were sent, if any. */
async function take(
  from: readonly string[],
  managedFields: readonly ManagedFieldsEntry[],
  { metadata = {} as ObjectMeta, answer = undefined as Error | undefined } = {},
) {
  const given = { name: 't', namespace: 'd', uid: 't1', resourceVersion: '7', managedFields, ...metadata }
  const live: KubeObject = { apiVersion: 'a.com/v1', kind: 'Thing', metadata: given }
  const sent: JsonObject[] = []
  const patch = async (_gvk: unknown, _key: unknown, { body }: JsonPatchBody): Promise<KubeObject> => {
    if (answer) throw answer
    sent.push((body as { metadata: JsonObject }).metadata)
    return live
  }
  const installation = { name: 'd/id', key: 'k' }
  const manifest = { apiVersion: 'a.com/v1', kind: 'Thing', metadata: { name: 't' } }
  const marks = { key: { namespace: 'd', name: 't' }, owner: OWNER, installation, owned: true, retain: false }
  const { managers } = await takeFields(partOf<KubeClient>({ patch }), live, {
    desired: markObject(manifest, { ...marks, adoptFrom: from }),
    mapping: MAPPING,
    owner: OWNER,
    installation: installation.name,
    adopt: 'ifUnowned',
    adoptFrom: from,
    beforeWrite: async () => undefined,
    signal: new AbortController().signal,
  })
  return { managers, sent, entries: sent[0]?.managedFields }
}

const HELM = entry('helm', { 'f:spec': { '.': {}, 'f:a': {}, 'f:b': {} } })
const OTHER = entry('other', spec('x'))

describe('adopt.from: the entries of `managedFields`', () => {
  const cases: readonly {
    readonly name: string
    readonly from?: readonly string[]
    readonly before: readonly ManagedFieldsEntry[]
    readonly after: readonly ManagedFieldsEntry[] | undefined
    readonly taken?: readonly string[]
  }[] = [
    {
      name: 'of a named manager become ours',
      before: [OTHER, HELM],
      after: [entry('rolebook', HELM.fieldsV1 as JsonObject, applied), OTHER],
      taken: ['helm'],
    },
    {
      name: 'of several are joined with ours, also where they have more of one place',
      from: ['argo', 'helm'],
      before: [
        entry('rolebook', spec('a', 'c'), applied),
        HELM,
        entry('argo', { 'f:spec': { 'f:b': { 'f:y': {} } } }, applied),
      ],
      after: [
        entry('rolebook', { 'f:spec': { '.': {}, 'f:a': {}, 'f:b': { '.': {}, 'f:y': {} }, 'f:c': {} } }, applied),
      ],
      taken: ['argo', 'helm'],
    },
    {
      name: 'of all commands of kubectl are meant by `kubectl`',
      from: ['kubectl'],
      before: [
        entry('kubectl', spec('a'), applied),
        entry('kubectl-client-side-apply', spec('b')),
        entry('kubectl-edit', spec('c')),
        entry('kubectler', spec('d')),
      ],
      after: [entry('rolebook', spec('a', 'b', 'c'), applied), entry('kubectler', spec('d'))],
      taken: ['kubectl', 'kubectl-client-side-apply', 'kubectl-edit'],
    },
    {
      name: 'of one command are meant by its name',
      from: ['kubectl-edit'],
      before: [entry('kubectl-create', spec('a')), entry('kubectl-edit', spec('b'))],
      after: [entry('rolebook', spec('b'), applied), entry('kubectl-create', spec('a'))],
      taken: ['kubectl-edit'],
    },
    {
      name: 'of subresources stay',
      before: [HELM, entry('helm', { 'f:status': { 'f:x': {} } }, { subresource: 'status' })],
      after: [
        entry('rolebook', HELM.fieldsV1 as JsonObject, applied),
        entry('helm', { 'f:status': { 'f:x': {} } }, { subresource: 'status' }),
      ],
      taken: ['helm'],
    },
    {
      name: 'keep finalizers and what an old server has noted of the status',
      before: [
        entry('helm', { ...spec('a'), 'f:status': { 'f:x': {} }, 'f:metadata': { 'f:finalizers': { 'v:"f"': {} } } }),
      ],
      after: [
        entry('rolebook', spec('a'), applied),
        entry('helm', { 'f:metadata': { 'f:finalizers': { 'v:"f"': {} } }, 'f:status': { 'f:x': {} } }),
      ],
      taken: ['helm'],
    },
    {
      name: 'of another version of the kind stay',
      before: [entry('rolebook', spec('a'), applied), HELM, entry('helm', spec('old'), { apiVersion: 'a.com/v0' })],
      after: [
        entry('rolebook', { 'f:spec': { '.': {}, 'f:a': {}, 'f:b': {} } }, applied),
        entry('helm', spec('old'), { apiVersion: 'a.com/v0' }),
      ],
      taken: ['helm'],
    },
    {
      name: 'of the version that was written last count, where we have none yet',
      before: [entry('helm', spec('old'), { apiVersion: 'a.com/v0', time: '2026-01-02T00:00:00Z' }), HELM],
      after: [
        entry('rolebook', spec('old'), { ...applied, apiVersion: 'a.com/v0', time: '2026-01-02T00:00:00Z' }),
        HELM,
      ],
      taken: ['helm'],
    },
    { name: 'stay where no manager is named', from: [], before: [HELM], after: undefined },
    { name: 'stay where the named one has none', before: [OTHER], after: undefined },
    {
      name: 'stay where the named one has finalizers alone',
      before: [entry('helm', { 'f:metadata': { 'f:finalizers': {} } })],
      after: undefined,
    },
    { name: 'are none of an object without any', before: [], after: undefined },
  ]
  for (const { name, from = ['helm'], before, after, taken = [] } of cases) {
    it(name, async () => {
      const { managers, entries } = await take(from, before)
      expect(entries).to.deep.equal(after)
      expect(managers).to.deep.equal(taken)
    })
  }

  it('are sent with the uid and the version of what was looked at', async () => {
    const { sent } = await take(['helm'], [HELM])
    expect(sent[0]).to.include({ uid: 't1', resourceVersion: '7' })
  })

  it('stay once our apply has noted that they were taken, until other managers are named', async () => {
    const annotations = { 'rolebook.dev/adopt-from': 'helm' }
    const ours = entry('rolebook', { 'f:metadata': { 'f:annotations': { 'f:rolebook.dev/adopt-from': {} } } }, applied)
    const owned = {
      annotations,
      ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u', controller: true }],
    }
    expect((await take(['helm'], [ours, HELM], { metadata: owned })).managers).to.deep.equal([])
    expect((await take(['argo', 'helm'], [ours, HELM], { metadata: owned })).managers).to.deep.equal(['helm'])
    expect((await take(['helm'], [HELM], { metadata: owned })).managers, 'noted by another').to.deep.equal(['helm'])
  })

  it('stay on an object that goes', async () => {
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u', controller: true }]
    const metadata = { ownerReferences, deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect((await take(['helm'], [HELM], { metadata })).sent).to.deep.equal([])
  })

  it('are looked at again when the object has changed; the refusal of a server is passed on', async () => {
    const refusal = async (answer: Error): Promise<Error> => {
      return take(['helm'], [HELM], { answer }).then(
        () => new Error('done'),
        (error: Error) => error,
      )
    }
    const changed = await refusal(new ApiError(409, 'Conflict', 'changed'))
    expect([changed instanceof TaskFailure && changed.retriable, changed.message]).to.deep.equal([
      true,
      'Thing d/t changed while its fields were taken over',
    ])
    expect((await refusal(new ApiError(500, 'InternalError', 'broken'))).message).to.equal('broken')
  })
})
