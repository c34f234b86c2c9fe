import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { deleteForRecreation } from '../../../../src/engine/reconcile/apply/apply-object.ts'
import { markObject } from '../../../../src/engine/reconcile/apply/desired-object.ts'
import type { ApplyRequest, ApplyTools } from '../../../../src/engine/reconcile/apply/write-decision.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { ObjectCaches } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { partOf } from '../../../support/part-of.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const OWNER = ownerOf(
  { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'd', uid: 'u' } },
  WIDGET,
)
const OURS = {
  manager: 'rolebook',
  operation: 'Apply',
  fieldsV1: { 'f:metadata': { 'f:labels': { 'f:rolebook.dev/owner-uid': {} } } },
}

function job(image: string, kind = 'Job'): KubeObject {
  const spec = { template: { spec: { containers: [{ name: 'x', image }] } }, ports: [{ port: 1 }] }
  const manifest = { apiVersion: 'batch/v1', kind, metadata: { name: 'j' }, spec }
  const installation = { name: 'd/id', key: 'k' }
  return markObject(manifest, {
    key: { namespace: 'd', name: 'j' },
    owner: OWNER,
    installation,
    owned: true,
    retain: false,
  })
}

function stored(object: KubeObject, metadata: KubeObject['metadata'] = {}): KubeObject {
  return {
    ...object,
    metadata: { ...object.metadata, uid: 'j1', resourceVersion: '5', managedFields: [OURS], ...metadata },
  }
}

function refused(...fields: readonly (string | undefined)[]): ApiError {
  const causes = fields.map((field) => ({
    reason: 'FieldValueInvalid',
    message: 'field is immutable',
    field,
  })) as JsonObject[]
  return new ApiError(422, 'Invalid', 'refused', { status: { details: { causes } } })
}

interface Case {
  readonly name: string
  readonly error?: unknown
  readonly gvk?: ApplyRequest['mapping']['gvk']
  readonly live?: KubeObject | null
  readonly probe?: Error
  readonly answer?: KubeObject | Error
  /** Requests that are sent, and the end. */
  readonly expected: readonly string[]
}

const LIVE = stored(job('x:1'))
const GONE = { apiVersion: 'v1', kind: 'Status', metadata: {} }
const ALL = ['get', 'probe', 'delete j1 5']

const cases: readonly Case[] = [
  { name: 'an object that never changes', expected: [...ALL, 'removed', 'gone'] },
  { name: 'one that goes in its own time', answer: LIVE, expected: [...ALL, 'going'] },
  { name: 'a field within a list', error: refused('spec.ports[0].nodePort'), expected: [...ALL, 'removed', 'gone'] },
  {
    name: 'one of several fields',
    error: refused(undefined, 'spec.other', 'spec.template'),
    expected: [...ALL, 'removed', 'gone'],
  },
  { name: 'nothing for another refusal', error: new ApiError(403, 'Forbidden', 'no'), expected: ['left'] },
  { name: 'nothing for what is no refusal', error: new Error('x'), expected: ['left'] },
  { name: 'nothing for another object of the name', error: refused('metadata.uid'), expected: ['left'] },
  { name: 'nothing for a field that is not set', error: refused('spec.completionMode'), expected: ['left'] },
  { name: 'nothing for a field within a text', error: refused('kind.x'), expected: ['left'] },
  { name: 'nothing for no field', error: refused(undefined), expected: ['left'] },
  ...['PersistentVolume', 'PersistentVolumeClaim', 'Namespace', 'StatefulSet'].map((kind) => ({
    name: `no ${kind}`,
    gvk: { group: kind === 'StatefulSet' ? 'apps' : '', version: 'v1', kind },
    expected: ['left'],
  })),
  {
    name: 'no CustomResourceDefinition',
    gvk: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
    expected: ['left'],
  },
  { name: 'no custom resource', gvk: WIDGET, expected: ['left'] },
  { name: 'nothing that is not there', live: null, expected: ['get', 'left'] },
  {
    name: 'nothing that goes already',
    live: stored(job('x:1'), { deletionTimestamp: 'x' }),
    expected: ['get', 'left'],
  },
  {
    name: 'nothing that is not ours',
    live: stored(job('x:1'), { ownerReferences: [], labels: {} }),
    expected: ['get', 'left'],
  },
  {
    name: 'nothing that is not labelled by us',
    live: stored(job('x:1'), { managedFields: [] }),
    expected: ['get', 'left'],
  },
  { name: 'nothing that is to be as it was', live: stored(job('x:2')), expected: ['get', 'left'] },
  { name: 'nothing whose successor the server refuses', probe: refused('spec'), expected: ['get', 'probe', 'left'] },
  { name: 'nothing while that cannot be asked', probe: new Error('broken'), expected: ['get', 'probe', 'broken'] },
  {
    name: 'nothing that changes meanwhile',
    answer: new ApiError(409, 'Conflict', 'changed'),
    expected: [...ALL, 'cannot remove Job d/j: it changed meanwhile'],
  },
  {
    name: 'nothing that may not be deleted',
    answer: new ApiError(500, 'InternalError', 'sorry'),
    expected: [...ALL, 'sorry'],
  },
]

describe('onImmutable: recreate deletes', () => {
  for (const { name, error = refused('spec.template'), gvk, live = LIVE, probe, answer = GONE, expected } of cases) {
    it(name, async () => {
      const sent: string[] = []
      const client = partOf<KubeClient>({
        get: async () => {
          sent.push('get')
          return live ?? undefined
        },
        create: async (object, { dryRun }) => {
          sent.push(dryRun ? 'probe' : 'create')
          if (probe) throw probe
          return object
        },
        delete: async (_gvk, _key, { uid, resourceVersion } = {}) => {
          sent.push(`delete ${uid} ${resourceVersion}`)
          if (answer instanceof Error) throw answer
          return answer
        },
      })
      const caches = partOf<ObjectCaches>({ removed: () => void sent.push('removed') })
      const tools = partOf<ApplyTools>({ client, caches })
      const mapping = {
        gvk: gvk ?? { group: 'batch', version: 'v1', kind: 'Job' },
        plural: 'jobs',
        namespaced: true,
        subresources: [],
        verbs: [],
      }
      const signal = new AbortController().signal
      const request = {
        desired: job('x:2'),
        mapping,
        owner: OWNER,
        installation: 'd/id',
        adopt: 'never',
        beforeWrite: async () => undefined,
        signal,
      } as const
      try {
        const removed = await deleteForRecreation(tools, request, error)
        sent.push(removed === undefined ? 'left' : removed.isGone ? 'gone' : 'going')
      } catch (thrown) {
        sent.push((thrown as Error).message)
      }
      expect(sent).to.deep.equal(expected)
    })
  }
})
