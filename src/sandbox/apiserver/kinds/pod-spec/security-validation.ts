import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { asStruct, type FieldErrors, inRange, invalid, oneOf, required, tooLong } from '../common/field-errors.ts'
import { objectAt, textAt, textsAt } from '../common/fields.ts'
import { asGoStruct } from '../common/go-struct.ts'
import { validateDescendingPath } from './path-validation.ts'
import { validateSysctls } from './sysctls-validation.ts'
import { validateWindowsOptions } from './windows-validation.ts'

const ID_RANGE = [0, 2147483647] as const

/** `securityContext` of a pod; `policies` are those by which volumes may be labelled. */
export function validatePodSecurityContext(spec: JsonObject, field: string, policies: readonly string[]): FieldErrors {
  const context = objectAt(spec, 'securityContext')
  const { fsGroupChangePolicy, supplementalGroups, supplementalGroupsPolicy, seLinuxChangePolicy } = context
  const groups = isJsonArray(supplementalGroups) ? supplementalGroups.map(Number) : []
  return [
    ...validateIds(context, field, ['fsGroup', 'runAsUser', 'runAsGroup']),
    ...groups.flatMap((id, index) => inRange(`${field}.supplementalGroups[${index}]`, id, ID_RANGE)),
    ...validateSharedProcesses(spec, `${field}.shareProcessNamespace`),
    ...validateSysctls(spec, `${field}.sysctls`),
    ...(typeof fsGroupChangePolicy === 'string'
      ? oneOf(`${field}.fsGroupChangePolicy`, fsGroupChangePolicy, ['Always', 'OnRootMismatch'])
      : []),
    ...validateSeccomp(context, `${field}.seccompProfile`),
    ...validateWindowsOptions(context, `${field}.windowsOptions`),
    ...validateAppArmor(context, `${field}.appArmorProfile`),
    ...(typeof supplementalGroupsPolicy === 'string'
      ? oneOf(`${field}.supplementalGroupsPolicy`, supplementalGroupsPolicy, ['Merge', 'Strict'])
      : []),
    ...(typeof seLinuxChangePolicy === 'string'
      ? oneOf(`${field}.seLinuxChangePolicy`, seLinuxChangePolicy, policies)
      : []),
  ]
}

/** The server names the field where it is in its own struct. */
function validateSharedProcesses({ shareProcessNamespace, hostPID }: JsonObject, field: string): FieldErrors {
  if (shareProcessNamespace !== true || hostPID !== true) return []
  return [invalid(field, true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
}

/** `securityContext` of a container, in a pod that has the users of its node or its own. */
export function validateSecurityContext(context: JsonObject, field: string, hasHostUsers: boolean): FieldErrors {
  return [
    ...validateIds(context, field, ['runAsUser', 'runAsGroup']),
    ...validateProcMount(context.procMount, `${field}.procMount`, hasHostUsers),
    ...validateSeccomp(context, `${field}.seccompProfile`),
    ...validateEscalation(context, field),
    ...validateWindowsOptions(context, `${field}.windowsOptions`),
    ...validateAppArmor(context, `${field}.appArmorProfile`),
  ]
}

function validateProcMount(mount: JsonValue | undefined, field: string, hasHostUsers: boolean): FieldErrors {
  if (typeof mount !== 'string') return []
  const isOpen = mount === 'Unmasked' && hasHostUsers
  return [
    ...oneOf(field, mount, ['Default', 'Unmasked']),
    ...(isOpen ? [invalid(field, mount, '`hostUsers` must be false to use `Unmasked`')] : []),
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

function validateIds(context: JsonObject, field: string, names: readonly string[]): FieldErrors {
  return names.flatMap((name) => {
    const id = context[name]
    return typeof id === 'number' ? inRange(`${field}.${name}`, id, ID_RANGE) : []
  })
}

function validateEscalation(context: JsonObject, field: string): FieldErrors {
  if (context.allowPrivilegeEscalation !== false) return []
  const reasons = []
  if (context.privileged === true) reasons.push('`privileged` to true')
  const added = textsAt(objectAt(context, 'capabilities'), 'add')
  if (added.includes('CAP_SYS_ADMIN')) reasons.push('`capabilities.Add` CAP_SYS_ADMIN')
  return reasons.map((reason) =>
    asStruct(invalid(field, printedContext(context), `cannot set \`allowPrivilegeEscalation\` to false and ${reason}`)),
  )
}

const GO_FIELDS = [
  'Capabilities',
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

/** Of the structs in it, the fields and what stands for those that are not given. */
const GO_PARTS: Readonly<Record<string, readonly [names: readonly string[], zero: JsonValue]>> = {
  Capabilities: [['Add', 'Drop'], null],
  SELinuxOptions: [['User', 'Role', 'Type', 'Level'], ''],
  WindowsOptions: [['GMSACredentialSpecName', 'GMSACredentialSpec', 'RunAsUserName', 'HostProcess'], null],
  SeccompProfile: [['Type', 'LocalhostProfile'], null],
  AppArmorProfile: [['Type', 'LocalhostProfile'], null],
}

function printedContext(context: JsonObject): JsonObject {
  const shown = asGoStruct(context, GO_FIELDS, null)
  const parts = Object.entries(GO_PARTS).flatMap(([name, [names, zero]]) => {
    const part = shown[name]
    return isJsonObject(part) ? [[name, asGoStruct(part, names, zero)] as const] : []
  })
  return { ...shown, ...Object.fromEntries(parts) }
}
