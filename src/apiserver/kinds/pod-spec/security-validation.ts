import { isJsonObject, type JsonObject } from '../../../base/json.ts'
import { duplicate, type FieldErrors, inRange, invalid, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { asGoStruct } from '../common/go-struct.ts'

const ID_RANGE = [0, 2147483647] as const

export function validatePodSecurityContext(context: JsonObject, field: string): FieldErrors {
  return [...validateIds(context, field, ['fsGroup', 'runAsUser', 'runAsGroup']), ...validateSysctls(context, field)]
}

export function validateSecurityContext(context: JsonObject, field: string): FieldErrors {
  return [...validateIds(context, field, ['runAsUser', 'runAsGroup']), ...validateEscalation(context, field)]
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
