import { hmacSha256 } from '../../../core/base/hash.ts'
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { type RandomBytes, randomText } from '../../../core/base/random-text.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'
import { controllerReference } from '../../../core/kube/owner-reference.ts'
import type { GeneratedKey } from '../../role/generated-key.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import type { Installation } from '../ownership/ledger.ts'
import {
  ADOPT_FROM_ANNOTATION,
  APPLIED_ANNOTATION,
  FINALIZE_ANNOTATION,
  OPERATOR_ANNOTATION,
  OWNER_ANNOTATION,
  OWNER_UID_LABEL,
  type Owner,
  ownerText,
  RETAIN_ANNOTATION,
  withoutMarks,
} from '../ownership/ownership.ts'

export interface MarkOptions {
  readonly key: ObjectKey
  readonly owner: Owner
  readonly installation: Installation
  /** Whether the garbage collector deletes it with its owner. */
  readonly owned: boolean
  readonly retain: boolean
  /** Managers whose fields are taken over. Defaults to none. */
  readonly adoptFrom?: readonly string[] | undefined
  /** Whether it is made while its owner goes. Defaults to false. */
  readonly isFinal?: boolean | undefined
}

/**
 * What is sent for an object of a role: the manifest with our marks, and a hash of both.
 *
 * The hash is always keyed. A plain hash of an object with few possible contents, such as a Secret, would reveal the content to everybody
 * who can read annotations.
 */
export function markObject(manifest: KubeObject, options: MarkOptions): KubeObject {
  const { key, owner, installation, owned, retain, adoptFrom = [], isFinal } = options
  const { metadata } = withoutMarks(manifest)
  const annotations = {
    ...metadata.annotations,
    [OWNER_ANNOTATION]: ownerText(owner),
    [OPERATOR_ANNOTATION]: installation.name,
    ...(retain && { [RETAIN_ANNOTATION]: 'true' }),
    ...(adoptFrom.length > 0 && { [ADOPT_FROM_ANNOTATION]: adoptFrom.join(',') }),
    ...(isFinal && { [FINALIZE_ANNOTATION]: 'true' }),
  }
  const marked = {
    ...metadata,
    name: key.name,
    ...(key.namespace !== '' && { namespace: key.namespace }),
    labels: { ...metadata.labels, [OWNER_UID_LABEL]: owner.uid },
    annotations,
    ...(owned && {
      ownerReferences: [...(metadata.ownerReferences ?? []), controllerReference(owner.resource, owner.gvk)],
    }),
  }
  const applied = keyedHash({ ...manifest, metadata: marked }, installation)
  return { ...manifest, metadata: { ...marked, annotations: { ...annotations, [APPLIED_ANNOTATION]: applied } } }
}

export function keyedHash(object: KubeObject, { key }: Installation): string {
  return hmacSha256(key, canonicalJson(object as JsonValue))
}

/**
 * Adds generated values to a Secret: those of the live object, and new ones for keys that it lacks.
 *
 * `live` must come from the server. A cache may be older, and a new value would replace one that is in use.
 *
 * @throws TaskFailure when the manifest gives one of the keys itself
 */
export function withGeneratedValues(
  manifest: KubeObject,
  live: KubeObject | undefined,
  { keys, random }: { readonly keys: readonly GeneratedKey[]; readonly random: RandomBytes },
): KubeObject {
  const data = dataOf(manifest)
  const present = dataOf(live)
  const generated: { [key: string]: string } = {}
  for (const { key, length, characters } of keys) {
    if (data[key] !== undefined) throw givenTwice(key)
    const value = present[key]
    const isThere = typeof value === 'string' && value !== ''
    generated[key] = isThere ? value : Buffer.from(randomText(length, characters, random)).toString('base64')
  }
  return { ...manifest, data: { ...data, ...generated } }
}

function dataOf(object: KubeObject | undefined): JsonObject {
  return isJsonObject(object?.data) ? object.data : {}
}

function givenTwice(key: string): TaskFailure {
  const message = `cannot generate \`data.${key}\`: the manifest sets it, too (remove one of them)`
  return new TaskFailure('Invalid', message)
}
