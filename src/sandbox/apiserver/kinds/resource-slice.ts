import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { mapField, mapItems, objectAt, textAt } from './common/fields.ts'
import { validateSlice } from './devices/slice-validation.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceSlice' }

const specText = (field: string) => (object: KubeObject) => textAt(objectAt(object, 'spec'), field)

/** Devices that a driver offers, on a node or for several. */
export const resourceSlice: KindRules = {
  gvk,
  prepareForCreate: (object, { now }) => withTaintTimes(object, now),
  prepareForUpdate: (object, _old, { now }) => withTaintTimes(object, now),
  validate: (object, old) => validateSlice(objectAt(object, 'spec'), old && objectAt(old, 'spec')),
  generationFields: [['spec']],
  fieldSelectors: { 'spec.nodeName': specText('nodeName'), 'spec.driver': specText('driver') },
  columns: columnsOf(gvk, {
    Node: specText('nodeName'),
    Driver: specText('driver'),
    Pool: (object) => textAt(objectAt(objectAt(object, 'spec'), 'pool'), 'name'),
  }),
}

function withTaintTimes(object: KubeObject, now: number): KubeObject {
  const timeAdded = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  return mapField(object, 'spec', (spec) =>
    mapItems(spec, 'devices', (device) =>
      mapItems(device, 'taints', (taint) => (taint.timeAdded === undefined ? { ...taint, timeAdded } : taint)),
    ),
  )
}
