import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const CLAIMS = '/api/v1/namespaces/{ns}/persistentvolumeclaims?dryRun=All'

const tried = (name: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: CLAIMS,
  body: {
    metadata: { name: 'c' },
    // A class of its own: which one is the default is a matter of the cluster.
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
  },
})
const claim = { kind: 'PersistentVolumeClaim', name: 'a' }
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'a' }
const other = { apiGroup: 'example.com', kind: 'Backup', name: 'a' }
const map = { kind: 'ConfigMap', name: 'a' }

export const steps: readonly Step[] = [
  tried('ReadWriteOncePod', { accessModes: ['ReadWriteOncePod'] }),
  tried('ReadWriteOncePod with others', { accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'] }),
  tried('ReadWriteOncePod with unknown ones', { accessModes: ['ReadWriteOncePod', 'Some'] }),
  tried('a selector', { selector: { matchLabels: { a: 'b' } } }),
  tried('a selector of a bad key', { selector: { matchLabels: { 'a b': 'b' } } }),
  tried('a selector by another operator', { selector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }),
  tried('a selector without values', { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
  tried('no mode and a bad selector', { accessModes: [], selector: { matchLabels: { 'a b': 'b' } } }),
  tried('a class of attributes', { volumeAttributesClassName: 'a' }),
  tried('an empty class of attributes', { volumeAttributesClassName: '' }),
  tried('a bad class of attributes', { volumeAttributesClassName: 'A_b' }),
  tried('less than a byte', { resources: { requests: { storage: '1m' } } }),
  tried('a copy of a claim', { dataSource: claim }),
  tried('a copy of a claim, in words', { dataSource: { ...claim, apiGroup: '' } }),
  tried('a copy of a snapshot', { dataSource: snapshot }),
  tried('a copy of another kind', { dataSource: other }),
  tried('a copy of a core kind', { dataSource: map }),
  tried('a copy of a claim by reference', { dataSourceRef: claim }),
  tried('a copy of another kind by reference', { dataSourceRef: other }),
  tried('a copy of a core kind by reference', { dataSourceRef: map }),
  tried('a copy by both', { dataSource: claim, dataSourceRef: claim }),
  tried('a copy of two', { dataSource: claim, dataSourceRef: { ...claim, name: 'b' } }),
  tried('a copy of two kinds', { dataSource: claim, dataSourceRef: other }),
  tried('a copy of a core kind by both', { dataSource: map, dataSourceRef: map }),
  tried('a copy without a name', { dataSourceRef: { apiGroup: 'example.com', kind: 'Backup', name: '' } }),
  tried('a copy without a kind', { dataSourceRef: { apiGroup: 'example.com', kind: '', name: 'a' } }),
  tried('a copy of a bad group', { dataSourceRef: { ...other, apiGroup: 'a_b' } }),
  tried('a copy from another namespace', { dataSourceRef: { ...claim, namespace: 'other' } }),
  tried('a copy from another namespace and from here', {
    dataSource: claim,
    dataSourceRef: { ...claim, namespace: 'other' },
  }),
]
