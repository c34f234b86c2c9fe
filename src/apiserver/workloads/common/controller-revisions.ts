import { type JsonObject, jsonEquals } from '../../../base/json.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { numberAt, objectAt } from '../../kinds/common/fields.ts'
import type { ObjectApi } from '../../object-api.ts'
import { CONTROLLER_MANAGER, specOf } from './objects.ts'
import { controllerReference } from './owned-objects.ts'
import { templateHash } from './template-hash.ts'

export interface RevisionOptions {
  /** The label that holds the hash. */
  readonly hashLabel: string
  readonly annotations?: { readonly [name: string]: string } | undefined
}

/** The revision of a workload's present template: found among those it has, or made. */
export function ensureRevision(
  api: ObjectApi,
  owner: KubeObject,
  existing: readonly KubeObject[],
  { hashLabel, annotations }: RevisionOptions,
): KubeObject {
  const template = objectAt(specOf(owner), 'template')
  const data = { spec: { template: { ...template, $patch: 'replace' } } }
  const next = Math.max(0, ...existing.map((revision) => numberAt(revision, 'revision'))) + 1
  const same = existing.find((revision) => jsonEquals(revision.data, data))
  if (same) {
    // A template that comes back is the newest revision again.
    if (numberAt(same, 'revision') === next - 1) return same
    return api.update({ ...same, revision: next }, CONTROLLER_MANAGER)
  }
  const hash = templateHash(template)
  const { name, namespace } = owner.metadata
  const labels = { ...objectAt(objectAt(template, 'metadata'), 'labels'), [hashLabel]: hash } as Labels
  const metadata = {
    name: `${name}-${hash}`,
    namespace,
    labels,
    ...(annotations && { annotations }),
    ownerReferences: [controllerReference(owner)],
  }
  const revision = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, data, revision: next }
  return api.create(revision, CONTROLLER_MANAGER)
}

type Labels = { readonly [name: string]: string }

/** The template that a revision keeps. */
export function templateOfRevision(revision: KubeObject): JsonObject {
  const { $patch: _patch, ...template } = objectAt(objectAt(objectAt(revision, 'data'), 'spec'), 'template')
  return template
}
