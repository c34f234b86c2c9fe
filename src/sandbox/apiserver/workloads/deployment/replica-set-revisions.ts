import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { numberAt, objectAt } from '../../kinds/common/fields.ts'
import { byAge, specOf, statusOf, withAnnotations } from '../common/objects.ts'
import { controllerReference } from '../common/owned-objects.ts'
import { withLabels } from '../common/pod-factory.ts'
import { templateHash } from '../common/template-hash.ts'
import { boundsOf, replicasOf } from './replica-counts.ts'

export const REVISION = 'deployment.kubernetes.io/revision'
const HISTORY = 'deployment.kubernetes.io/revision-history'
const DESIRED = 'deployment.kubernetes.io/desired-replicas'
const MAXIMUM = 'deployment.kubernetes.io/max-replicas'
const HASH = 'pod-template-hash'

/** Annotations of a Deployment that its ReplicaSets do not take over. */
const OWN = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  HISTORY,
  DESIRED,
  MAXIMUM,
  'deprecated.deployment.rollback.to',
])

/** The ReplicaSet of the Deployment's present template; the oldest if there are several. */
export function findCurrent(deployment: KubeObject, sets: readonly KubeObject[]): KubeObject | undefined {
  const wanted = templateOf(deployment)
  return [...sets].sort(byAge).find((set) => jsonEquals(withoutHash(templateOf(set)), withoutHash(wanted)))
}

/** The ReplicaSet that a Deployment needs for its present template. */
export function newReplicaSet(deployment: KubeObject, replicas: number, revision: number): KubeObject {
  const { name, namespace } = deployment.metadata
  const template = templateOf(deployment)
  const collisions = numberAt(statusOf(deployment), 'collisionCount')
  const hash = templateHash(withoutHash(template), collisions)
  const hashed = withLabels(template, { [HASH]: hash })
  const { minReadySeconds, selector } = specOf(deployment)
  const set: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: objectAt(objectAt(hashed, 'metadata'), 'labels') as { [key: string]: string },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: withMatchLabel(selector as JsonObject, hash),
      template: hashed,
    },
  }
  return withAnnotations(set, {
    ...annotationsOf(deployment),
    ...replicasAnnotations(deployment),
    [REVISION]: String(revision),
  })
}

/** A ReplicaSet with the annotations of its Deployment, as the newest revision. */
export function asRevision(set: KubeObject, deployment: KubeObject, revision: number): KubeObject {
  const annotated = withAnnotations(set, { ...annotationsOf(deployment), ...revisionAnnotations(set, revision) })
  const { minReadySeconds } = specOf(deployment)
  if (numberAt(specOf(set), 'minReadySeconds') === numberAt(specOf(deployment), 'minReadySeconds')) return annotated
  return { ...annotated, spec: { ...specOf(annotated), minReadySeconds } }
}

/** A ReplicaSet with another number of pods, and what it was scaled for. */
export function scaled(set: KubeObject, deployment: KubeObject, replicas: number): KubeObject {
  const annotated = withAnnotations(set, replicasAnnotations(deployment))
  if (replicasOf(set) === replicas) return annotated
  return { ...annotated, spec: { ...specOf(annotated), replicas } }
}

/** Whether the Deployment was scaled since its ReplicaSets were. */
export function wasScaled(deployment: KubeObject, sets: readonly KubeObject[]): boolean {
  const desired = String(replicasOf(deployment))
  return sets.some((set) => {
    const noted = set.metadata.annotations?.[DESIRED]
    return replicasOf(set) > 0 && noted !== undefined && noted !== desired
  })
}

export function revisionOf(object: KubeObject): number {
  return Number(object.metadata.annotations?.[REVISION] ?? 0)
}

export function nextRevision(earlier: readonly KubeObject[]): number {
  return Math.max(0, ...earlier.map(revisionOf)) + 1
}

/** The newest revision, and the earlier ones that the same ReplicaSet was. */
function revisionAnnotations(set: KubeObject, revision: number): { readonly [name: string]: string } {
  const before = revisionOf(set)
  if (before >= revision) return {}
  const history = [set.metadata.annotations?.[HISTORY], before].filter((each) => each !== undefined)
  return { [REVISION]: String(revision), [HISTORY]: history.join(',') }
}

function annotationsOf(deployment: KubeObject): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !OWN.has(name)))
}

function replicasAnnotations(deployment: KubeObject): { readonly [name: string]: string } {
  const desired = replicasOf(deployment)
  return { [DESIRED]: String(desired), [MAXIMUM]: String(desired + boundsOf(deployment).surge) }
}

function templateOf(object: KubeObject): JsonObject {
  return objectAt(specOf(object), 'template')
}

function withoutHash(template: JsonObject): JsonObject {
  const metadata = objectAt(template, 'metadata')
  const { [HASH]: _hash, ...labels } = objectAt(metadata, 'labels')
  return { ...template, metadata: { ...metadata, labels } }
}

function withMatchLabel(selector: JsonObject, hash: string): JsonObject {
  return { ...selector, matchLabels: { ...objectAt(selector, 'matchLabels'), [HASH]: hash } }
}
