import type { JsonObject } from '../../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../../core/kube/object.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import { withoutField } from '../../kinds/common/strategies.ts'
import { templateOfRevision } from '../common/controller-revisions.ts'
import { specOf } from '../common/objects.ts'
import { podFrom, withLabels } from '../common/pod-factory.ts'
import { MAX_PODS } from '../nodes.ts'

export const REVISION_LABEL = 'controller-revision-hash'

/** The numbers that a StatefulSet's pods have, in order. */
export function ordinalsOf(set: KubeObject): readonly number[] {
  const start = numberAt(objectAt(specOf(set), 'ordinals'), 'start')
  const length = Math.min(numberAt(specOf(set), 'replicas'), MAX_PODS)
  return Array.from({ length }, (_, index) => start + index)
}

/** -1 for a pod that has no number. */
export function ordinalOf(pod: KubeObject): number {
  return Number(/-(\d+)$/.exec(keyOf(pod).name)?.[1] ?? -1)
}

/** Whether a pod has a name as the set's pods have. */
export function isPodOf(set: KubeObject, pod: KubeObject): boolean {
  const { name } = keyOf(pod)
  return ordinalOf(pod) >= 0 && name.slice(0, name.lastIndexOf('-')) === set.metadata.name
}

/** The pod of one number, with its name, its place in DNS and its claims. */
export function statefulPod(set: KubeObject, ordinal: number, revision: KubeObject): KubeObject {
  const name = `${set.metadata.name}-${ordinal}`
  const template = withLabels(templateOfRevision(revision), {
    'apps.kubernetes.io/pod-index': String(ordinal),
    [REVISION_LABEL]: revision.metadata.name,
    'statefulset.kubernetes.io/pod-name': name,
  })
  const { serviceName } = specOf(set)
  const volumes = claimVolumes(set, claimsFor(set, ordinal))
  const pod = podFrom(set, template, name)
  const spec = specOf(pod)
  const names = new Set(volumes.map((volume) => textAt(volume, 'name')))
  const kept = itemsAt(spec, 'volumes').filter((volume) => !names.has(textAt(volume, 'name')))
  const all = [...kept, ...volumes]
  return {
    ...pod,
    metadata: { ...pod.metadata, generateName: `${set.metadata.name}-` },
    spec: {
      ...spec,
      hostname: name,
      ...(serviceName !== undefined && serviceName !== '' && { subdomain: serviceName }),
      ...(all.length > 0 && { volumes: all }),
    },
  }
}

/** The claims of a pod's number: they outlive it. */
export function claimsFor(set: KubeObject, ordinal: number): readonly KubeObject[] {
  const { name, namespace } = set.metadata
  const labels = objectAt(objectAt(specOf(set), 'selector'), 'matchLabels')
  return itemsAt(specOf(set), 'volumeClaimTemplates').map((template) => {
    const metadata = objectAt(template, 'metadata')
    const claim = withoutField(template, 'status')
    return {
      ...claim,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...(metadata as KubeObject['metadata']),
        name: `${textAt(metadata, 'name')}-${name}-${ordinal}`,
        namespace,
        labels: { ...objectAt(metadata, 'labels'), ...labels } as { [name: string]: string },
      },
    }
  })
}

function claimVolumes(set: KubeObject, claims: readonly KubeObject[]): readonly JsonObject[] {
  return itemsAt(specOf(set), 'volumeClaimTemplates').map((template, index) => ({
    name: textAt(objectAt(template, 'metadata'), 'name'),
    persistentVolumeClaim: { claimName: claims[index]?.metadata.name },
  }))
}
