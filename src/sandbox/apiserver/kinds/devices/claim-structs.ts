import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { itemsAt, objectAt } from '../common/fields.ts'
import { asGoStruct } from '../common/go-struct.ts'

/** As the server prints its internal structs. */

const WANTED = ['DeviceClassName', 'Selectors', 'AllocationMode', 'Count', 'AdminAccess', 'Tolerations', 'Capacity']

export function claimSpecStruct(spec: JsonObject): JsonObject {
  const devices = objectAt(spec, 'devices')
  return {
    Devices: {
      Requests: listOf(devices, 'requests', (request) => ({
        Name: request.name ?? '',
        Exactly: isJsonObject(request.exactly) ? asGoStruct(request.exactly, WANTED, null) : null,
        FirstAvailable: listOf(request, 'firstAvailable', (choice) =>
          asGoStruct(choice, ['Name', ...WANTED.filter((name) => name !== 'AdminAccess')], null),
        ),
      })),
      Constraints: listOf(devices, 'constraints', (each) =>
        asGoStruct(each, ['Requests', 'MatchAttribute', 'DistinctAttribute'], null),
      ),
      Config: listOf(devices, 'config', (each) => asGoStruct(each, ['Requests', 'Opaque'], null)),
    },
  }
}

const RESULT = [
  'Request',
  'Driver',
  'Pool',
  'Device',
  'AdminAccess',
  'Tolerations',
  'BindingConditions',
  'BindingFailureConditions',
  'ShareID',
  'ConsumedCapacity',
]

export function allocationStruct(allocation: JsonObject): JsonObject {
  const devices = objectAt(allocation, 'devices')
  return {
    Devices: {
      Results: listOf(devices, 'results', (result) => asGoStruct(result, RESULT, null)),
      Config: devices.config ?? null,
    },
    NodeSelector: allocation.nodeSelector ?? null,
    AllocationTimestamp: allocation.allocationTimestamp ?? null,
  }
}

function listOf(object: JsonObject, field: string, shape: (item: JsonObject) => JsonObject): JsonValue {
  return object[field] === undefined ? null : itemsAt(object, field).map(shape)
}
