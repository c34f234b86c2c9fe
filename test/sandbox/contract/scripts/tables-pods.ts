import type { JsonObject } from '../../../../src/core/base/json.ts'
import { LONG_AGO, tableSteps } from '../table-steps.ts'

const container = (name: string, more: object = {}) => ({ name, image: `registry.example/${name}:1`, ...more })
/** No scheduler takes it, so that it stays as it is. */
const pod = (name: string, spec: object = {}) => ({
  path: '/api/v1/namespaces/{ns}/pods',
  body: { metadata: { name }, spec: { schedulerName: 'none', containers: [container('a'), container('b')], ...spec } },
})
const state = (name: string, what: object, more: object = {}) => ({
  name,
  image: 'i',
  imageID: '',
  ready: false,
  restartCount: 0,
  state: what,
  ...more,
})
const waiting = (reason: string) => ({ waiting: { reason } })
const running = { running: { startedAt: '2026-01-01T00:00:00Z' } }
const exited = (exitCode: number, more: object = {}) => ({
  terminated: { exitCode, startedAt: LONG_AGO, finishedAt: LONG_AGO, ...more },
})
const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more })
const status = (phase: string, ...containerStatuses: object[]) => ({ phase, containerStatuses }) as JsonObject
const inits = (...initContainerStatuses: object[]) => ({ phase: 'Pending', initContainerStatuses }) as JsonObject

export const steps = tableSteps([
  {
    name: 'pod',
    ...pod('p'),
    states: {
      pending: status('Pending'),
      scheduled: { phase: 'Pending', conditions: [condition('PodScheduled', 'True')] },
      gated: { phase: 'Pending', conditions: [condition('PodScheduled', 'False', { reason: 'SchedulingGated' })] },
      creating: status('Pending', state('a', waiting('ContainerCreating')), state('b', waiting('ContainerCreating'))),
      'without its image': status('Pending', state('a', running), state('b', waiting('ImagePullBackOff'))),
      'half ready': status('Running', state('a', running, { ready: true }), state('b', running)),
      ready: {
        ...status('Running', state('a', running, { ready: true }), state('b', running, { ready: true })),
        podIP: '10.1.2.3',
        podIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }],
      },
      'with an address only': { ...status('Running'), podIP: '10.1.2.4' },
      restarted: status(
        'Running',
        state('a', running, { ready: true, restartCount: 2, lastState: exited(1) }),
        state('b', running, { ready: true, restartCount: 3 }),
      ),
      crashing: status(
        'Running',
        state('a', waiting('CrashLoopBackOff'), { restartCount: 5, lastState: exited(1, { reason: 'Error' }) }),
        state('b', running, { ready: true }),
      ),
      'half done': {
        ...status('Running', state('a', running, { ready: true }), state('b', exited(0, { reason: 'Completed' }))),
        conditions: [condition('Ready', 'True')],
      },
      'half done and not ready': status('Running', state('a', running), state('b', exited(0, { reason: 'Completed' }))),
      completed: status('Succeeded', state('a', exited(0, { reason: 'Completed' })), state('b', exited(0))),
      failed: status('Failed', state('a', exited(3)), state('b', exited(0))),
      killed: status('Failed', state('a', exited(0, { signal: 9 })), state('b', exited(0, { signal: 15 }))),
      'out of memory': status('Running', state('a', exited(137, { reason: 'OOMKilled' })), state('b', running)),
      evicted: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' },
      lost: { phase: 'Running', reason: 'NodeLost' },
      nominated: { phase: 'Pending', nominatedNodeName: 'node-9' },
    },
  },
  {
    name: 'pod with init containers',
    ...pod('init', { initContainers: [container('x'), container('y')] }),
    states: {
      'before the first': inits(state('x', waiting('PodInitializing')), state('y', waiting('PodInitializing'))),
      'in the second': inits(state('x', exited(0), { ready: true }), state('y', running)),
      'without an image': inits(state('x', waiting('ErrImagePull'))),
      failed: inits(state('x', exited(4))),
      'killed at the start': inits(state('x', exited(0, { signal: 11 }))),
      'failed for a reason': inits(
        state('x', exited(1, { reason: 'Error' }), { restartCount: 7, lastState: exited(1) }),
      ),
      'done with them': {
        phase: 'Running',
        conditions: [condition('Initialized', 'True')],
        initContainerStatuses: [state('x', exited(0), { ready: true }), state('y', exited(0), { ready: true })],
        containerStatuses: [state('a', running, { ready: true }), state('b', running)],
      } as JsonObject,
    },
  },
  {
    name: 'pod with a sidecar',
    ...pod('sidecar', { initContainers: [container('x', { restartPolicy: 'Always' })], containers: [container('a')] }),
    states: {
      starting: inits(state('x', waiting('PodInitializing'), { started: false })),
      started: {
        phase: 'Running',
        conditions: [condition('Initialized', 'True')],
        initContainerStatuses: [state('x', running, { ready: true, started: true, restartCount: 1 })],
        containerStatuses: [state('a', running, { ready: true })],
      } as JsonObject,
    },
  },
  {
    name: 'pod with gates',
    ...pod('gates', {
      readinessGates: [{ conditionType: 'example.com/a' }, { conditionType: 'example.com/b' }],
      schedulingGates: [{ name: 'example.com/wait' }],
    }),
    states: {
      'half passed': {
        phase: 'Pending',
        conditions: [condition('example.com/a', 'True'), condition('example.com/b', 'False')],
      },
    },
  },
  { name: 'pod on a node', ...pod('bound', { nodeName: 'nowhere' }) },
])
