import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { get, METADATA, patch } from '../map-steps.ts'

const PODS = '/api/v1/namespaces/{ns}/pods'
const POD = `${PODS}/p`
const EPHEMERAL = `${POD}/ephemeralcontainers`
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' }
const JSON_PATCH = { 'content-type': 'application/json-patch+json' }
const APPLY = { 'content-type': 'application/apply-patch+yaml' }

const SPEC = {
  nodeName: '{ns}-nowhere',
  automountServiceAccountToken: false,
  containers: [{ name: 'c', image: 'example.com/a' }],
  initContainers: [{ name: 'i', image: 'example.com/a' }],
  volumes: [{ name: 'v', emptyDir: {} }],
}

const STATIC = { nodeName: '{ns}-nowhere', containers: SPEC.containers }

/** As `kubectl debug` adds one. */
const add = (name: string, container: JsonObject, more: JsonObject = {}): Step =>
  patch(
    name,
    EPHEMERAL,
    { ...more, spec: { ...(more.spec as JsonObject | undefined), ephemeralContainers: [container] } },
    {
      headers: STRATEGIC,
    },
  )

const refused = (what: string, more: JsonObject): Step => add(what, { name: 'bad', image: 'example.com/d', ...more })

export const steps: readonly Step[] = [
  {
    name: 'create the pod',
    method: 'POST',
    path: PODS,
    body: { metadata: { name: 'p', labels: { app: 'a' } }, spec: SPEC },
  },
  get('get its ephemeral containers', EPHEMERAL),
  add('add one', { name: 'debug', image: 'example.com/d', targetContainerName: 'c', stdin: true, tty: true }),
  add('add it again', { name: 'debug', image: 'example.com/d' }),
  {
    ...add('change one', { name: 'debug', image: 'example.com/e' }),
    differs: 'the real server adds in which fields an ephemeral container was changed, in its own notation of structs',
  },
  add(
    'add another, and change all sorts of things',
    { name: 'more', image: 'example.com/d:1', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
    {
      metadata: { labels: { app: 'b' }, annotations: { a: 'b' }, finalizers: ['example.com/a'] },
      spec: { activeDeadlineSeconds: 5, containers: [{ name: 'c', image: 'example.com/other' }] },
      status: { phase: 'Running' },
    },
  ),
  patch('remove all', EPHEMERAL, { spec: { ephemeralContainers: null } }),
  patch('remove one', EPHEMERAL, [{ op: 'remove', path: '/spec/ephemeralContainers/0' }] as unknown as JsonObject, {
    headers: JSON_PATCH,
  }),
  refused('without an image', { image: '' }),
  refused('with spaces around its image', { image: ' example.com/d' }),
  refused('with a name that is none', { name: 'Not_A_Name' }),
  refused('with the name of a container', { name: 'c' }),
  refused('with the name of an init container', { name: 'i' }),
  refused('for a container that is not there', { targetContainerName: 'none' }),
  refused('for an ephemeral container', { targetContainerName: 'debug' }),
  refused('with ports', { ports: [{ containerPort: 80 }] }),
  refused('with resources', { resources: { limits: { cpu: '1' } } }),
  refused('with probes', {
    livenessProbe: { exec: { command: ['a'] } },
    readinessProbe: { exec: { command: ['a'] } },
    startupProbe: { exec: { command: ['a'] } },
    lifecycle: { preStop: { exec: { command: ['a'] } } },
  }),
  refused('with a restart policy', { restartPolicy: 'Always' }),
  refused('with a resize policy', { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }),
  refused('with an unknown volume', { volumeMounts: [{ name: 'none', mountPath: '/x' }] }),
  refused('with a part of a volume', {
    volumeMounts: [
      { name: 'v', mountPath: '/x', subPath: 'x' },
      { name: 'v', mountPath: '/y', subPathExpr: 'y' },
    ],
  }),
  refused('with a policy that is none', { imagePullPolicy: 'Sometimes', terminationMessagePolicy: 'Never' }),
  {
    name: 'twice the same name',
    method: 'PATCH',
    path: EPHEMERAL,
    headers: JSON_PATCH,
    body: [
      { op: 'add', path: '/spec/ephemeralContainers/-', value: { name: 'x', image: 'example.com/d' } },
      { op: 'add', path: '/spec/ephemeralContainers/-', value: { name: 'x', image: 'example.com/d' } },
    ],
  },
  {
    name: 'by apply',
    method: 'PATCH',
    path: `${EPHEMERAL}?fieldManager=alice`,
    headers: APPLY,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { by: 'apply' } },
      spec: { ephemeralContainers: [{ name: 'applied', image: 'example.com/d' }] },
    },
  },
  {
    name: 'by apply what another has',
    method: 'PATCH',
    path: `${EPHEMERAL}?fieldManager=bob`,
    headers: APPLY,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { ephemeralContainers: [{ name: 'applied', image: 'example.com/e' }] },
    },
  },
  {
    name: 'by PUT, without what is there',
    method: 'PUT',
    path: EPHEMERAL,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { ...SPEC, ephemeralContainers: [{ name: 'put', image: 'example.com/d' }] },
    },
  },
  {
    name: 'create another pod',
    method: 'POST',
    path: PODS,
    body: { metadata: { name: 'q', labels: { app: 'a' } }, spec: SPEC },
  },
  {
    name: 'by PUT',
    method: 'PUT',
    path: `${PODS}/q/ephemeralcontainers?fieldManager=carol`,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'q', labels: { app: 'other' } },
      spec: {
        containers: [{ name: 'z', image: 'example.com/z' }],
        ephemeralContainers: [{ name: 'put', image: 'example.com/d' }],
      },
    },
  },
  {
    name: 'a stale version',
    method: 'PATCH',
    path: EPHEMERAL,
    headers: STRATEGIC,
    body: { metadata: { resourceVersion: '{create the pod.rv}' } },
  },
  patch('of a pod that is not there', `${PODS}/none/ephemeralcontainers`, { metadata: {} }),
  { name: 'by POST', method: 'POST', path: EPHEMERAL, body: {} },
  {
    name: 'a new pod that has some',
    method: 'POST',
    path: PODS,
    body: { metadata: { name: 'r' }, spec: { ...SPEC, ephemeralContainers: [{ name: 'e', image: 'example.com/d' }] } },
  },
  {
    name: 'a template that has some',
    method: 'POST',
    path: '/apis/apps/v1/namespaces/{ns}/deployments?dryRun=All',
    body: {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: {
          metadata: { labels: { app: 'x' } },
          spec: { containers: SPEC.containers, ephemeralContainers: [{ name: 'e', image: 'example.com/d' }] },
        },
      },
    },
  },
  {
    name: 'a static pod',
    method: 'POST',
    path: PODS,
    headers: METADATA,
    body: { metadata: { name: 's', annotations: { 'kubernetes.io/config.mirror': 'x' } }, spec: STATIC },
  },
  patch(
    'of a static pod',
    `${PODS}/s/ephemeralcontainers`,
    { spec: { ephemeralContainers: [{ name: 'e', image: 'example.com/d' }] } },
    { headers: STRATEGIC },
  ),
  patch('the size of a static pod', `${PODS}/s/resize`, { metadata: {} }),
  patch('a label on the main endpoint', POD, { metadata: { labels: { main: 'yes' } } }),
  get('what became of it', POD),
]
