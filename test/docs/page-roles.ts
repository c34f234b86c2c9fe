/** The roles on the pages, each with what it takes to run: the fields of its kind, a sample, files that it names, and what is in the cluster. */
import { join } from 'node:path'
import { parse, parseDocument } from 'yaml'
import { isJsonObject, type JsonObject } from '../../src/core/base/json.ts'
import { printYaml } from '../../src/core/yaml/print-yaml.ts'
import { MODIFIER_SCHEMAS } from '../../src/engine/role/parse/modifier-schemas.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { crd } from '../support/operator-sandbox.ts'
import { blocksOf, PAGES, type PageBlock, RUN_AS_A_WHOLE } from './page-blocks.ts'

/** What a block leaves out of the project that it is a part of. */
export interface Completion {
  /** The fields of the spec, as a CRD has them. Defaults to none. */
  readonly fields?: JsonObject
  /** Those that a resource must have. Defaults to none. */
  readonly required?: readonly string[]
  /** The spec of the sample. Defaults to an empty one. */
  readonly spec?: JsonObject
  /** Files of the role, by their paths in it. Defaults to none. */
  readonly files?: Readonly<Record<string, string>>
  /** Tasks behind those of the block, such as one that reads what it registers. Defaults to none. */
  readonly more?: string
  /** What else is in the cluster. Defaults to nothing. */
  readonly given?: readonly JsonObject[]
  /** What of its own the role has made at the end, and what the status says. Defaults to `Ready`. */
  readonly expect?: readonly JsonObject[]
}

const TEXT = { type: 'string' }
const NUMBER = { type: 'integer' }
const FLAG = { type: 'boolean' }
const configMap = (name: string, data: JsonObject): JsonObject => ({ kind: 'ConfigMap', name, data })
const service = (chart: string): JsonObject => ({ kind: 'Service', name: 'blog', metadata: { labels: { chart } } })
const status = (fields: JsonObject): JsonObject => ({ kind: 'Website', name: 'blog', status: fields })
const isReady = status({ conditions: [{ type: 'Ready', status: 'True' }] })
const labelled = { app: 'blog' }
const podTemplate = {
  selector: { matchLabels: labelled },
  template: { metadata: { labels: labelled }, spec: { containers: [{ name: 'db', image: 'postgres:17' }] } },
}

/** By page and first task. A role that is not here runs on a resource without a spec, and must be Ready. */
export const COMPLETIONS: Readonly<Record<string, Completion>> = {
  'README.md › Server': {
    fields: { image: TEXT, replicas: NUMBER },
    required: ['image'],
    spec: { image: 'nginx:1.29' },
    expect: [{ kind: 'Deployment', name: 'blog', spec: { replicas: 2 } }, isReady],
  },
  'README.md › Page': {
    fields: { title: TEXT },
    required: ['title'],
    spec: { title: 'Hello' },
    expect: [configMap('blog-page', { 'index.html': '<h1>Hello</h1>' }), status({ page: 'blog-page' }), isReady],
  },
  'docs/debugging.md › Settings': {
    fields: { text: TEXT, level: TEXT, extra: FLAG, approved: FLAG },
    required: ['text', 'extra', 'approved'],
    spec: { text: 'hello', extra: true, approved: true },
    expect: [configMap('blog-settings', { text: 'hello', level: 'info' }), status({ text: 'hello' }), isReady],
  },
  'docs/helm.md › Release': {
    files: chart('tomcat'),
    expect: [service('tomcat'), status({ deployedRelease: { name: 'blog' } }), isReady],
  },
  'docs/migrating-from-kro.md › service': {
    fields: { image: TEXT, host: { ...TEXT, default: '' } },
    required: ['image'],
    spec: { image: 'nginx:1.29', host: 'blog.example.com' },
    expect: [{ kind: 'Ingress', name: 'blog-web', spec: { rules: [{ host: 'blog.example.com' }] } }],
  },
  'docs/migrating-from-kustomize.md › Deployment': {
    fields: { image: TEXT, replicas: NUMBER },
    required: ['image', 'replicas'],
    spec: { image: 'nginx:1.29', replicas: 2 },
    expect: [configMap('blog-settings', { mode: 'fast' }), isReady],
  },
  'docs/stability.md › status': { expect: [status({ greeting: 'hello, blog' }), isReady] },
  'docs/reference/assert.md › The size is one that works': {
    fields: { replicas: NUMBER },
    required: ['replicas'],
    spec: { replicas: 3 },
  },
  'docs/reference/block.md › Settings and what needs them': {
    fields: { ports: { type: 'array', items: NUMBER } },
    spec: { ports: [80] },
    expect: [configMap('blog', { ports: '[80]' }), isReady],
  },
  'docs/reference/chart.md › Everything in the chart': {
    files: chart('web'),
    expect: [service('web'), status({ version: '1.0.0' }), isReady],
  },
  'docs/reference/ensure.md › Settings': {
    expect: [configMap('blog-settings', { greeting: 'Hello from blog' }), isReady],
  },
  'docs/reference/event.md › Say that the old mode is going away': {
    fields: { mode: TEXT },
    spec: { mode: 'legacy' },
    expect: [{ kind: 'Event', reason: 'ModeDeprecated', type: 'Warning' }, isReady],
  },
  'docs/reference/fail.md › Refuse the old mode': { fields: { mode: TEXT }, spec: { mode: 'standard' } },
  'docs/reference/get.md › The certificate, if there is one': { expect: [status({ encrypted: false }), isReady] },
  'docs/reference/include.md › A settings map for each port': {
    fields: { ports: { type: 'array', items: NUMBER } },
    spec: { ports: [80, 443] },
    files: { 'tasks/settings.yaml': textOf('docs/reference/include.md', 'Settings') },
    expect: [configMap('blog-80', { port: '80' }), configMap('blog-443', { port: '443' }), isReady],
  },
  'docs/reference/list.md › Pods': {
    given: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'one', namespace: 'default', labels: labelled },
        spec: { containers: [{ name: 'web', image: 'nginx:1.29' }] },
      },
    ],
    expect: [status({ pods: ['one'] }), isReady],
  },
  'docs/reference/patch.md › Mark the default account': {
    fields: { team: TEXT },
    required: ['team'],
    spec: { team: 'red' },
    expect: [{ kind: 'ServiceAccount', name: 'default', metadata: { labels: { team: 'red' } } }, isReady],
  },
  'docs/reference/set.md › Names': {
    expect: [configMap('blog', { host: 'blog.example.com' }), isReady],
  },
  'docs/reference/status.md › Where it is': {
    fields: { replicas: NUMBER },
    spec: { replicas: 2 },
    expect: [status({ url: 'https://blog.example.com', replicas: 2 }), isReady],
  },
  'docs/reference/wait.md › Database': {
    fields: { database: TEXT },
    required: ['database'],
    spec: { database: 'db' },
    given: [
      {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db', namespace: 'default' },
        spec: { serviceName: 'db', ...podTemplate },
      },
    ],
    expect: [status({ database: 'ready' }), isReady],
  },
  'docs/role-language.md › Password': {
    more: '- status: { hasPassword: "${$exists($secret.data.password)}", hasPin: "${$exists($secret.data.pin)}" }\n',
    expect: [{ kind: 'Secret', name: 'blog-db' }, status({ hasPassword: true, hasPin: true }), isReady],
  },
}

/** Blocks that look like roles and cannot run, by page and first task, with the reason. */
export const SKETCHES: Readonly<Record<string, string>> = {
  'docs/role-language.md › ': 'names the keys of a role, without values',
  'docs/role-language.md › Schema': 'is about the order of tasks, and leaves their objects out',
  'docs/role-language.md › Web server': 'is about `adopt`, and leaves the spec of the object out',
  'docs/role-language.md › Empty the bucket': 'is about `finalize`, and leaves the spec of the Job out',
  'docs/reference/include.md › Settings': 'is the file that the block above it includes, and runs with that',
}

export interface PageRole extends PageBlock {
  /** By which it is completed or left out. */
  readonly key: string
  /** A file `role.yaml`. */
  readonly role: string
}

/** Blocks that are a role, or tasks of one. Of pages that one test runs as a whole, that test runs them. */
export function pageRoles(): readonly PageRole[] {
  return PAGES.filter((page) => !(page in RUN_AS_A_WHOLE)).flatMap((page) => blocksOf(page).flatMap(roleIn))
}

const KINDS: readonly string[] = builtinTaskKinds.map(({ name }) => name)
const KEYS = new Set([...KINDS, ...Object.keys(MODIFIER_SCHEMAS), 'name', 'when', 'after', 'sensitive', 'loopVar'])

function roleIn(block: PageBlock): readonly PageRole[] {
  if (block.language !== 'yaml') return []
  const { page, text } = block
  // A sketch may be no YAML that is valid.
  const value: unknown = parseDocument(text).toJS()
  if (isTaskList(value)) return [{ ...block, key: keyOf(page, value[0]), role: `tasks:\n${text}` }]
  if (!isJsonObject(value) || !('tasks' in value || 'finalize' in value)) return []
  const tasks = value.tasks ?? value.finalize
  return [{ ...block, key: keyOf(page, Array.isArray(tasks) ? tasks[0] : undefined), role: text }]
}

function isTaskList(value: unknown): value is readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every(
    (item) =>
      isJsonObject(item) && Object.keys(item).every((key) => KEYS.has(key)) && KINDS.some((kind) => kind in item),
  )
}

function keyOf(page: string, task: unknown): string {
  const { name, ...rest } = isJsonObject(task) ? task : {}
  return `${page} › ${name ?? Object.keys(rest).find((key) => KINDS.includes(key)) ?? ''}`
}

/** A file of tasks that is a block of a page. */
function textOf(page: string, task: string): string {
  const found = blocksOf(page).find(({ text }) => text.startsWith(`- name: ${task}\n`))
  return found?.text ?? ''
}

/** A chart with one Service. */
function chart(name: string): Readonly<Record<string, string>> {
  const template =
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\n  labels: { chart: {{ .Chart.Name }} }\nspec: { ports: [{ port: 80 }] }\n'
  return {
    [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\nappVersion: '1'\n`,
    [`charts/${name}/templates/all.yaml`]: template,
  }
}

/** The files of a project with the role, a sample, and a test that expects what the completion says. */
export function projectOf(
  role: string,
  { fields = {}, required = [], spec = {}, files = {}, more = '', given = [], expect = [isReady] }: Completion = {},
): Readonly<Record<string, string>> {
  const sample = {
    apiVersion: 'example.com/v1',
    kind: 'Website',
    metadata: { name: 'blog', namespace: 'default' },
    spec,
  }
  const test = { given: [...given, '../samples/website.yaml'], steps: [{ name: 'it runs', expect }] }
  const named = Object.entries(files).map(([path, text]) => [join('roles/website', path), text])
  return {
    'watches.yaml': '- { group: example.com, version: v1, kind: Website, role: website }\n',
    'roles/website/role.yaml': role + more,
    'roles/website/crd.yaml': printYaml([crdWith(fields, required)]),
    'roles/website/samples/website.yaml': printYaml([sample]),
    'roles/website/tests/runs.yaml': printYaml([test as unknown as JsonObject]),
    ...Object.fromEntries(named),
  }
}

function crdWith(fields: JsonObject, required: readonly string[]): JsonObject {
  const open = crd({ group: 'example.com', version: 'v1', kind: 'Website' })
  const definition = parse(printYaml([open])) as {
    readonly spec: { readonly versions: [{ schema: { openAPIV3Schema: { properties: Record<string, JsonObject> } } }] }
  }
  const { properties } = definition.spec.versions[0].schema.openAPIV3Schema
  properties.spec = { type: 'object', properties: fields, ...(required.length > 0 && { required }) }
  return definition as unknown as JsonObject
}
