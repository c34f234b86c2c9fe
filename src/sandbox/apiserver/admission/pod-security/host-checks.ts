import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import {
  badContexts,
  type Check,
  type CheckPod,
  containersOf,
  containersText,
  namesOf,
  plural,
  quoted,
  securityOf,
  settersText,
  sortedSet,
} from './check.ts'

const privileged: CheckPod = ({ spec }) => {
  const bad = badContexts(spec, (context) => context.privileged === true)
  if (bad.length === 0) return undefined
  const detail = `${containersText(bad)} must not set securityContext.privileged=true`
  return { reason: 'privileged', detail }
}

const hostNamespaces: CheckPod = ({ spec }) => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spec[name] === true)
  if (shared.length === 0) return undefined
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') }
}

const hostPorts: CheckPod = ({ spec }) => {
  const portsOf = (container: JsonObject): readonly number[] =>
    itemsAt(container, 'ports')
      .map((port) => numberAt(port, 'hostPort'))
      .filter((port) => port !== 0)
  const bad = namesOf(spec, (container) => portsOf(container).length > 0)
  if (bad.length === 0) return undefined
  const ports = sortedSet(containersOf(spec).flatMap((container) => portsOf(container).map(String)))
  const use = bad.length === 1 ? 'uses' : 'use'
  const detail = `${containersText(bad)} ${use} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`
  return { reason: 'hostPort', detail }
}

const HANDLERS = [
  ['livenessProbe'],
  ['readinessProbe'],
  ['startupProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
]

const hostsOfProbes: CheckPod = ({ spec }) => {
  const hostsOf = (container: JsonObject): readonly string[] =>
    HANDLERS.flatMap((path) => {
      const handler = path.reduce(objectAt, container)
      const hosts = ['httpGet', 'tcpSocket'].map((name) => textAt(objectAt(handler, name), 'host'))
      return hosts.filter((host) => host !== '')
    })
  const bad = sortedSet(namesOf(spec, (container) => hostsOf(container).length > 0))
  if (bad.length === 0) return undefined
  const hosts = sortedSet(containersOf(spec).flatMap(hostsOf))
  const use = bad.length === 1 ? 'uses' : 'use'
  const what = plural(hosts.length, 'probe or lifecycle host')
  return { reason: 'probe or lifecycle host', detail: `${containersText(bad)} ${use} ${what} ${quoted(hosts)}` }
}

const windowsHostProcess: CheckPod = ({ spec }) => {
  const isHost = (context: JsonObject): boolean => objectAt(context, 'windowsOptions').hostProcess === true
  const setters = settersText(isHost(securityOf(spec)), badContexts(spec, isHost))
  if (setters === '') return undefined
  return { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` }
}

/** What keeps a pod apart from its node. */
export const HOST_CHECKS: readonly Check[] = [
  { id: 'privileged', level: 'baseline', versions: [[0, privileged]] },
  { id: 'hostNamespaces', level: 'baseline', versions: [[0, hostNamespaces]] },
  { id: 'hostPorts', level: 'baseline', versions: [[0, hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', level: 'baseline', versions: [[34, hostsOfProbes]] },
  { id: 'windowsHostProcess', level: 'baseline', versions: [[0, windowsHostProcess]] },
]
