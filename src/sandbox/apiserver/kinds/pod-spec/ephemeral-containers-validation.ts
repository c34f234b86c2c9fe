import type { JsonObject } from '../../../../core/base/json.ts'
import { duplicate, type FieldErrors, forbidden, invalid, notFound } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { type PodParts, validateContainer } from './containers-validation.ts'

const NOT_ALLOWED = 'cannot be set for an Ephemeral Container'
/** In the order of the server. */
const ONLY_FOR_OTHERS = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
]

/** Containers that look into a running pod: nothing may depend on them. */
export function validateEphemeralContainers(spec: JsonObject, field: string, parts: PodParts): FieldErrors {
  const targets = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')].map(({ name }) => name)
  const names = new Set(targets)
  return itemsAt(spec, 'ephemeralContainers').flatMap((container, index) => {
    const place = `${field}[${index}]`
    const name = textAt(container, 'name')
    const target = textAt(container, 'targetContainerName')
    const isTaken = names.has(name)
    names.add(name)
    return [
      ...validateContainer(container, place, parts),
      ...validateImage(container, place),
      ...(isTaken ? [duplicate(`${place}.name`, name)] : []),
      ...(target === '' || targets.includes(target) ? [] : [notFound(`${place}.targetContainerName`, target)]),
      ...ONLY_FOR_OTHERS.filter((each) => isSet(container, each)).map((each) =>
        forbidden(`${place}.${each}`, NOT_ALLOWED),
      ),
      ...validateMounts(container, place),
    ]
  })
}

function validateImage(container: JsonObject, field: string): FieldErrors {
  const image = textAt(container, 'image')
  if (image === image.trim()) return []
  return [invalid(`${field}.image`, image, 'must not have leading or trailing whitespace')]
}

/** Every container has resources, perhaps none. */
function isSet(container: JsonObject, name: string): boolean {
  if (name === 'resources') return Object.keys(objectAt(container, name)).length > 0
  return container[name] !== undefined
}

function validateMounts(container: JsonObject, field: string): FieldErrors {
  return itemsAt(container, 'volumeMounts').flatMap((mount, index) =>
    ['subPath', 'subPathExpr']
      .filter((name) => textAt(mount, name) !== '')
      .map((name) => forbidden(`${field}.volumeMounts[${index}].${name}`, NOT_ALLOWED)),
  )
}
