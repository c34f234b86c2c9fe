import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import { deployFiles, type Installation } from '../deploy-files.ts'
import { DEFAULT_REPLICAS } from '../deployment.ts'
import { type GeneratedFile, yamlFile } from '../generated-file.ts'
import type { InstallSettings } from '../install-settings.ts'
import { valuesSchema } from './values-schema.ts'

export interface ChartSettings {
  /** Of the chart. */
  readonly version: string
  /** Of rolebook. */
  readonly appVersion: string
}

/** What stands in the manifests where a template asks for a value. No manifest has it otherwise. */
const STAND_INS = {
  namespace: 'rolebook-stand-in-namespace',
  image: 'rolebook-stand-in-image',
  replicas: 918_273_645,
  resources: 'rolebook-stand-in-resources',
} as const

const EXPRESSIONS: Readonly<Record<keyof Omit<typeof STAND_INS, 'resources'>, string>> = {
  namespace: '{{ .Release.Namespace }}',
  image: '{{ .Values.image | quote }}',
  replicas: '{{ .Values.replicas }}',
}

/** Templates of objects that are only sometimes wanted, each with the value that asks for it. */
const CONDITIONS: Readonly<Record<string, string>> = {
  'namespace.yaml': '.Values.namespace.create',
  'service-monitor.yaml': '.Values.serviceMonitor.enabled',
}
const NO_MANIFEST = /(^|\/)kustomization\.yaml$/
const CRDS = 'crds.yaml'

/**
 * A Helm chart that installs what `deployFiles` gives. Helm knows the namespace; image, replicas, resources and what else a Pod
 * needs are values. CRDs are in `crds/`: Helm installs them and never takes them away, and with them all resources.
 */
export function chartFiles(installation: Installation, chart: ChartSettings): readonly GeneratedFile[] {
  const { settings } = installation
  const { resources: _ofContainer, ...standIns } = STAND_INS
  const files = deployFiles({ ...installation, settings: { ...settings, ...standIns } })
  const podSpec = podSpecIn(files)
  const manifests = files.filter(({ path }) => path !== CRDS && !NO_MANIFEST.test(path))
  const crds = files.filter(({ path }) => path === CRDS)
  return [
    yamlFile('Chart.yaml', chartYaml(settings, chart), 'Made by `rolebook generate helm`.'),
    yamlFile('values.yaml', valuesOf(settings, podSpec), VALUES_COMMENT),
    { path: 'values.schema.json', text: `${JSON.stringify(valuesSchema(Object.keys(podSpec)), undefined, 2)}\n` },
    ...crds.map(({ path, text }) => ({ path: `crds/${path}`, text })),
    ...manifests.map(templateOf),
  ]
}

function chartYaml({ name }: InstallSettings, { version, appVersion }: ChartSettings): JsonObject {
  const description = 'An operator whose behaviour lives in YAML, run by rolebook'
  return { apiVersion: 'v2', name, description, type: 'application', version, appVersion }
}

const VALUES_COMMENT = `image: what runs. replicas: how many Pods there are. resources: of the container.
env: more variables of the environment, such as those of OpenTelemetry.
podSpec: more fields for the Pods, such as nodeSelector, tolerations and imagePullSecrets.
namespace.create: for \`helm install\` without --create-namespace. It forbids privileges in the namespace.
serviceMonitor.enabled: for clusters with the Prometheus operator.`

function valuesOf({ image, replicas }: InstallSettings, { containers }: PodSpec): JsonObject {
  return {
    image,
    replicas: replicas ?? DEFAULT_REPLICAS,
    resources: containers[0].resources,
    env: [],
    podSpec: {},
    namespace: { create: false },
    serviceMonitor: { enabled: false },
  }
}

function templateOf({ path, text, objects }: GeneratedFile): GeneratedFile {
  const name = path.replace(/^.*\//, '')
  const condition = CONDITIONS[name]
  const isDeployment = objects?.[0]?.kind === 'Deployment'
  const template = isDeployment ? deploymentTemplate(objects) : toTemplate(objects ? printYaml(objects) : text)
  return {
    path: `templates/${name}`,
    text: condition === undefined ? template : `{{- if ${condition} }}\n${template}{{- end }}\n`,
  }
}

/** What roles hold for themselves, such as charts, stays as it is. */
function toTemplate(text: string): string {
  let template = text.replaceAll('{{', '{{ "{{" }}')
  for (const name of ['namespace', 'image', 'replicas'] as const) {
    template = template.replaceAll(String(STAND_INS[name]), EXPRESSIONS[name])
  }
  return template
}

function deploymentTemplate(objects: readonly JsonObject[]): string {
  return toTemplate(printYaml(objects.map(replaceResources)))
    .replace(
      new RegExp(`^( +)resources: ${STAND_INS.resources}$`, 'm'),
      (_all, indent: string) => `${indent}resources: {{- toYaml .Values.resources | nindent ${indent.length + 2} }}`,
    )
    .replace(
      /^( +)env:$/m,
      (line, indent: string) =>
        `${line}\n${indent}{{- with .Values.env }}{{ toYaml . | nindent ${indent.length + 2} }}{{- end }}`,
    )
    .replace(
      /^( +)serviceAccountName: .*$/m,
      (line, indent: string) =>
        `${line}\n${indent}{{- with .Values.podSpec }}{{ toYaml . | nindent ${indent.length} }}{{- end }}`,
    )
}

/** Only a container has `resources` here. */
function replaceResources(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(replaceResources)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === 'resources' ? STAND_INS.resources : replaceResources(inner as JsonValue),
  ])
  return Object.fromEntries(entries)
}

interface PodSpec {
  readonly containers: readonly [{ readonly resources: JsonObject }]
}

function podSpecIn(files: readonly GeneratedFile[]): PodSpec {
  const objects = files.flatMap(({ objects: of = [] }) => of)
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as unknown as {
    readonly spec: { readonly template: { readonly spec: PodSpec } }
  }
  return deployment.spec.template.spec
}
