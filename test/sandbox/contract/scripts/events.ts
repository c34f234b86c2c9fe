import type { Step } from '../exchange.ts'

const OLD = '/api/v1/namespaces/{ns}/events'
const NEW = '/apis/events.k8s.io/v1/namespaces/{ns}/events'
const involved = { apiVersion: 'v1', kind: 'Pod', name: 'p', namespace: '{ns}' }

export const steps: readonly Step[] = [
  {
    name: 'create an old one',
    method: 'POST',
    path: OLD,
    body: {
      metadata: { name: 'old' },
      involvedObject: involved,
      reason: 'Because',
      message: 'of this',
      type: 'Normal',
      count: 2,
      source: { component: 'me' },
      firstTimestamp: '2026-01-01T00:00:00Z',
    },
  },
  {
    name: 'the old one as a new one',
    method: 'GET',
    path: `${NEW}/old`,
  },
  {
    name: 'create a new one',
    method: 'POST',
    path: NEW,
    body: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'new' },
      regarding: involved,
      reason: 'Because',
      note: 'of that',
      type: 'Warning',
      action: 'Doing',
      reportingController: 'example.com/me',
      reportingInstance: 'me-1',
      eventTime: '2026-01-01T00:00:00.123456Z',
    },
  },
  { name: 'the new one as an old one', method: 'GET', path: `${OLD}/new` },
  { name: 'by involved object', method: 'GET', path: `${OLD}?fieldSelector=involvedObject.name%3Dp,type%3DWarning` },
  {
    name: 'by regarding',
    method: 'GET',
    path: `${NEW}?fieldSelector=regarding.kind%3DPod,reason%3DBecause`,
  },
  { name: 'by an unknown field', method: 'GET', path: `${OLD}?fieldSelector=message%3Dx` },
  {
    name: 'PUT creates',
    method: 'PUT',
    path: `${OLD}/put`,
    body: { metadata: { name: 'put' }, involvedObject: involved, reason: 'R' },
  },
  {
    name: 'of another namespace',
    method: 'POST',
    path: OLD,
    body: { metadata: { name: 'far' }, involvedObject: { ...involved, namespace: 'default' } },
  },
  { name: 'delete all', method: 'DELETE', path: OLD },
]
