import { join } from 'node:path'
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

const BITNAMI = [
  ...[
    'airflow',
    'apache',
    'apisix',
    'appsmith',
    'argo-cd',
    'argo-workflows',
    'concourse',
    'consul',
    'dremio',
    'drupal',
  ],
  ...['elasticsearch', 'fluentd', 'ghost', 'gitea', 'grafana', 'harbor', 'influxdb', 'jaeger', 'jenkins', 'joomla'],
  ...['keycloak', 'kibana', 'kong', 'logstash', 'mariadb', 'mastodon', 'matomo', 'memcached', 'minio', 'milvus'],
  ...[
    'moodle',
    'nats',
    'neo4j',
    'nginx',
    'odoo',
    'opensearch',
    'phpmyadmin',
    'redmine',
    'solr',
    'spark',
    'thanos',
    'tomcat',
  ],
  ...['valkey', 'vault', 'wildfly', 'wordpress'],
]

const MORE_CHARTS: readonly ChartOfModule[] = BITNAMI.map((name) => ({
  name: `bitnami ${name}`,
  module: 'github.com/bitnami/charts',
  path: `bitnami/${name}`,
  dependencies: ['bitnami/common'],
}))

/** Roles that make what charts and manifests of others make, read at test time. */
export async function correctRoles(): Promise<readonly CorrectRole[]> {
  const charts = await Promise.all([...CHARTS, ...MORE_CHARTS].map((chart) => renderCharts([chart]).catch(() => [])))
  const source = SOURCES.find(({ name }) => name === 'kubernetes')
  const manifests = source ? readDocuments({ ...source, paths: ['test/e2e/testing-manifests', 'cluster/addons'] }) : []
  const byFolder = Map.groupBy(manifests, ({ corpus, place }) => `${corpus} ${place.slice(0, place.lastIndexOf('/'))}`)
  const lists = [...charts, ...byFolder.values()].filter((documents) => documents.length > 0)
  return lists.flatMap((documents, index) => roleOf(documents, index))
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
