import type { Step } from '../exchange.ts'

/** What is sent: its type, its size, its form; and the warnings about it. */
const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const PODS = '/api/v1/namespaces/{ns}/pods'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments'
const post = (name: string, more: Partial<Step>): Step => ({
  name,
  method: 'POST',
  path: `${MAPS}?dryRun=All`,
  ...more,
})
const typed = (type: string) => ({ headers: { 'content-type': type } })
const map = (name: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more })
const text = (value: unknown) => JSON.stringify(value)

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'APPLICATION/JSON',
  'application/yaml',
  'text/yaml',
  'text/plain',
  'application/cbor',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/merge-patch+json',
  '*/*',
  '',
  'rubbish',
]
const PATCH_TYPES = [
  'application/json',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/merge-patch+json; charset=utf-8',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
  'text/plain',
  '',
]

const types: readonly Step[] = [
  ...TYPES.map((type) => post(`create as '${type}'`, { ...typed(type), text: text(map('m')) })),
  ...TYPES.map((type) => ({
    name: `options as '${type}'`,
    method: 'DELETE' as const,
    path: `${MAPS}/none?dryRun=All`,
    ...typed(type),
    text: '{"kind":"DeleteOptions","apiVersion":"v1"}',
  })),
  { name: 'patched', method: 'POST', path: MAPS, body: map('patched', { data: { a: '1' } }) },
  ...PATCH_TYPES.map((type) => ({
    name: `patch as '${type}'`,
    method: 'PATCH' as const,
    path: `${MAPS}/patched?dryRun=All`,
    ...typed(type),
    text: '{"data":{"b":"2"}}',
  })),
]

const BODIES: Readonly<Record<string, string>> = {
  nothing: '',
  spaces: '  ',
  null: 'null',
  'a text': '"text"',
  'a number': '7',
  'a list': '[]',
  'an empty object': '{}',
  'half an object': '{"metadata":',
  'two objects': `${text(map('a'))}${text(map('b'))}`,
  'an object and rubbish': `${text(map('a'))} x`,
  YAML: 'metadata: {name: a}',
  'another kind': text({ ...map('a'), kind: 'Secret' }),
  'another version': text({ ...map('a'), apiVersion: 'v2' }),
  'another group': text({ ...map('a'), apiVersion: 'apps/v1', kind: 'Deployment' }),
  'a version of nonsense': text({ ...map('a'), apiVersion: 'a/b/c' }),
  'no kind': text({ apiVersion: 'v1', metadata: { name: 'a' } }),
  'a kind of another letter case': text({ ...map('a'), kind: 'configmap' }),
  'metadata that is a list': text({ ...map('a'), metadata: [] }),
  'a name that is a number': text({ ...map('a'), metadata: { name: 7 } }),
  'data that is a text': text(map('a', { data: 'x' })),
  'no metadata': text({ apiVersion: 'v1', kind: 'ConfigMap' }),
  'a byte order mark': `\uFEFF${text(map('a'))}`,
  'a lone surrogate': '{"metadata":{"name":"a"},"data":{"a":"\\ud800"}}',
  'deep lists': `{"metadata":{"name":"a"},"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  'a list of objects': text({ apiVersion: 'v1', kind: 'ConfigMapList', items: [] }),
  'a status': text({ apiVersion: 'v1', kind: 'Status' }),
}

const sizes: readonly Step[] = [
  post('data of a MiB and a byte', { body: map('big', { data: { a: 'x'.repeat(1_048_577) } }) }),
  post('a body of more than three MiB', { text: text(map('big', { data: { a: 'x'.repeat(3 * 1_048_576) } })) }),
  post('annotations of more than 256 KiB', {
    body: { ...map('big'), metadata: { name: 'big', annotations: { a: 'x'.repeat(262_145) } } },
  }),
]

const container = { name: 'a', image: 'i' }
const FIELDS: Readonly<Record<string, Partial<Step>>> = {
  'an unknown field': { text: text(map('w', { nothing: 1 })) },
  'unknown fields': { text: text(map('w', { nothing: 1, metadata: { name: 'w', other: { a: 1 } } })) },
  'a field twice': { text: '{"metadata":{"name":"w"},"data":{"a":"1","a":"2"}}' },
  'a field in another letter case': { text: text(map('w', { Data: { a: '1' } })) },
  'an unknown field of a pod': {
    path: PODS,
    body: {
      metadata: { name: 'w' },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ ...container, imagePullpolicy: 'Always', env: [{ names: 'a' }] }],
      },
    },
  },
  'fields twice in a pod': {
    path: PODS,
    text: '{"metadata":{"name":"w"},"spec":{"automountServiceAccountToken":false,"containers":[{"name":"a","image":"i","image":"j","image":"k"}],"hostPID":true,"hostPID":true}}',
  },
}

const validation: readonly Step[] = Object.entries(FIELDS).flatMap(([what, more]) =>
  ['', 'Ignore', 'Warn', 'Strict', 'Lenient'].map((level) => {
    const query = `dryRun=All&includeObject=None${level === '' ? '' : `&fieldValidation=${level}`}`
    return post(`${what}, ${level || 'by default'}`, { ...more, path: `${more.path ?? MAPS}?${query}` })
  }),
)

const WARNED: Readonly<Record<string, Partial<Step>>> = {
  'an old annotation': {
    path: PODS,
    body: {
      metadata: { name: 'w', annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } },
      spec: { automountServiceAccountToken: false, containers: [container] },
    },
  },
  'an old node selector': {
    path: PODS,
    body: {
      metadata: { name: 'w' },
      spec: {
        automountServiceAccountToken: false,
        containers: [container],
        nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
      },
    },
  },
  'a name with dots': {
    path: DEPLOYMENTS,
    body: {
      metadata: { name: 'a.b' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            automountServiceAccountToken: false,
            containers: [{ ...container, env: [{ name: 'A' }, { name: 'A' }] }],
          },
        },
      },
    },
  },
  'an own finalizer': { body: { ...map('w'), metadata: { name: 'w', finalizers: ['nodomain'] } } },
}

const refusals: readonly Step[] = [
  post('a trial of nonsense', { path: `${MAPS}?dryRun=Some`, body: map('a') }),
  post('trials', { path: `${MAPS}?dryRun=All&dryRun=Some`, body: map('a') }),
  post('a manager of 129 letters', { path: `${MAPS}?dryRun=All&fieldManager=${'m'.repeat(129)}`, body: map('a') }),
  post('a manager that cannot be printed', { path: `${MAPS}?dryRun=All&fieldManager=%07`, body: map('a') }),
  post('another namespace', { body: { ...map('a'), metadata: { name: 'a', namespace: 'other' } } }),
  post('a pretty answer', { path: `${MAPS}?dryRun=All&pretty=true`, body: map('a') }),
  post('an unknown option', { path: `${MAPS}?dryRun=All&nothing=1`, body: map('a') }),
]

export const steps: readonly Step[] = [
  ...types,
  ...Object.entries(BODIES).map(([what, body]) =>
    post(`create from ${what}`, { text: body, ...typed('application/json') }),
  ),
  ...sizes,
  ...validation,
  ...Object.entries(WARNED).map(([what, { path = MAPS, body = {} }]) =>
    post(`warned of ${what}`, { path: `${path}?dryRun=All`, body }),
  ),
  ...refusals,
]
