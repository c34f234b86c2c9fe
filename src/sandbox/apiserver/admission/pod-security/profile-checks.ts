import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { objectAt, textAt } from '../../kinds/common/fields.ts'
import {
  badContexts,
  type Check,
  type CheckPod,
  containersOf,
  containersText,
  plural,
  quoted,
  securityOf,
  settersText,
  sortedSet,
  unlessWindows,
} from './check.ts'

const ALLOWED_TYPES = ['RuntimeDefault', 'Localhost']

/** The type of a profile that a context asks for and may not have. */
function badType(context: JsonObject, profile: string): string | undefined {
  if (!isJsonObject(context[profile])) return undefined
  const type = textAt(objectAt(context, profile), 'type')
  return ALLOWED_TYPES.includes(type) ? undefined : type
}

interface BadProfiles {
  readonly setters: string
  readonly types: readonly string[]
}

function badProfiles(spec: JsonObject, profile: string): BadProfiles {
  const isBad = (context: JsonObject): boolean => badType(context, profile) !== undefined
  const contexts = [spec, ...containersOf(spec)].map(securityOf)
  return {
    setters: settersText(isBad(securityOf(spec)), badContexts(spec, isBad)),
    types: sortedSet(contexts.flatMap((context) => badType(context, profile) ?? [])),
  }
}

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/'

const appArmor: CheckPod = ({ spec, annotations }) => {
  const { setters, types } = badProfiles(spec, 'appArmorProfile')
  const notes = Object.entries(annotations)
    .filter(
      ([name, value]) => name.startsWith(APP_ARMOR) && !/^(|runtime\/default|localhost\/.*)$/s.test(String(value)),
    )
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .sort()
  const all = [setters, notes.length === 0 ? '' : plural(notes.length, 'annotation')].filter((text) => text !== '')
  if (all.length === 0) return undefined
  const values = [...types, ...notes]
  const detail = `${all.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`
  return { reason: plural(values.length, 'forbidden AppArmor profile'), detail }
}

const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'

/** Before there was a field for it. */
const seccompNotes: CheckPod = ({ spec, annotations }) => {
  const names = [SECCOMP, ...containersOf(spec).map((container) => SECCOMP_OF_CONTAINER + textAt(container, 'name'))]
  const notes = names.flatMap((name) => {
    const value = annotations[name]
    const isAllowed = value === undefined || /^(runtime\/default|docker\/default|localhost\/.*)$/s.test(String(value))
    return isAllowed ? [] : [`${name}=${JSON.stringify(value)}`]
  })
  if (notes.length === 0) return undefined
  const bad = sortedSet(notes)
  return { reason: 'seccompProfile', detail: `forbidden ${plural(bad.length, 'annotation')} ${bad.join(', ')}` }
}

const seccomp: CheckPod = ({ spec }) => {
  const { setters, types } = badProfiles(spec, 'seccompProfile')
  if (setters === '') return undefined
  const detail = `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}`
  return { reason: 'seccompProfile', detail }
}

const requiredSeccomp: CheckPod = (pod) => {
  const bad = seccomp(pod)
  if (bad || isJsonObject(securityOf(pod.spec).seccompProfile)) return bad
  const silent = badContexts(pod.spec, (context) => !isJsonObject(context.seccompProfile))
  if (silent.length === 0) return undefined
  const what = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
  return { reason: 'seccompProfile', detail: `pod or ${containersText(silent)} ${what}` }
}

/** Profiles that the node keeps containers to. */
export const PROFILE_CHECKS: readonly Check[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: [[0, appArmor]] },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      [0, seccompNotes],
      [19, seccomp],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    versions: [
      [19, requiredSeccomp],
      [25, unlessWindows(requiredSeccomp)],
    ],
    overrides: 'seccompProfile_baseline',
  },
]
