import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
} from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** A place in one of several objects. */
export interface Place {
  /** The number of the object. */
  readonly object: number
  readonly path: JsonPath
}

/** A value that becomes a field of the spec. */
export interface Parameter {
  /** Where in the spec: `image`, or `worker.image` where several workloads have one. */
  readonly field: readonly string[]
  readonly value: JsonValue
  readonly schema: JsonObject
  readonly places: readonly Place[]
}

interface Found {
  readonly name: string
  readonly path: JsonPath
  readonly schema: JsonObject
}

const QUANTITY = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
  'x-kubernetes-int-or-string': true,
}
const QUANTITIES = { type: 'object', additionalProperties: QUANTITY }
const TEXT = { type: 'string', minLength: 1 }
const COUNT = { type: 'integer', format: 'int32', minimum: 0 }
const PORT = { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 }

/** What a person may want to have otherwise: images, replicas, resources, hosts, storage, schedules, ports. */
export function findParameters(objects: readonly KubeObject[], base: string): readonly Parameter[] {
  const workloads = objects.filter((object) => podSpecPath(object) !== undefined)
  const found = objects.flatMap((object, index) => {
    const owner = workloads.length > 1 && podSpecPath(object) ? [partName(object, base)] : []
    return fieldsOf(object).flatMap(({ name, path, schema }): readonly Parameter[] => {
      const value = getPath(object as unknown as JsonValue, path)
      if (value === undefined || value === null) return []
      return [
        {
          field: [...owner, name],
          value,
          schema: { description: DESCRIPTIONS[name] ?? `The ${name}.`, ...schema },
          places: [{ object: index, path }],
        },
      ]
    })
  })
  return withPorts(joined(found), objects)
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  image: 'The image that runs.',
  replicas: 'How many pods run.',
  resources: 'What each container asks for, and what it may have at most.',
  storage: 'The size of each disk.',
  storageClass: 'The class of the disks.',
  schedule: 'When it runs, as cron writes it.',
  host: 'The name under which it is reached.',
  port: 'The port that the pods listen on.',
}

/** Equal values of one name are one field; different ones get numbers. */
function joined(found: readonly Parameter[]): readonly Parameter[] {
  const byField = new Map<string, Parameter>()
  for (const one of found) {
    for (let count = 1; ; count += 1) {
      const field = count === 1 ? one.field : [...one.field.slice(0, -1), `${one.field.at(-1)}${count}`]
      const there = byField.get(field.join('.'))
      if (there && !jsonEquals(there.value, one.value)) continue
      byField.set(field.join('.'), { ...(there ?? one), field, places: [...(there?.places ?? []), ...one.places] })
      break
    }
  }
  return [...byField.values()]
}

function fieldsOf(object: KubeObject): readonly Found[] {
  const pod = podSpecPath(object)
  return [...(pod ? podFields(object, pod) : []), ...ownFields(object)]
}

/** Where the spec of pods stands in an object that makes them. */
export function podSpecPath({ kind }: KubeObject): JsonPath | undefined {
  if (kind === 'Pod') return ['spec']
  if (kind === 'CronJob') return ['spec', 'jobTemplate', 'spec', 'template', 'spec']
  const isWorkload = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].includes(kind)
  return isWorkload ? ['spec', 'template', 'spec'] : undefined
}

function podFields(object: KubeObject, pod: JsonPath): readonly Found[] {
  const containers = listAt(object, [...pod, 'containers'])
  const images = containers.map((container, index): readonly Found[] => {
    const prefix = index === 0 || !isJsonObject(container) ? '' : camelCase(String(container.name))
    const path = [...pod, 'containers', index]
    return [
      { name: prefixed(prefix, 'image'), path: [...path, 'image'], schema: TEXT },
      {
        name: prefixed(prefix, 'resources'),
        path: [...path, 'resources'],
        schema: { type: 'object', properties: { limits: QUANTITIES, requests: QUANTITIES } },
      },
    ]
  })
  return images
    .flat()
    .filter(
      ({ name, path }) => !/resources$/i.test(name) || isPlainResources(getPath(object as unknown as JsonValue, path)),
    )
}

function isPlainResources(value: JsonValue | undefined): boolean {
  return (
    isJsonObject(value) &&
    Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => key === 'limits' || key === 'requests')
  )
}

function ownFields(object: KubeObject): readonly Found[] {
  const { kind } = object
  if (kind === 'Ingress') return ingressFields(object)
  if (kind === 'PersistentVolumeClaim') return claimFields(['spec'])
  if (kind === 'HorizontalPodAutoscaler') {
    return ['minReplicas', 'maxReplicas'].map((name) => ({ name, path: ['spec', name], schema: COUNT }))
  }
  const fields: Found[] = []
  if (kind === 'Deployment' || kind === 'StatefulSet' || kind === 'ReplicaSet') {
    fields.push({ name: 'replicas', path: ['spec', 'replicas'], schema: COUNT })
  }
  if (kind === 'CronJob') fields.push({ name: 'schedule', path: ['spec', 'schedule'], schema: TEXT })
  const claims = kind === 'StatefulSet' ? listAt(object, ['spec', 'volumeClaimTemplates']) : []
  return [...fields, ...claims.flatMap((_claim, index) => claimFields(['spec', 'volumeClaimTemplates', index, 'spec']))]
}

function claimFields(path: JsonPath): readonly Found[] {
  return [
    { name: 'storage', path: [...path, 'resources', 'requests', 'storage'], schema: QUANTITY },
    { name: 'storageClass', path: [...path, 'storageClassName'], schema: TEXT },
  ]
}

function ingressFields(object: KubeObject): readonly Found[] {
  const rules = listAt(object, ['spec', 'rules']).map((_rule, index): Found => {
    return { name: 'host', path: ['spec', 'rules', index, 'host'], schema: TEXT }
  })
  const hosts = listAt(object, ['spec', 'tls']).flatMap((tls, index) => {
    const names = isJsonObject(tls) && isJsonArray(tls.hosts) ? tls.hosts : []
    return names.map(
      (_name, number): Found => ({ name: 'host', path: ['spec', 'tls', index, 'hosts', number], schema: TEXT }),
    )
  })
  return [...rules, ...hosts]
}

/** The only port of the only workload, and wherever the number of it is meant. */
function withPorts(parameters: readonly Parameter[], objects: readonly KubeObject[]): readonly Parameter[] {
  const workloads = objects.flatMap((object, index) => {
    const pod = podSpecPath(object)
    return pod ? [{ object, index, ports: portsOf(object, pod) }] : []
  })
  const ports = new Set(workloads.flatMap((one) => one.ports))
  const [port] = ports
  if (workloads.length !== 1 || ports.size !== 1 || port === undefined) return parameters
  const places = objects.flatMap((object, index) =>
    portPlaces(object as unknown as JsonValue, port).map((path) => ({ object: index, path })),
  )
  return [...parameters, { field: ['port'], value: port, schema: { description: DESCRIPTIONS.port, ...PORT }, places }]
}

function portsOf(object: KubeObject, pod: JsonPath): readonly number[] {
  return listAt(object, [...pod, 'containers']).flatMap((_container, index) => {
    const ports = listAt(object, [...pod, 'containers', index, 'ports'])
    return ports.flatMap((port) =>
      isJsonObject(port) && typeof port.containerPort === 'number' ? [port.containerPort] : [],
    )
  })
}

/** Fields that hold the number of a port. */
const PORT_FIELDS: ReadonlySet<JsonValue> = new Set(['containerPort', 'targetPort', 'port', 'number'])

function portPlaces(value: JsonValue, port: number, path: JsonPath = []): readonly JsonPath[] {
  if (value === port && PORT_FIELDS.has(path.at(-1) ?? '')) return [path]
  if (isJsonArray(value)) return value.flatMap((item, index) => portPlaces(item, port, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => portPlaces(inner as JsonValue, port, [...path, key]))
}

function listAt(object: KubeObject, path: JsonPath): readonly JsonValue[] {
  const list = getPath(object as unknown as JsonValue, path)
  return isJsonArray(list) ? list : []
}

/** Distinguishes a workload from others: the rest of its name, else its kind. */
export function partName({ kind, metadata }: KubeObject, base: string): string {
  const name = metadata.name ?? ''
  const rest = name.startsWith(`${base}-`) ? name.slice(base.length + 1) : name === base ? '' : name
  return camelCase(rest === '' ? kind : rest)
}

export function camelCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const [first = '', ...rest] = words.map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
  const name = [
    first.charAt(0).toLowerCase() + first.slice(1),
    ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
  ].join('')
  return /^[a-z]/.test(name) ? name : `part${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function prefixed(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
