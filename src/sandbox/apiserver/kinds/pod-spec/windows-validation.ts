import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { checkSubdomain } from '../../write/names.ts'
import { type FieldErrors, forbidden, invalid, invalidFor } from '../common/field-errors.ts'
import { objectAt } from '../common/fields.ts'
import { allContainers } from './all-containers.ts'

const LONGEST_CREDENTIALS = 64 * 1024
const LONGEST_USER = 104

export function validateWindowsOptions({ windowsOptions: options }: JsonObject, field: string): FieldErrors {
  if (!isJsonObject(options)) return []
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: credentials, runAsUserName: user } = options
  return [
    ...(typeof name === 'string' ? invalidFor(`${field}.gmsaCredentialSpecName`, name, checkSubdomain(name)) : []),
    ...(credentials === ''
      ? [invalid(`${field}.gmsaCredentialSpec`, '', 'gmsaCredentialSpec cannot be an empty string')]
      : []),
    ...(typeof credentials === 'string' && credentials.length > LONGEST_CREDENTIALS
      ? [invalid(`${field}.gmsaCredentialSpec`, credentials, 'gmsaCredentialSpec size must be under 64 KiB')]
      : []),
    ...(typeof user === 'string' ? invalidFor(`${field}.runAsUserName`, user, checkWindowsUser(user)) : []),
  ]
}

const BAD_USER = /["/\\:;|=,+*?<>@[\]]/
const BAD_USER_TEXT = `runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`

const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const DNS_NAME = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`)
const LONGEST_DOMAIN = 255

/** `user` or `domain\user`. */
function checkWindowsUser(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  if (/\p{Cc}/u.test(name)) return ['runAsUserName cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const [user = '', domain] = [...parts].reverse()
  const tooLongUser = `runAsUserName's User length must not be longer than ${LONGEST_USER} characters`
  return [
    ...(domain === undefined ? [] : checkDomain(domain)),
    ...(user === '' ? ["runAsUserName's User cannot be empty"] : user.length > LONGEST_USER ? [tooLongUser] : []),
    ...(/^[. ]+$/.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(BAD_USER.test(user) ? [BAD_USER_TEXT] : []),
  ]
}

function checkDomain(domain: string): readonly string[] {
  const isNamed = NET_BIOS.test(domain) || DNS_NAME.test(domain)
  return [
    ...(domain.length > LONGEST_DOMAIN
      ? [`runAsUserName's Domain length must be under ${LONGEST_DOMAIN + 1} characters`]
      : []),
    ...(isNamed ? [] : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ]
}

/** Containers that are processes of the node: all of a pod are, or none. */
export function validateHostProcesses(spec: JsonObject, field: string): FieldErrors {
  const ofPod = hostProcessOf(spec)
  const containers = allContainers(spec, field)
  const count = containers.filter(([container]) => (hostProcessOf(container) ?? ofPod) === true).length
  const isMixed = count > 0 && count !== containers.length
  const mixed = 'If pod contains any hostProcess containers then all containers must be HostProcess containers'
  const isApart = count > 0 && spec.hostNetwork !== true
  const apart = 'hostNetwork must be true if pod contains any hostProcess containers'
  return [
    ...containers.flatMap(([container, place]) => validateSameAsPod(hostProcessOf(container), ofPod, place)),
    ...(isMixed ? [invalid(field, '', mixed)] : []),
    ...(isApart ? [invalid(`${field}.hostNetwork`, false, apart)] : []),
  ]
}

function hostProcessOf(holder: JsonObject): JsonValue | undefined {
  return objectAt(objectAt(holder, 'securityContext'), 'windowsOptions').hostProcess
}

function validateSameAsPod(own: JsonValue | undefined, ofPod: JsonValue | undefined, field: string): FieldErrors {
  if (own === undefined || ofPod === undefined || own === ofPod) return []
  const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`
  return [invalid(`${field}.securityContext.windowsOptions.hostProcess`, own, detail)]
}

const NOT_ON_WINDOWS = 'cannot be set for a windows pod'

/** In the order of the server. */
const LINUX_ONLY = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
]

const LINUX_ONLY_OF_CONTAINERS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
]

/** What a pod that says that it is for Windows cannot have. */
export function validateForWindows(spec: JsonObject, field: string): FieldErrors {
  const context = objectAt(spec, 'securityContext')
  const ofPod = LINUX_ONLY.filter((path) => {
    const [first = '', second] = path.split('.')
    return (second === undefined ? spec[first] : context[second]) !== undefined
  })
  return [
    ...ofPod.map((path) => forbidden(`${field}.${path}`, NOT_ON_WINDOWS)),
    ...allContainers(spec, field).flatMap(([container, place]) => {
      const own = objectAt(container, 'securityContext')
      const given = LINUX_ONLY_OF_CONTAINERS.filter((name) => own[name] !== undefined)
      return given.map((name) => forbidden(`${place}.securityContext.${name}`, NOT_ON_WINDOWS))
    }),
  ]
}

/** What a pod that says that it is for Linux cannot have. */
export function validateForLinux(spec: JsonObject, field: string): FieldErrors {
  return [[spec, field] as const, ...allContainers(spec, field)]
    .filter(([holder]) => objectAt(holder, 'securityContext').windowsOptions !== undefined)
    .map(([, place]) =>
      forbidden(`${place}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod'),
    )
}
