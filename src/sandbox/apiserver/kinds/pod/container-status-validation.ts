import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import {
  duplicate,
  type FieldErrors,
  forbidden,
  inRange,
  invalid,
  oneOf,
  required,
  tooLong,
} from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'

const IDS = [0, 2147483647] as const

/** Who the processes of containers are: `user` of their statuses. */
export function validateUsers(statuses: readonly JsonObject[], field: string, system: string): FieldErrors {
  return statuses.flatMap((status, index) => {
    const { linux } = objectAt(status, 'user')
    const place = `${field}[${index}].user.linux`
    if (!isJsonObject(linux)) return []
    if (system === 'windows') return [forbidden(place, 'cannot be set for a windows pod')]
    const groups = Array.isArray(linux.supplementalGroups) ? linux.supplementalGroups.map(Number) : []
    return [
      ...inRange(`${place}.uid`, numberAt(linux, 'uid'), IDS),
      ...inRange(`${place}.gid`, numberAt(linux, 'gid'), IDS),
      ...groups.flatMap((id, at) => inRange(`${place}.supplementalGroups[${at}]`, id, IDS)),
    ]
  })
}

/** Ephemeral containers have no resources that could be well or not. */
export function validateNoHealth(statuses: readonly JsonObject[], field: string): FieldErrors {
  return statuses.flatMap((status, index) =>
    itemsAt(status, 'allocatedResourcesStatus').length === 0
      ? []
      : [forbidden(`${field}[${index}].allocatedResourcesStatus`, 'must not be specified in container status')],
  )
}

/** How the resources of containers are: `allocatedResourcesStatus` of their statuses. */
export function validateHealth(
  statuses: readonly JsonObject[],
  field: string,
  containers: readonly JsonObject[],
): FieldErrors {
  return statuses.flatMap((status, index) => {
    const container = containers.find(({ name }) => name === status.name)
    return itemsAt(status, 'allocatedResourcesStatus').flatMap((resource, at) => {
      const place = `${field}[${index}].allocatedResourcesStatus[${at}]`
      return [
        ...(container ? validateAllocated(textAt(resource, 'name'), container, `${place}.name`) : []),
        ...validateHealthOfEach(itemsAt(resource, 'resources'), `${place}.resources`),
      ]
    })
  })
}

const CLAIM = 'claim:'

function validateAllocated(name: string, container: JsonObject, field: string): FieldErrors {
  const resources = objectAt(container, 'resources')
  if (!name.startsWith(CLAIM)) {
    const isKnown = objectAt(resources, 'requests')[name] !== undefined
    return isKnown ? [] : [invalid(field, name, "must match one of the container's resource requests")]
  }
  const claims = itemsAt(resources, 'claims').map((claim) => {
    const request = textAt(claim, 'request')
    return `${CLAIM}${textAt(claim, 'name')}${request === '' ? '' : `/${request}`}`
  })
  const detail =
    "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
  return claims.includes(name) ? [] : [invalid(field, name, detail)]
}

const HEALTH = ['Healthy', 'Unhealthy', 'Unknown']
const LONGEST_MESSAGE = 1024

function validateHealthOfEach(resources: readonly JsonObject[], field: string): FieldErrors {
  const ids = resources.map((resource) => textAt(resource, 'resourceID'))
  return resources.flatMap((resource, index) => {
    const place = `${field}[${index}]`
    const id = ids[index] ?? ''
    return [
      ...oneOf(`${place}.health`, textAt(resource, 'health'), HEALTH),
      ...validateMessage(resource.message, `${place}.message`),
      ...(ids.indexOf(id) < index ? [duplicate(`${place}.resourceID`, id)] : []),
    ]
  })
}

function validateMessage(message: JsonObject[string], field: string): FieldErrors {
  if (message === '') return [required(field, 'must be non-empty if specified')]
  return typeof message === 'string' && message.length > LONGEST_MESSAGE ? [tooLong(field, LONGEST_MESSAGE)] : []
}
