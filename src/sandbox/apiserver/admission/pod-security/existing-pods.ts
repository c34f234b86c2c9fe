import { type KubeObject, keyOf } from '../../../../core/kube/object.ts'
import { controllerOf } from '../../../../core/kube/owner-reference.ts'
import { podToCheck } from './pod-templates.ts'
import { type LevelVersion, printLevel } from './policy.ts'
import { inShort, violationsOf } from './standards.ts'

const MOST_PODS = 3000

/** What is to be said of the pods of a namespace that asks more of them than before. */
export function warningsOfPods(
  namespace: string,
  pods: readonly KubeObject[],
  enforce: LevelVersion,
): readonly string[] {
  const checked = differentFirst(pods).slice(0, MOST_PODS)
  const namesByText = new Map<string, string[]>()
  for (const pod of checked) {
    const text = inShort(violationsOf(podToCheck(pod), enforce))
    if (text !== '') namesByText.set(text, [...(namesByText.get(text) ?? []), keyOf(pod).name])
  }
  const of = `the first ${checked.length} of ${pods.length} existing pods`
  const violated = `violate the new PodSecurity enforce level "${printLevel(enforce)}"`
  return [
    ...(checked.length < pods.length ? [`new PodSecurity enforce level only checked against ${of}`] : []),
    ...(namesByText.size > 0 ? [`existing pods in namespace "${namespace}" ${violated}`] : []),
    ...[...namesByText].map(([text, names]) => `${namesText(names)}: ${text}`).sort(),
  ]
}

/** Pods of one controller are alike: the first of each comes before the others. */
function differentFirst(pods: readonly KubeObject[]): readonly KubeObject[] {
  const seen = new Set<string>()
  const others: KubeObject[] = []
  const first = pods.filter((pod) => {
    const uid = controllerOf(pod)?.uid
    if (uid === undefined || !seen.has(uid)) {
      if (uid !== undefined) seen.add(uid)
      return true
    }
    others.push(pod)
    return false
  })
  return [...first, ...others]
}

function namesText(names: readonly string[]): string {
  const [first = ''] = [...names].sort()
  const more = names.length - 1
  return more === 0 ? first : `${first} (and ${more} other ${more === 1 ? 'pod' : 'pods'})`
}
