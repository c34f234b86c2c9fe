import type { JsonObject } from '../../../../core/base/json.ts'
import { duplicate, type FieldErrors, invalid, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'

/** `sysctls` of a pod: parameters of its own kernel namespaces, not of those that it shares with its node. */
export function validateSysctls(spec: JsonObject, field: string): FieldErrors {
  const names = itemsAt(objectAt(spec, 'securityContext'), 'sysctls').map((sysctl) => textAt(sysctl, 'name'))
  return names.flatMap((name, index) => {
    const place = `${field}[${index}].name`
    return [
      ...validateName(name, names.indexOf(name) < index, place),
      ...SHARED.filter(({ when, names: shared }) => spec[when] === true && shared.test(withDots(name))).map(
        ({ when }) => invalid(place, name, `may not be specified when '${when}' is true`),
      ),
    ]
  })
}

const LONGEST = 253
const NAME = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/
const TEXT =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'

function validateName(name: string, isRepeated: boolean, field: string): FieldErrors {
  if (name === '') return [required(field)]
  if (name.length > LONGEST || !NAME.test(name)) return [invalid(field, name, TEXT)]
  return isRepeated ? [duplicate(field, name)] : []
}

/** What a pod shares with its node, and the parameters of that. */
const SHARED = [
  { when: 'hostNetwork', names: /^net\./ },
  {
    when: 'hostIPC',
    names: /^(?:kernel\.(?:sem|shm|shmall|shmmax|shmmni|shm_rmid_forced|msg|msgmax|msgmnb|msgmni)$|fs\.mqueue\.)/,
  },
] as const

/** A name may be written as a path: then slashes stand for dots, and dots for slashes. */
function withDots(name: string): string {
  if (!/^[^.]*\//.test(name)) return name
  return name.replace(/[./]/g, (found) => (found === '.' ? '/' : '.'))
}
