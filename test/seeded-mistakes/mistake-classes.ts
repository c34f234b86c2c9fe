import { getPath, isJsonArray, isJsonObject, type JsonPath } from '../../src/core/base/json.ts'
import type { Edit, ManifestPlace } from './manifest-mistakes.ts'

/**
 * Kinds of mistakes in manifests, from what the validation of Kubernetes refuses and from what a newcomer has made. Each says what
 * it makes of a place; nothing here knows how a mistake is found.
 */
export interface MistakeClass {
  readonly name: string
  edits(place: ManifestPlace): readonly Edit[]
}

const lastOf = (field: JsonPath): string => String(field.at(-1))
const namesOf = (field: JsonPath): string => field.filter((step) => typeof step === 'string').join('.')
const set = (...values: readonly (string | number | boolean | null)[]): readonly Edit[] =>
  values.map((value) => ({ set: value }))

/** Texts that end in a pattern: what a regular expression makes of each. */
function texts(pattern: RegExp, make: (text: string) => readonly string[]): MistakeClass['edits'] {
  return ({ field, value }) => (typeof value === 'string' && pattern.test(namesOf(field)) ? set(...make(value)) : [])
}

function numbers(pattern: RegExp, ...values: readonly (string | number)[]): MistakeClass['edits'] {
  return ({ field, value }) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\$\{[^}]*\}$/.test(value))
    return isNumber && pattern.test(namesOf(field)) ? set(...values) : []
  }
}

/** A letter in the middle of the literal part of a text is left out. */
function dropLetter(text: string): readonly string[] {
  const literal = text.replace(/\$\{[^}]*\}/g, (expression) => '\0'.repeat(expression.length))
  const runs = [...literal.matchAll(/[a-z]{3,}/gi)]
  const run = runs.at(-1)
  if (!run) return []
  const at = run.index + Math.floor(run[0].length / 2)
  return [text.slice(0, at) + text.slice(at + 1)]
}

const REQUIRED =
  /(?:containers\.(?:name|image)|volumeMounts\.(?:name|mountPath)|volumes\.name|spec\.(?:selector|template|schedule|jobTemplate|maxReplicas|scaleTargetRef)|ports\.(?:port|containerPort)|env\.name|metadata\.name|configMapKeyRef\.key|secretKeyRef\.key|accessModes|requests\.storage|roleRef\.(?:kind|name)|backend\.service\.(?:name|port)|paths\.(?:path|pathType|backend)|httpGet\.port|tcpSocket\.port|template\.spec|template\.metadata)$/
const ENUMERATIONS =
  /(?:imagePullPolicy|restartPolicy|pathType|protocol|accessModes|concurrencyPolicy|policyTypes|spec\.type|strategy\.type|updateStrategy\.type|podManagementPolicy|scheme|sessionAffinity|externalTrafficPolicy|dnsPolicy|operator|effect|topologyKey\.x|whenUnsatisfiable|roleRef\.kind|subjects\.kind|metrics\.type|target\.type|seccompProfile\.type|completionMode)$/

export const MISTAKE_CLASSES: readonly MistakeClass[] = [
  {
    name: 'name that is none',
    edits: texts(/^metadata\.name$/, (text) => [`${text}/1`, `${text}%1`]),
  },
  {
    name: 'Jinja or Helm in a name',
    edits: texts(/^metadata\.name$/, (text) => [
      text.includes('${') ? text.replace(/\$\{\s*(.*?)\s*\}/, () => '{{ metadata.name }}') : '{{ .Release.Name }}-x',
    ]),
  },
  {
    name: 'Jinja, Helm or Kustomize in a value',
    edits: texts(/(?:image|labels\.\w+|host|env\.value|schedule|namespace)$/, () => [
      '{{ spec.value }}',
      '{{ .Values.value }}',
      '$(metadata.name)',
    ]),
  },
  {
    name: 'namespace that is none',
    edits: texts(/^metadata\.namespace$/, (text) => [`${text}_1`, text.toUpperCase()]),
  },
  {
    name: 'label that is none',
    edits: texts(/(?:labels|matchLabels)(?:\.[^.]+)+$/, (text) => [`${text} x`, `${text}-`, `-${text}`, `${text}/x`]),
  },
  {
    name: 'key of a label that is none',
    edits: ({ field }) =>
      /^metadata\.labels\.|matchLabels\./.test(namesOf(field))
        ? [{ rename: `${lastOf(field)} x` }, { rename: `a/b/${lastOf(field).split('/').at(-1)}` }]
        : [],
  },
  {
    name: 'quantity that is none',
    edits: ({ field }) =>
      /(?:limits|requests|hard|capacity)\.[\w.-]+$|sizeLimit$/.test(namesOf(field))
        ? set('100MB', '1 Gi', 'lots', '1,5', '-1Mi')
        : [],
  },
  {
    name: 'port out of range',
    edits: numbers(
      /(?:containerPort|ports\.port|nodePort|targetPort|port\.number|httpGet\.port|tcpSocket\.port)$/,
      70_000,
      -1,
      0,
    ),
  },
  {
    name: 'number out of range',
    edits: numbers(
      /(?:replicas|minReplicas|maxReplicas|periodSeconds|timeoutSeconds|failureThreshold|initialDelaySeconds|backoffLimit|activeDeadlineSeconds|terminationGracePeriodSeconds|parallelism|completions|revisionHistoryLimit|successfulJobsHistoryLimit|averageUtilization|minReadySeconds)$/,
      -1,
    ),
  },
  {
    name: 'text for a number',
    edits: numbers(
      /(?:replicas|containerPort|periodSeconds|timeoutSeconds|failureThreshold|backoffLimit|number|defaultMode)$/,
      'two',
    ),
  },
  {
    name: 'text for true or false',
    edits: ({ value }) => (typeof value === 'boolean' ? set(value ? 'yes' : 'no') : []),
  },
  {
    name: 'number for a text',
    edits: ({ field, value }) =>
      typeof value === 'string' &&
      /(?:env\.value|labels\.[\w.]+|annotations\.[\w.]+|data\.[\w.]+|image|containers\.name)$/.test(namesOf(field))
        ? set(7, true)
        : [],
  },
  {
    name: 'text for a list',
    edits: ({ value }) =>
      isJsonArray(value) && value.length > 0 ? set(typeof value[0] === 'string' ? value[0] : 'one') : [],
  },
  {
    name: 'text for an object',
    edits: ({ value, field }) =>
      isJsonObject(value) && Object.keys(value).length > 0 && !/annotations$/.test(namesOf(field)) ? set('one') : [],
  },
  {
    name: 'enumeration that is none',
    edits: texts(ENUMERATIONS, (text) => [
      ...dropLetter(text),
      `${text}s`,
      text.toLowerCase() === text ? text.toUpperCase() : text.toLowerCase(),
    ]),
  },
  {
    name: 'selector beside the template',
    edits: ({ field, value, kind }) =>
      /^spec\.selector\.matchLabels\./.test(namesOf(field)) && /Deployment|StatefulSet|DaemonSet|ReplicaSet/.test(kind)
        ? set(`${value}x`)
        : [],
  },
  {
    name: 'template beside its selector',
    edits: ({ field, value, manifest }) => {
      const key = lastOf(field)
      const wanted = getPath(manifest, ['spec', 'selector', 'matchLabels', key])
      return /^spec\.template\.metadata\.labels\./.test(namesOf(field)) && wanted !== undefined
        ? [{ set: `${value}x` }, { remove: true }]
        : []
    },
  },
  {
    name: 'selector of a Service beside its Pods',
    edits: ({ field, value, kind }) =>
      kind === 'Service' && /^spec\.selector\./.test(namesOf(field)) && typeof value === 'string'
        ? [{ set: `${value}x` }, { rename: `${lastOf(field)}x` }]
        : [],
  },
  { name: 'mount of no volume', edits: texts(/volumeMounts\.name$/, (text) => [`${text}s`, ...dropLetter(text)]) },
  {
    name: 'volume of another name',
    edits: ({ field, value, manifest }) => {
      const isVolume = /spec\.template\.spec\.volumes\.name$/.test(namesOf(field)) && typeof value === 'string'
      const isMounted = JSON.stringify(manifest)
        .split(`"volumeMounts"`)
        .slice(1)
        .some((part) => part.includes(`"name":${JSON.stringify(value)}`))
      return isVolume && isMounted ? set(`${value}s`) : []
    },
  },
  {
    name: 'port of a Service by a name that no container has',
    edits: ({ kind, ...place }) =>
      kind === 'Service'
        ? texts(/ports\.targetPort$/, (text) => (text.includes('${') ? [] : [`${text}s`, ...dropLetter(text)]))({
            kind,
            ...place,
          })
        : [],
  },
  {
    name: 'port of a probe by a name that the container lacks',
    edits: texts(/(?:httpGet|tcpSocket)\.port$/, (text) =>
      text.includes('${') ? [] : [`${text}s`, ...dropLetter(text)],
    ),
  },
  {
    name: 'port of an Ingress that the Service lacks',
    edits: ({ kind, ...place }) =>
      kind === 'Ingress'
        ? [
            ...texts(/service\.port\.name$/, dropLetter)({ kind, ...place }),
            ...numbers(/service\.port\.number$/, 4711)({ kind, ...place }),
          ]
        : [],
  },
  {
    name: 'key that the ConfigMap or Secret lacks',
    edits: texts(/(?:configMapKeyRef|secretKeyRef)\.key$|volumes\.(?:configMap|secret)\.items\.key$/, dropLetter),
  },
  {
    name: 'misspelt name of an own object',
    edits: texts(
      /(?:configMapKeyRef\.name|secretKeyRef\.name|configMapRef\.name|secretRef\.name|volumes\.configMap\.name|volumes\.secret\.secretName|claimName|serviceAccountName|backend\.service\.name|scaleTargetRef\.name|roleRef\.name|subjects\.name)$/,
      dropLetter,
    ),
  },
  {
    name: 'version that is gone',
    edits: ({ field, value }) =>
      namesOf(field) === 'apiVersion' &&
      /^(?:apps|batch|policy|autoscaling|networking\.k8s\.io|rbac\.authorization\.k8s\.io)\//.test(String(value))
        ? set(String(value).replace(/\/.*/, '/v1beta1'), String(value).replace(/\/.*/, '/v9'))
        : [],
  },
  {
    name: 'group of another kind',
    edits: ({ field, value }) =>
      namesOf(field) === 'apiVersion' && /^(?:apps|batch|policy|autoscaling|networking\.k8s\.io)\//.test(String(value))
        ? set('v1', 'extensions/v1beta1')
        : namesOf(field) === 'apiVersion' && value === 'v1'
          ? set('apps/v1')
          : [],
  },
  {
    name: 'misspelt group',
    edits: ({ field, value }) =>
      namesOf(field) === 'apiVersion' &&
      /^(?:apps|batch|policy|autoscaling|networking\.k8s\.io|rbac\.authorization\.k8s\.io)\//.test(String(value))
        ? set(String(value).replace(/^(.)./, '$1'))
        : [],
  },
  {
    name: 'misspelt kind',
    edits: ({ field, value, manifest }) =>
      namesOf(field) === 'kind' &&
      /^(?:v1$|apps|batch|policy|autoscaling|networking\.k8s\.io|rbac)/.test(String(manifest.apiVersion))
        ? set(String(value).toLowerCase(), `${value}s`, ...dropLetter(String(value)))
        : [],
  },
  { name: 'missing field', edits: ({ field }) => (REQUIRED.test(namesOf(field)) ? [{ remove: true }] : []) },
  {
    name: 'misspelt field',
    edits: ({ field, manifest }) =>
      typeof field.at(-1) === 'string' && isSchemaField(field, manifest.kind)
        ? dropLetter(lastOf(field)).map((rename) => ({ rename }))
        : [],
  },
  {
    name: 'field in another case',
    edits: ({ field, manifest }) =>
      /[a-z][A-Z]/.test(lastOf(field)) && isSchemaField(field, manifest.kind)
        ? [{ rename: lastOf(field).toLowerCase() }]
        : [],
  },
  {
    name: 'field one level too high',
    edits: ({ field }) =>
      /^spec\.template\.spec\.containers\.(?:image|ports|env|volumeMounts|livenessProbe|readinessProbe|args|command)$/.test(
        namesOf(field),
      )
        ? [{ move: ['spec', 'template', 'spec', lastOf(field)] }]
        : [],
  },
  {
    name: 'field one level too low',
    edits: ({ field }) =>
      /^spec\.(?:replicas|strategy|serviceName|updateStrategy|volumeClaimTemplates)$/.test(namesOf(field))
        ? [{ move: ['spec', 'template', 'spec', lastOf(field)] }]
        : [],
  },
  {
    name: 'item that is there twice',
    edits: ({ field, value }) =>
      typeof field.at(-1) === 'number' &&
      isJsonObject(value) &&
      /(?:containers|volumes|volumeMounts|ports|volumeClaimTemplates)$/.test(namesOf(field)) &&
      !/initContainers\.ports/.test(namesOf(field))
        ? [{ repeat: true }]
        : [],
  },
  {
    name: 'path of an Ingress without a slash',
    edits: texts(/paths\.path$/, (text) => (text.startsWith('/') ? [text.slice(1) || 'x'] : [])),
  },
  { name: 'schedule that is none', edits: texts(/^spec\.schedule$/, () => ['every hour', '61 * * * *', '* * * *']) },
  {
    name: 'data of a Secret that is no base64',
    edits: ({ kind, field, value }) =>
      kind === 'Secret' && /^data\./.test(namesOf(field)) && typeof value === 'string' && !value.includes('${')
        ? set('not base64!')
        : [],
  },
  { name: 'image that is nothing', edits: texts(/containers\.image$/, () => ['', ' ']) },
]

/** Whether a key is one of the schema, and not one that the author has chosen. */
function isSchemaField(field: JsonPath, kind: unknown): boolean {
  const around = field.slice(0, -1).map(String)
  const isFree = around.some((step) =>
    /^(?:labels|annotations|matchLabels|data|stringData|binaryData|nodeSelector|limits|requests|hard|parameters|csi)$/.test(
      step,
    ),
  )
  const isSelectorOfService = kind === 'Service' && around.includes('selector')
  return around.length > 0 && !isFree && !isSelectorOfService && String(field.at(-1)).length > 4
}
