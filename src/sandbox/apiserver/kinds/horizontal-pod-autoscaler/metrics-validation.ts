import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { checkLabel, checkPathSegment } from '../../write/names.ts'
import { type FieldErrors, forbidden, invalid, invalidFor, notSupported, required } from '../common/field-errors.ts'
import { objectAt, textAt } from '../common/fields.ts'
import { nanosOf } from '../common/quantity.ts'
import { validateContainerResource } from '../common/resource-names.ts'

type Check = (source: JsonObject, field: string) => FieldErrors

/** By the name of its field, what the source of a metric must say, in the order of the server. */
const SOURCES: Readonly<Record<string, Check>> = {
  object: (source, field) => [
    ...validateTargetReference(objectAt(source, 'describedObject'), `${field}.describedObject`, true),
    ...validateIdentifier(source, field),
    ...validateTarget(source, field),
    ...requiredValue(source, field, 'must set either a target value or averageValue'),
  ],
  external: (source, field) => [
    ...validateIdentifier(source, field),
    ...validateTarget(source, field),
    ...requiredValue(source, field, 'must set either a target value for metric or a per-pod target'),
    ...onlyOne(source, field, {
      names: ['value', 'averageValue'],
      text: 'may not set both a target value for metric and a per-pod target',
    }),
  ],
  pods: (source, field) => [
    ...validateIdentifier(source, field),
    ...validateTarget(source, field),
    ...(objectAt(source, 'target').averageValue === undefined
      ? [required(`${field}.target.averageValue`, 'must specify a positive target averageValue')]
      : []),
  ],
  resource: (source, field) => [
    ...(textAt(source, 'name') === '' ? [required(`${field}.name`, 'must specify a resource name')] : []),
    ...validateTarget(source, field),
    ...validateUtilization(source, field),
  ],
  containerResource: (source, field) => {
    const [name, container] = [textAt(source, 'name'), textAt(source, 'container')]
    return [
      ...(name === ''
        ? [required(`${field}.name`, 'must specify a resource name')]
        : validateContainerResource(name, `${field}.name`)),
      ...(container === ''
        ? [required(`${field}.container`, 'must specify a container')]
        : invalidFor(`${field}.container`, container, checkLabel(container))),
      ...validateTarget(source, field),
      ...validateUtilization(source, field),
    ]
  },
}

const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']

/** One metric: a source of the type that it names, and no other. */
export function validateMetric(metric: JsonObject, field: string): FieldErrors {
  const type = textAt(metric, 'type')
  const given = Object.keys(SOURCES).filter((name) => metric[name] !== undefined)
  const [first = ''] = given
  const isKnown = TYPES.includes(type)
  const expected = isKnown ? `${type.slice(0, 1).toLowerCase()}${type.slice(1)}` : ''
  const unknown = isKnown ? [] : [notSupported(`${field}.type`, type, TYPES)]
  const others = given.length === 1 ? [] : given.filter((name) => name !== expected)
  return [
    ...(type === '' ? [required(`${field}.type`, 'must specify a metric source type')] : []),
    ...unknown,
    ...(SOURCES[first]?.(objectAt(metric, first), `${field}.${first}`) ?? []),
    ...(isKnown && !given.includes(expected)
      ? [required(`${field}.${expected}`, 'must populate information for the given metric source')]
      : []),
    // The server looks at the type twice.
    ...unknown,
    ...others.map((name) => forbidden(`${field}.${name}`, 'must populate the given metric source only')),
  ]
}

/** What is scaled, or measured. @param takesCore whether it may be of the core group */
export function validateTargetReference(target: JsonObject, field: string, takesCore = false): FieldErrors {
  const apiVersion = textAt(target, 'apiVersion')
  const parts = apiVersion.split('/')
  const place = `${field}.apiVersion`
  return [
    ...['kind', 'name'].flatMap((name) => {
      const value = textAt(target, name)
      return value === ''
        ? [required(`${field}.${name}`)]
        : invalidFor(`${field}.${name}`, value, checkPathSegment(value))
    }),
    ...(parts.length > 2 ? [invalid(place, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)] : []),
    ...(parts.length <= 2 && !takesCore && (parts.length === 1 || parts[0] === '')
      ? [invalid(place, apiVersion, 'apiVersion must specify API group')]
      : []),
  ]
}

function validateIdentifier(source: JsonObject, field: string): FieldErrors {
  const name = textAt(objectAt(source, 'metric'), 'name')
  const place = `${field}.metric.name`
  return name === '' ? [required(place, 'must specify a metric name')] : invalidFor(place, name, checkPathSegment(name))
}

function validateTarget(source: JsonObject, field: string): FieldErrors {
  const { type = '', value, averageValue, averageUtilization } = objectAt(source, 'target')
  const place = `${field}.target`
  const isKnown = type === 'Utilization' || type === 'Value' || type === 'AverageValue'
  const isLow = typeof averageUtilization === 'number' && averageUtilization < 1
  return [
    ...(type === '' ? [required(`${place}.type`, 'must specify a metric target type')] : []),
    ...(isKnown ? [] : [invalid(`${place}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...validatePositive(value, `${place}.value`),
    ...validatePositive(averageValue, `${place}.averageValue`),
    ...(isLow ? [invalid(`${place}.averageUtilization`, averageUtilization, 'must be greater than 0')] : []),
  ]
}

function validatePositive(amount: JsonValue | undefined, field: string): FieldErrors {
  return amount === undefined || nanosOf(amount) > 0n ? [] : [invalid(field, amount, 'must be positive')]
}

function requiredValue(source: JsonObject, field: string, text: string): FieldErrors {
  const { value, averageValue } = objectAt(source, 'target')
  return value === undefined && averageValue === undefined ? [required(`${field}.target.averageValue`, text)] : []
}

function validateUtilization(source: JsonObject, field: string): FieldErrors {
  const { averageUtilization, averageValue } = objectAt(source, 'target')
  const none = 'must set either a target raw value or a target utilization'
  return [
    ...(averageUtilization === undefined && averageValue === undefined
      ? [required(`${field}.target.averageUtilization`, none)]
      : []),
    ...onlyOne(source, field, {
      names: ['averageValue', 'averageUtilization'],
      text: 'may not set both a target raw value and a target utilization',
    }),
  ]
}

/** The first of two fields of the target is refused when the second is there as well. */
function onlyOne(
  source: JsonObject,
  field: string,
  { names: [first, second], text }: { readonly names: readonly [string, string]; readonly text: string },
): FieldErrors {
  const target = objectAt(source, 'target')
  return target[first] !== undefined && target[second] !== undefined
    ? [forbidden(`${field}.target.${first}`, text)]
    : []
}
