import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, objectAt, textAt } from '../../kinds/common/fields.ts'
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
  unlessUserNamespace,
} from './check.ts'

const procMount: CheckPod = ({ spec }) => {
  const isBad = ({ procMount: type }: JsonObject): boolean => type !== undefined && type !== 'Default'
  const bad = badContexts(spec, isBad)
  if (bad.length === 0) return undefined
  const contexts = containersOf(spec).map(securityOf).filter(isBad)
  const types = sortedSet(contexts.map((context) => textAt(context, 'procMount')))
  const detail = `${containersText(bad)} must not set securityContext.procMount to ${quoted(types)}`
  return { reason: 'procMount', detail }
}

const seLinux =
  (allowedTypes: readonly string[]): CheckPod =>
  ({ spec }) => {
    const optionsOf = (context: JsonObject): JsonObject => objectAt(context, 'seLinuxOptions')
    const hasBadType = (options: JsonObject): boolean => !allowedTypes.includes(textAt(options, 'type'))
    const has = (options: JsonObject, name: string): boolean => textAt(options, name) !== ''
    const isBad = (context: JsonObject): boolean => {
      const options = optionsOf(context)
      return hasBadType(options) || has(options, 'user') || has(options, 'role')
    }
    const setters = settersText(isBad(securityOf(spec)), badContexts(spec, isBad))
    if (setters === '') return undefined
    const all = [spec, ...containersOf(spec)].map((holder) => optionsOf(securityOf(holder)))
    const types = sortedSet(all.filter(hasBadType).map((options) => textAt(options, 'type')))
    const complaints = [
      ...(types.length === 0 ? [] : [`${plural(types.length, 'type')} ${quoted(types)}`]),
      ...['user', 'role'].flatMap((name) =>
        all.some((options) => has(options, name)) ? [`${name} may not be set`] : [],
      ),
    ]
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${complaints.join('; ')}`
    return { reason: 'seLinuxOptions', detail }
  }

const SE_LINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t']

const sysctls =
  (allowed: readonly string[]): CheckPod =>
  ({ spec }) => {
    const names = itemsAt(securityOf(spec), 'sysctls').map((sysctl) => textAt(sysctl, 'name'))
    const bad = names.filter((name) => !allowed.includes(name))
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') }
  }

const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]
const SYSCTLS_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports']
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
]
const SYSCTLS_32 = [...SYSCTLS_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']

/** What a pod may ask of the kernel. */
export const KERNEL_CHECKS: readonly Check[] = [
  {
    id: 'procMount',
    level: 'baseline',
    versions: [
      [0, procMount],
      [35, unlessUserNamespace(procMount)],
    ],
  },
  { id: 'procMount_restricted', level: 'restricted', versions: [[35, procMount]], overrides: 'procMount' },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      [0, seLinux(SE_LINUX_TYPES)],
      [31, seLinux([...SE_LINUX_TYPES, 'container_engine_t'])],
    ],
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: [
      [0, sysctls(SYSCTLS)],
      [27, sysctls(SYSCTLS_27)],
      [29, sysctls(SYSCTLS_29)],
      [32, sysctls(SYSCTLS_32)],
    ],
  },
]
