import { readFileSync } from 'node:fs'
import { systemClock } from '../../../core/base/clock.ts'
import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { nopLogger } from '../../../core/base/logger.ts'
import { isForbidden, isNotFound } from '../../../core/kube/api-error.ts'
import { formatGvk, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { connect } from '../../../core/kube-client/connect.ts'
import { cleanObject, madeByOthers } from '../../scaffold/manifests/clean-object.ts'
import { type Invocation, UsageError } from '../command.ts'
import { userAgent } from '../program-version.ts'
import { readObjects } from '../read-objects.ts'
import { yamlSources } from './read-sources.ts'

/** Objects that a role is to make, and what was left out of those that were found. */
export interface GivenObjects {
  readonly objects: readonly KubeObject[]
  readonly leftOut: readonly string[]
}

/** What `--from` names: a file, a folder, `-`, or nothing but a namespace of a cluster. @throws UsageError */
export async function givenObjects({ text }: Invocation): Promise<GivenObjects> {
  const from = text('from')
  const namespace = text('namespace')
  if (from === undefined && namespace === undefined) {
    throw new UsageError('--from: name a file, a folder or - for the standard input, or give --namespace')
  }
  const { objects, leftOut } = from === undefined ? await liveObjects(namespace ?? '', text) : fromFiles(from)
  if (objects.length === 0)
    throw new UsageError(`--from: there is no object in ${from ?? `the namespace ${namespace}`}`)
  refuseTwice(objects)
  return { objects, leftOut }
}

/** What kubectl takes may say `yes` and `0644`. */
const AS_KUBECTL = { dialect: 'yaml-1.1' } as const

function fromFiles(path: string): GivenObjects {
  const sources = path === '-' ? [{ path: '-', text: readFileSync(0, 'utf8') }] : yamlSources(path)
  const found = sources.flatMap((source) => readObjects(source.path, source.text, AS_KUBECTL)).map(cleanObject)
  const own = found.filter(({ kind, metadata }) => {
    return kind === 'Namespace' && found.some((object) => object.metadata.namespace === metadata.name)
  })
  const leftOut = own.map(({ metadata }) => `Namespace ${metadata.name}: the resource is in it before the role runs`)
  return { objects: found.filter((object) => !own.includes(object)), leftOut }
}

const CORE = ['ServiceAccount', 'ConfigMap', 'Secret', 'PersistentVolumeClaim', 'Service']
/** Kinds that people make in namespaces, in the order in which one needs the other. */
const LIVE_KINDS: readonly Gvk[] = [
  ...CORE.map((kind) => ({ group: '', version: 'v1', kind })),
  ...['Role', 'RoleBinding'].map((kind) => ({ group: 'rbac.authorization.k8s.io', version: 'v1', kind })),
  ...['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => ({ group: 'apps', version: 'v1', kind })),
  ...['CronJob', 'Job'].map((kind) => ({ group: 'batch', version: 'v1', kind })),
  ...['Ingress', 'NetworkPolicy'].map((kind) => ({ group: 'networking.k8s.io', version: 'v1', kind })),
  { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
  { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
]

async function liveObjects(namespace: string, text: Invocation['text']): Promise<GivenObjects> {
  const options = { kubeconfig: text('kubeconfig'), context: text('context') }
  const connection = await connect({ ...options, clock: systemClock, logger: nopLogger, userAgent: userAgent('init') })
  const objects: KubeObject[] = []
  const leftOut: string[] = []
  try {
    for (const gvk of LIVE_KINDS) {
      try {
        const { items } = await connection.client.list(gvk, { namespace })
        for (const item of items) take({ ...item, ...typeOf(gvk) } as KubeObject, objects, leftOut)
      } catch (error) {
        if (!isForbidden(error) && !isNotFound(error)) throw error
        leftOut.push(`${gvk.kind}: the cluster does not show them`)
      }
    }
  } finally {
    await connection.close()
  }
  return { objects, leftOut }
}

function typeOf({ group, version, kind }: Gvk): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind }
}

function take(object: KubeObject, objects: KubeObject[], leftOut: string[]): void {
  if (madeByOthers(object as KubeObject & { readonly type?: JsonValue }) !== undefined) return
  if (object.kind === 'Secret') leftOut.push(`Secret ${object.metadata.name}: ${NO_SECRETS}`)
  else objects.push(cleanObject(object))
}

const NO_SECRETS = 'its values do not belong into a role; make it with `generate`, or by hand'

function refuseTwice(objects: readonly KubeObject[]): void {
  const seen = new Set<string>()
  for (const object of objects) {
    const { name, namespace = '' } = isJsonObject(object.metadata)
      ? (object.metadata as KubeObject['metadata'])
      : { name: '' }
    const id = `${formatGvk(gvkOf(object))} ${namespace}/${name}`
    if (seen.has(id)) throw new UsageError(`--from: ${object.kind} ${name} is given twice`)
    seen.add(id)
  }
}
