import { isJsonObject, type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import { checkSubdomain } from '../../write/names.ts'
import { asStruct, type FieldErrors, immutable, invalid, invalidFor, required } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { goSelectorTerms } from '../common/node-selector-struct.ts'
import { validateNodeSelector } from '../pod-spec/scheduling-validation.ts'
import { validateCounterSet, validateDevice } from './device-validation.ts'
import { validateNamed } from './lists.ts'
import { validateDriver, validatePoolName } from './names-validation.ts'

const MOST_DEVICES = 128
/** With taints, counters or lists. */
const MOST_COMPLEX_DEVICES = 64
const MOST_COUNTER_SETS = 8

export function validateSlice(spec: JsonObject, old: JsonObject | undefined): FieldErrors {
  const perDevice = spec.perDeviceNodeSelection === true
  const devices = itemsAt(spec, 'devices')
  const most = devices.some(isComplex) ? MOST_COMPLEX_DEVICES : MOST_DEVICES
  const both = 'only one of `sharedCounters` or `devices` is allowed'
  const check = (device: JsonObject, field: string): FieldErrors =>
    validateDevice(device, field, { perDevice, old: sameDevice(old, device) })
  return [
    ...validateDriver(textAt(spec, 'driver'), 'spec.driver'),
    ...validatePool(objectAt(spec, 'pool')),
    ...(old ? validateChange(spec, old) : []),
    ...validateNodes(spec),
    ...(spec.sharedCounters !== undefined && spec.devices !== undefined ? [invalid('spec', '', both)] : []),
    ...validateNamed(spec, 'devices', { most, field: 'spec', key: 'name', check }),
    ...validateNamed(spec, 'sharedCounters', {
      most: MOST_COUNTER_SETS,
      field: 'spec',
      key: 'name',
      check: validateCounterSet,
    }),
  ]
}

function isComplex(device: JsonObject): boolean {
  return itemsAt(device, 'taints').length + itemsAt(device, 'consumesCounters').length > 0
}

function sameDevice(spec: JsonObject | undefined, { name }: JsonObject): JsonObject | undefined {
  return itemsAt(spec, 'devices').find((device) => jsonEquals(device.name, name))
}

function validatePool(pool: JsonObject): FieldErrors {
  const [count, generation] = [numberAt(pool, 'resourceSliceCount'), numberAt(pool, 'generation')]
  const place = 'spec.pool'
  return [
    ...validatePoolName(textAt(pool, 'name'), `${place}.name`),
    ...(count <= 0 ? [invalid(`${place}.resourceSliceCount`, count, 'must be greater than zero')] : []),
    ...(generation < 0 ? [invalid(`${place}.generation`, generation, 'must be greater than or equal to zero')] : []),
  ]
}

function validateChange(spec: JsonObject, old: JsonObject): FieldErrors {
  return [
    ...immutable('spec.pool.name', objectAt(spec, 'pool').name, objectAt(old, 'pool').name),
    ...immutable('spec.driver', spec.driver, old.driver),
    ...immutable('spec.nodeName', spec.nodeName, old.nodeName),
  ]
}

const ONE_OF = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'

function validateNodes(spec: JsonObject): FieldErrors {
  const { nodeName, nodeSelector } = spec
  const set = [
    typeof nodeName === 'string' && nodeName !== '' && 'nodeName',
    isJsonObject(nodeSelector) && 'nodeSelector',
    spec.allNodes === true && 'allNodes',
    spec.perDeviceNodeSelection === true && 'perDeviceNodeSelection',
  ].filter(Boolean)
  return [
    ...(typeof nodeName === 'string'
      ? validateNode(nodeName, 'must be either unset or set to a non-empty string')
      : []),
    ...(isJsonObject(nodeSelector) ? validateOneTerm(nodeSelector) : []),
    ...['allNodes', 'perDeviceNodeSelection'].flatMap((name) =>
      spec[name] === false ? [invalid(`spec.${name}`, false, 'must be either unset or set to true')] : [],
    ),
    ...(set.length === 0 ? [required('spec', ONE_OF)] : []),
    ...(set.length > 1
      ? [invalid('spec', `{${set.map((name) => `\`${name}\``).join(', ')}}`, `${ONE_OF}, but multiple fields are set`)]
      : []),
  ]
}

function validateNode(name: string, empty: string): FieldErrors {
  const field = 'spec.nodeName'
  return name === '' ? [invalid(field, '', empty)] : invalidFor(field, name, checkSubdomain(name))
}

function validateOneTerm(selector: JsonObject): FieldErrors {
  const terms = itemsAt(selector, 'nodeSelectorTerms')
  const field = 'spec.nodeSelector'
  const text = 'must have exactly one node selector term'
  return [
    ...validateNodeSelector(selector, field),
    ...(terms.length === 1 ? [] : [asStruct(invalid(`${field}.nodeSelectorTerms`, goSelectorTerms(selector), text))]),
  ]
}
