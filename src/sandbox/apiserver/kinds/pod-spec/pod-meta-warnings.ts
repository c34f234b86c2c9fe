import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { checkLabel } from '../../write/names.ts'
import { itemsAt, objectAt } from '../common/fields.ts'

type Warnings = readonly string[]

/** About a name that becomes part of other names; only when the object is made. */
export function nameWarnings({ metadata }: KubeObject, use: string): Warnings {
  const complaints = checkLabel(metadata.name ?? '')
  if (complaints.length === 0) return []
  const risk = 'which can result in surprising behavior; a DNS label is recommended'
  return [`metadata.name: this is used in ${use}, ${risk}: [${complaints.join(' ')}]`]
}

const ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
}
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'
const SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead'

/** About annotations of a pod, or of a template at `path`, that have become fields. */
export function annotationWarnings(pod: JsonObject, path: string): Warnings {
  const annotations = objectAt(objectAt(pod, 'metadata'), 'annotations')
  const spec = objectAt(pod, 'spec')
  const warn = (key: string, text: string): Warnings =>
    Object.hasOwn(annotations, key) ? [`${path}metadata.annotations[${key}]: ${text}`] : []
  const hasProfile = (owner: JsonObject): boolean => objectAt(owner, 'securityContext').seccompProfile !== undefined
  const containers = [...itemsAt(spec, 'initContainers'), ...itemsAt(spec, 'containers')]
  return [
    ...Object.entries(ANNOTATIONS).flatMap(([key, text]) => warn(key, text)),
    ...(hasProfile(spec) ? [] : warn(SECCOMP_POD, SECCOMP)),
    ...containers.flatMap((each) => (hasProfile(each) ? [] : warn(`${SECCOMP_CONTAINER}${each.name}`, SECCOMP))),
  ]
}
