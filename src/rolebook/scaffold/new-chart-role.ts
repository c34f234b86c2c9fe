import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import { apiVersionOf, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { Chart, RenderedObject, Rendering } from '../../core/kube/helm-chart.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { pluralOf } from '../../core/kube/plural-name.ts'
import { printFlowYaml, printYaml } from '../../core/yaml/print-yaml.ts'
import { chartCrd } from './chart-crd.ts'
import type { NewRole } from './new-role.ts'

export interface NewChartRole extends NewRole {
  readonly chart: Chart
  /** What is said of its values, by their paths. */
  readonly comments: ReadonlyMap<string, string>
  /** Where it lies in the folder of the role. */
  readonly path: string
  /** What becomes of it with its own values. */
  readonly rendering: Rendering
}

/** What the sample of a kind is called; the release of the chart has its name. */
export function sampleName(kind: string): string {
  return `${kind.toLowerCase()}-sample`
}

/** The files of a role that installs a chart, by their paths in its folder. */
export function newChartRoleFiles(role: NewChartRole): Readonly<Record<string, string>> {
  const singular = role.gvk.kind.toLowerCase()
  return {
    'role.yaml': roleText(role),
    'crd.yaml': chartCrdText(role),
    [`samples/${singular}.yaml`]: sampleText(role),
    'tests/life.yaml': testText(role),
  }
}

/** The CRD of a kind whose spec is the values of a chart. @throws SyntaxError when its schema is not JSON */
export function chartCrdText({
  gvk,
  chart: { values, schema },
  comments,
}: Pick<NewChartRole, 'gvk' | 'chart' | 'comments'>): string {
  const parsed = schema === undefined ? undefined : (JSON.parse(schema) as JsonValue)
  return printYaml([chartCrd({ gvk, plural: pluralOf(gvk.kind.toLowerCase()), values, schema: parsed, comments })])
}

function roleText({ gvk: { kind }, schemas, path, rendering }: NewChartRole): string {
  const { crds, manifests, hooks } = rendering
  const kinds = [...new Set([...crds, ...manifests, ...hooks].map(kindOf))].sort()
  const deleting = hooks.some(({ events }) => events.some((event) => event.endsWith('-delete')))
  const task = `    chart:
      path: ${path}
      # What it makes with its own values: add what other values make.
      kinds: [${kinds.join(', ')}]
`
  return `# yaml-language-server: $schema=${schemas}/role.json
# The chart in ${path}, whose values are the spec of the ${kind}; status.deployedRelease says what is installed.
tasks:
  - name: Release
${task}    register: release

  - name: What is installed
    status:
      deployedRelease:
        name: \${$release.name}
        chartVersion: \${$release.chartVersion}
        appVersion: \${$release.appVersion}
${deleting ? `\nfinalize:\n  - name: Hooks of the deletion\n${task}` : ''}`
}

function sampleText({ gvk }: NewChartRole): string {
  return `apiVersion: ${apiVersionOf(gvk)}
kind: ${gvk.kind}
metadata:
  name: ${sampleName(gvk.kind)}
# Values on top of the chart's own.
spec: {}
`
}

function testText({ gvk, schemas, chart, rendering }: NewChartRole): string {
  const { kind } = gvk
  const name = sampleName(kind)
  const made = rendering.manifests.map(({ object }) => object as KubeObject)
  const expected = made.map((object) => `      - ${printFlowYaml(objectName(object))}\n`).join('')
  const status = { deployedRelease: { name, chartVersion: chart.version } }
  const resource = { apiVersion: apiVersionOf(gvk), kind, name }
  return `# yaml-language-server: $schema=../${schemas}/test.json
# A ${kind} from its creation to its rest.
given: [../samples/${kind.toLowerCase()}.yaml]
steps:
  - name: creation
    expect:
${expected}      - ${printFlowYaml({ ...resource, status })}

  - name: at rest
    advance: 10h
    writes: {}
`
}

/** A list of objects may be anywhere. */
function objectName({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): JsonObject {
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
}

/** `apps/v1/Deployment` */
function kindOf({ object }: RenderedObject): string {
  const gvk = gvkOf(object as KubeObject)
  return `${apiVersionOf(gvk)}/${gvk.kind}`
}
