import { join } from 'node:path'
import { explain } from '../../src/core/base/coded-error.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'
import { printYaml } from '../../src/core/yaml/print-yaml.ts'
import { renderCharts } from '../corpora/chart-documents.ts'
import { type CorpusDocument, readDocuments } from '../corpora/read-documents.ts'
import { CHARTS, type ChartOfModule, SOURCES } from '../corpora/sources.ts'
import { webCrd } from '../support/tried-role.ts'

/** A project with one role, as files by their paths. */
export interface CorrectRole {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** CRDs that are not its own. */
  readonly crds: readonly JsonObject[]
}

/** Charts that need no other chart of theirs than `common`. */
const BITNAMI = [
  ...['apache', 'consul', 'fluentd', 'grafana', 'influxdb', 'jenkins', 'kibana', 'logstash', 'mariadb', 'memcached'],
  ...['minio', 'nats', 'neo4j', 'nginx', 'opensearch', 'spark', 'tomcat', 'valkey', 'vault', 'wildfly'],
]

const MORE_CHARTS: readonly ChartOfModule[] = BITNAMI.map((name) => ({
  name: `bitnami ${name}`,
  module: 'github.com/bitnami/charts',
  path: `bitnami/${name}`,
  dependencies: ['bitnami/common'],
}))

export interface CorrectRoles {
  readonly roles: readonly CorrectRole[]
  /** Charts that cannot be rendered, each with the reason: the proof would be about fewer roles than it says. */
  readonly lost: readonly string[]
}

/** Roles that make what charts and manifests of others make, read at test time. */
export async function correctRoles(charts = [...CHARTS, ...MORE_CHARTS]): Promise<CorrectRoles> {
  const rendered = await Promise.allSettled(charts.map((chart) => renderCharts([chart])))
  const lost = rendered.flatMap((one, index) =>
    one.status === 'rejected' ? [`${charts[index]?.name}: ${explain(one.reason)}`] : [],
  )
  const made = rendered.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return { roles: rolesOf([...made, ...manifestsOfKubernetes()]), lost }
}

function manifestsOfKubernetes(): readonly (readonly CorpusDocument[])[] {
  const source = SOURCES.find(({ name }) => name === 'kubernetes')
  const manifests = source ? readDocuments({ ...source, paths: ['test/e2e/testing-manifests', 'cluster/addons'] }) : []
  const byFolder = Map.groupBy(manifests, ({ corpus, place }) => `${corpus} ${place.slice(0, place.lastIndexOf('/'))}`)
  return [...byFolder.values()]
}

function rolesOf(lists: readonly (readonly CorpusDocument[])[]): readonly CorrectRole[] {
  return lists.filter((documents) => documents.length > 0).flatMap((documents, index) => roleOf(documents, index))
}

function roleOf(documents: readonly CorpusDocument[], index: number): readonly CorrectRole[] {
  const name = `${documents[0]?.corpus} ${documents[0]?.place.replace(/[/#].*/, '')} ${index}`
  const crds = documents.filter(({ object }) => object.kind === 'CustomResourceDefinition').map(({ object }) => object)
  const made = documents.filter(({ object }) => object.kind !== 'CustomResourceDefinition' && isNamed(object))
  const unique = [...new Map(made.map((document) => [idOf(document.object), document])).values()]
  if (unique.length === 0) return []
  const tasks = unique.map(({ object }, task) => ({ name: `task ${task}`, ensure: escaped(withoutStatus(object)) }))
  return [{ name, crds, files: filesOf(printYaml([{ tasks } as JsonValue])) }]
}

/** The project of a role that watches a kind without fields, and may do anything. */
export function filesOf(role: string): Readonly<Record<string, string>> {
  return {
    'watches.yaml': printYaml([
      [
        {
          ...{ group: 'example.com', version: 'v1', kind: 'Web', role: 'web' },
          allowedNamespaces: { read: ['*'], write: ['*'] },
          acknowledge: ESCALATING,
        },
      ] as JsonValue,
    ]),
    [join('roles', 'web', 'crd.yaml')]: webCrd(),
    [join('roles', 'web', 'role.yaml')]: role,
  }
}

const ESCALATING = [
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => `${kind}.rbac.authorization.k8s.io`),
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map(
    (kind) => `${kind}.admissionregistration.k8s.io`,
  ),
  'APIService.apiregistration.k8s.io',
]

function isNamed({ metadata }: JsonObject): boolean {
  return isJsonObject(metadata) && typeof metadata.name === 'string'
}

function idOf({ apiVersion, kind, metadata }: JsonObject): string {
  const { namespace = '', name } = metadata as JsonObject
  return [apiVersion, kind, namespace, name].join(' ')
}

function withoutStatus({ status: _status, ...object }: JsonObject): JsonObject {
  return object
}

/** Texts as they are written in a role: `${` is an expression there. */
function escaped(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (isJsonArray(value)) return value.map(escaped)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key.replaceAll('${', () => '$${'), escaped(inner)]],
    ),
  )
}
