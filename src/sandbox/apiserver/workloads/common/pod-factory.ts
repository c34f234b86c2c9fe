import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { objectAt } from '../../kinds/common/fields.ts'
import { controllerReference } from './owned-objects.ts'

/** A pod from a workload's template, controlled by the workload. `name` absent: the server chooses one. */
export function podFrom(owner: KubeObject, template: JsonObject, name?: string): KubeObject {
  const { labels, annotations, finalizers } = objectAt(template, 'metadata')
  const metadata = {
    ...(name === undefined ? { generateName: `${owner.metadata.name}-` } : { name }),
    namespace: owner.metadata.namespace,
    ownerReferences: [controllerReference(owner)],
    labels,
    annotations,
    finalizers,
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata as KubeObject['metadata'],
    spec: objectAt(template, 'spec'),
  }
}

/** The template with labels added to its own. */
export function withLabels(template: JsonObject, added: JsonObject): JsonObject {
  const metadata = objectAt(template, 'metadata')
  return { ...template, metadata: { ...metadata, labels: { ...objectAt(metadata, 'labels'), ...added } } }
}
