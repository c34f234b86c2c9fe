import { getPath, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { trackUpdate } from '../apply/server-side-apply.ts'
import type { ServedResource } from '../served-resource.ts'
import { internFields } from './intern-fields.ts'
import { withMeta } from './object-meta.ts'
import { otherVersionsOf } from './other-versions.ts'
import { dropDuplicateOwners } from './owner-references.ts'
import { resetFieldsOf } from './reset-fields.ts'
import { shareUnchanged } from './share-unchanged.ts'
import { type ServerState, timestampOf, type WriteRequest } from './write-request.ts'

export interface Change {
  /** Absent on creation. */
  readonly live?: KubeObject | undefined
  readonly updated: KubeObject
}

/** Objects of one kind that are written one after the other are mostly alike: each shares what it has in common with the last. */
const lastWritten = new WeakMap<ServedResource, KubeObject>()

function share(object: KubeObject, other: KubeObject | undefined): KubeObject {
  if (!other) return object
  const shared = shareUnchanged(object as JsonObject, other as JsonObject) as KubeObject
  const isOneMap = object.metadata.labels !== undefined && object.metadata.labels === templateLabelsOf(object)
  return isOneMap ? withTemplateLabels(shared) : shared
}

const TEMPLATE_LABELS = ['spec', 'template', 'metadata', 'labels']

function templateLabelsOf(object: KubeObject): JsonValue | undefined {
  return getPath(object as JsonObject, TEMPLATE_LABELS)
}

/** Labels that are the very map of the template stay so: what is added to the one is then in both. */
function withTemplateLabels(object: KubeObject): KubeObject {
  const labels = templateLabelsOf(object)
  return labels === object.metadata.labels ? object : withMeta(object, { labels })
}

/** As the tracking sees it. An empty list of `managedFields` stays: it asks to forget all managers. */
function trackedForm({ rules }: ServedResource, updated: KubeObject): KubeObject {
  const tracked = rules.emptyForms?.tracked(updated) ?? updated
  const { managedFields } = updated.metadata
  return tracked.metadata.managedFields === managedFields ? tracked : withMeta(tracked, { managedFields })
}

/** Writes down in `managedFields` who changed what, as for an operation `Update`. */
export function trackChange(state: ServerState, request: WriteRequest, change: Change): KubeObject {
  const { live } = change
  const given = dropDuplicateOwners(change.updated, request)
  const { resource, manager, subresource } = request
  // Its last state comes last: what an update leaves alone is to be the very part of it.
  const updated = share(share(given, lastWritten.get(resource)), live)
  lastWritten.set(resource, updated)
  // The real server binds pods without a manager.
  if (subresource === 'binding') return internFields(updated)
  const seen = trackedForm(resource, updated)
  const tracked = trackUpdate({
    live,
    updated: seen,
    manager,
    subresource,
    schema: resource.schema,
    apiVersion: apiVersionOf(resource.gvk),
    now: timestampOf(state.clock.now()),
    resetFields: resetFieldsOf(resource, subresource),
    versions: otherVersionsOf(resource, state.registry),
  })
  if (seen === updated) return internFields(tracked)
  return internFields(withMeta(updated, { managedFields: tracked.metadata.managedFields }))
}
