import type { JsonObject } from '../../../../core/base/json.ts'
import { objectAt, textsAt } from '../../kinds/common/fields.ts'
import {
  badContexts,
  type Check,
  type CheckPod,
  containersOf,
  containersText,
  quoted,
  securityOf,
  sortedSet,
  unlessWindows,
} from './check.ts'

const DEFAULT_CAPABILITIES = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]

const baseline: CheckPod = ({ spec }) => {
  const detail = addedText(spec, DEFAULT_CAPABILITIES)
  return detail === '' ? undefined : { reason: 'non-default capabilities', detail }
}

const restricted: CheckPod = ({ spec }) => {
  const keeping = badContexts(spec, (context) => !textsAt(objectAt(context, 'capabilities'), 'drop').includes('ALL'))
  const details = [
    keeping.length === 0 ? '' : `${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`,
    addedText(spec, ['NET_BIND_SERVICE']),
  ].filter((detail) => detail !== '')
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

/** The containers that add capabilities that they may not add. */
function addedText(spec: JsonObject, allowed: readonly string[]): string {
  const forbiddenIn = (context: JsonObject): readonly string[] =>
    textsAt(objectAt(context, 'capabilities'), 'add').filter((name) => !allowed.includes(name))
  const bad = badContexts(spec, (context) => forbiddenIn(context).length > 0)
  if (bad.length === 0) return ''
  const added = sortedSet(containersOf(spec).flatMap((container) => forbiddenIn(securityOf(container))))
  return `${containersText(bad)} must not include ${quoted(added)} in securityContext.capabilities.add`
}

export const CAPABILITY_CHECKS: readonly Check[] = [
  { id: 'capabilities_baseline', level: 'baseline', versions: [[0, baseline]] },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    versions: [
      [22, restricted],
      [25, unlessWindows(restricted)],
    ],
    overrides: 'capabilities_baseline',
  },
]
