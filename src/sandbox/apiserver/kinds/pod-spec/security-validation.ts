import { isJsonArray, isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkSubdomain } from '../../write/names.ts'
import {
  duplicate,
  type FieldErrors,
  inRange,
  invalid,
  invalidFor,
  oneOf,
  required,
  tooLong,
} from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { asGoStruct } from '../common/go-struct.ts'
import { validateDescendingPath } from './path-validation.ts'

const ID_RANGE = [0, 2147483647] as const

export function validatePodSecurityContext(context: JsonObject, field: string): FieldErrors {
  const { fsGroupChangePolicy, supplementalGroups, supplementalGroupsPolicy } = context
  const groups = isJsonArray(supplementalGroups) ? supplementalGroups.map(Number) : []
  return [
    ...validateIds(context, field, ['fsGroup', 'runAsUser', 'runAsGroup']),
    ...groups.flatMap((id, index) => inRange(`${field}.supplementalGroups[${index}]`, id, ID_RANGE)),
    ...validateSysctls(context, field),
    ...(typeof fsGroupChangePolicy === 'string'
      ? oneOf(`${field}.fsGroupChangePolicy`, fsGroupChangePolicy, ['Always', 'OnRootMismatch'])
      : []),
    ...validateSeccomp(context, `${field}.seccompProfile`),
    ...validateAppArmor(context, `${field}.appArmorProfile`),
    ...validateWindows(context, `${field}.windowsOptions`),
    ...(typeof supplementalGroupsPolicy === 'string'
      ? oneOf(`${field}.supplementalGroupsPolicy`, supplementalGroupsPolicy, ['Merge', 'Strict'])
      : []),
  ]
}

export function validateSecurityContext(context: JsonObject, field: string): FieldErrors {
  return [
    ...validateIds(context, field, ['runAsUser', 'runAsGroup']),
    ...validateSeccomp(context, `${field}.seccompProfile`),
    ...validateEscalation(context, field),
    ...validateAppArmor(context, `${field}.appArmorProfile`),
    ...validateWindows(context, `${field}.windowsOptions`),
  ]
}

const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined']

function validateSeccomp({ seccompProfile: profile }: JsonObject, field: string): FieldErrors {
  if (!isJsonObject(profile)) return []
  const { localhostProfile: path } = profile
  const type = textAt(profile, 'type')
  const place = `${field}.localhostProfile`
  const known =
    type === ''
      ? [required(`${field}.type`, 'type is required when seccompProfile is set')]
      : oneOf(`${field}.type`, type, PROFILES)
  if (type === 'Localhost') {
    if (typeof path === 'string') return [...known, ...validateDescendingPath(path, place)]
    return [...known, required(place, 'must be set when seccomp type is Localhost')]
  }
  if (path === undefined) return known
  const shown = asGoStruct(profile, ['Type', 'LocalhostProfile'], null)
  return [...known, { ...invalid(place, shown, 'can only be set when seccomp type is Localhost'), shown: 'struct' }]
}

const LONGEST_PATH = 4095

function validateAppArmor({ appArmorProfile: profile }: JsonObject, field: string): FieldErrors {
  if (!isJsonObject(profile)) return []
  const { localhostProfile: path } = profile
  const type = textAt(profile, 'type')
  const place = `${field}.localhostProfile`
  if (type === '') return [required(`${field}.type`, 'type is required when appArmorProfile is set')]
  if (!PROFILES.includes(type)) return oneOf(`${field}.type`, type, PROFILES)
  if (type !== 'Localhost') {
    return path === undefined ? [] : [invalid(place, path, 'can only be set when AppArmor type is Localhost')]
  }
  if (typeof path !== 'string' || path === '') return [required(place, 'must be set when AppArmor type is Localhost')]
  return [
    ...(path.trim() === path ? [] : [invalid(place, path, 'must not be padded with whitespace')]),
    ...(path.length > LONGEST_PATH ? [tooLong(place, LONGEST_PATH)] : []),
  ]
}

const LONGEST_CREDENTIALS = 64 * 1024
const LONGEST_USER = 104

function validateWindows({ windowsOptions: options }: JsonObject, field: string): FieldErrors {
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

/** `user` or `domain\user`. */
function checkWindowsUser(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const [user = '', domain] = [...parts].reverse()
  const tooLongUser = `runAsUserName's User length must not be longer than ${LONGEST_USER} characters`
  return [
    ...(domain === undefined || /^[\w.-]+$/.test(domain)
      ? []
      : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
    ...(user === '' ? ["runAsUserName's User cannot be empty"] : user.length > LONGEST_USER ? [tooLongUser] : []),
    ...(/^[. ]+$/.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(BAD_USER.test(user) ? [BAD_USER_TEXT] : []),
  ]
}

function validateIds(context: JsonObject, field: string, names: readonly string[]): FieldErrors {
  return names.flatMap((name) => {
    const id = context[name]
    return typeof id === 'number' ? inRange(`${field}.${name}`, id, ID_RANGE) : []
  })
}

const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/
const SYSCTL_TEXT =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'

function validateSysctls(context: JsonObject, field: string): FieldErrors {
  const names = itemsAt(context, 'sysctls').map((sysctl) => textAt(sysctl, 'name'))
  return names.flatMap((name, index) => {
    if (name === '') return [required(`${field}.sysctls[${index}].name`)]
    if (names.indexOf(name) < index) return [duplicate(`${field}.sysctls[${index}].name`, name)]
    if (name.length <= 253 && SYSCTL.test(name)) return []
    return [invalid(`${field}.sysctls[${index}].name`, name, SYSCTL_TEXT)]
  })
}

function validateEscalation(context: JsonObject, field: string): FieldErrors {
  if (context.allowPrivilegeEscalation !== false) return []
  const reasons = []
  if (context.privileged === true) reasons.push('`privileged` to true')
  const added = textsAt(objectAt(context, 'capabilities'), 'add')
  if (added.includes('CAP_SYS_ADMIN')) reasons.push('`capabilities.Add` CAP_SYS_ADMIN')
  return reasons.map((reason) =>
    invalid(field, printedContext(context), `cannot set \`allowPrivilegeEscalation\` to false and ${reason}`),
  )
}

const GO_FIELDS = [
  'Privileged',
  'SELinuxOptions',
  'WindowsOptions',
  'RunAsUser',
  'RunAsGroup',
  'RunAsNonRoot',
  'ReadOnlyRootFilesystem',
  'AllowPrivilegeEscalation',
  'ProcMount',
  'SeccompProfile',
  'AppArmorProfile',
]

function printedContext(context: JsonObject): JsonObject {
  const { capabilities } = context
  const printed = isJsonObject(capabilities) ? asGoStruct(capabilities, ['Add', 'Drop'], null) : null
  return { ...asGoStruct(context, GO_FIELDS, null), Capabilities: printed }
}
