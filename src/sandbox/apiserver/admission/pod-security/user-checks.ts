import {
  badContexts,
  type Check,
  type CheckPod,
  containersText,
  securityOf,
  settersText,
  unlessUserNamespace,
  unlessWindows,
} from './check.ts'

const escalation: CheckPod = ({ spec }) => {
  const bad = badContexts(spec, (context) => context.allowPrivilegeEscalation !== false)
  if (bad.length === 0) return undefined
  const detail = `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`
  return { reason: 'allowPrivilegeEscalation != false', detail }
}

const runAsNonRoot: CheckPod = ({ spec }) => {
  const { runAsNonRoot: ofPod } = securityOf(spec)
  const reason = 'runAsNonRoot != true'
  const setters = settersText(
    ofPod === false,
    badContexts(spec, (context) => context.runAsNonRoot === false),
  )
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
  const silent = badContexts(spec, (context) => context.runAsNonRoot === undefined)
  if (ofPod === true || silent.length === 0) return undefined
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` }
}

const runAsUser: CheckPod = ({ spec }) => {
  const setters = settersText(
    securityOf(spec).runAsUser === 0,
    badContexts(spec, (context) => context.runAsUser === 0),
  )
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` }
}

/** No container may run as root or become root. */
export const USER_CHECKS: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      [8, escalation],
      [25, unlessWindows(escalation)],
    ],
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [
      [0, runAsNonRoot],
      [35, unlessUserNamespace(runAsNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [
      [23, runAsUser],
      [35, unlessUserNamespace(runAsUser)],
    ],
  },
]
