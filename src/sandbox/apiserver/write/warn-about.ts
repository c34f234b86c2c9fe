import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabelKey } from './names.ts'
import { STANDARD_FINALIZERS } from './validate-meta.ts'
import type { WriteRequest } from './write-request.ts'

/** Warns the client of parts of an object that are allowed but questionable. `old` is absent on creation. */
export function warnAbout({ resource, subresource, warn }: WriteRequest, object: KubeObject, old?: KubeObject): void {
  if (subresource === 'status') return
  for (const text of resource.rules.warnings?.(object, old) ?? []) warn(text)
  if (resource.custom) for (const text of finalizerWarnings(object, old)) warn(text)
}

/** What was wrong before and is forgiven is reported also when something else is refused. Only custom resources have such. */
export function warnAboutRefused(
  { resource, subresource, warn }: WriteRequest,
  object: KubeObject,
  old: KubeObject,
): void {
  if (!resource.custom || subresource === 'status') return
  for (const text of resource.rules.warnings?.(object, old) ?? []) warn(text)
}

function finalizerWarnings({ metadata }: KubeObject, old: KubeObject | undefined): readonly string[] {
  const added = (metadata.finalizers ?? []).filter((name) => !old?.metadata.finalizers?.includes(name))
  return [...new Set(added)].sort().flatMap((name) => {
    const texts = checkLabelKey(name).map((text) => `metadata.finalizers: ${JSON.stringify(name)}: ${text}`)
    if (name.includes('/') || STANDARD_FINALIZERS.includes(name)) return texts
    const path = name.includes('.') ? ' including a path (/)' : ''
    const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`
    return [...texts, `metadata.finalizers: ${JSON.stringify(name)}: ${advice}`]
  })
}
