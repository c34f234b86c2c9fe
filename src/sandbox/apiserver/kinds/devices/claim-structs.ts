import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { itemsAt, objectAt } from '../common/fields.ts'
import { asGoStruct } from '../common/go-struct.ts'
import { goSelectorTerms } from '../common/node-selector-struct.ts'

/** As the server prints its internal structs. */

export function claimSpecStruct(spec: JsonObject): JsonObject {
  const devices = objectAt(spec, 'devices')
  return {
    Devices: {
      Requests: listOf(devices, 'requests', (request) => ({
        Name: request.name ?? '',
        Exactly: structAt(request, 'exactly', (exactly) => wantedStruct(exactly, true)),
        FirstAvailable: listOf(request, 'firstAvailable', (choice) => ({
          Name: choice.name ?? '',
          ...wantedStruct(choice, false),
        })),
      })),
      Constraints: listOf(devices, 'constraints', (each) =>
        asGoStruct(each, ['Requests', 'MatchAttribute', 'DistinctAttribute'], null),
      ),
      Config: listOf(devices, 'config', configStruct),
    },
  }
}

export function allocationStruct(allocation: JsonObject): JsonObject {
  const devices = objectAt(allocation, 'devices')
  return {
    Devices: {
      Results: listOf(devices, 'results', resultStruct),
      Config: listOf(devices, 'config', (each) => ({ Source: each.source ?? '', ...configStruct(each) })),
    },
    NodeSelector: structAt(allocation, 'nodeSelector', (selector) => ({
      NodeSelectorTerms: goSelectorTerms(selector),
    })),
    AllocationTimestamp: allocation.allocationTimestamp ?? null,
  }
}

/** What a request asks for. Only one that has no alternatives may ask for the access of an administrator. */
function wantedStruct(wanted: JsonObject, hasAdminAccess: boolean): JsonObject {
  return {
    DeviceClassName: wanted.deviceClassName ?? '',
    Selectors: listOf(wanted, 'selectors', (selector) => ({
      CEL: structAt(selector, 'cel', ({ expression = '' }) => ({ Expression: expression })),
    })),
    AllocationMode: wanted.allocationMode ?? '',
    Count: wanted.count ?? 0,
    ...(hasAdminAccess && { AdminAccess: wanted.adminAccess ?? null }),
    Tolerations: listOf(wanted, 'tolerations', tolerationStruct),
    Capacity: structAt(wanted, 'capacity', ({ requests = null }) => ({ Requests: requests })),
  }
}

function resultStruct(result: JsonObject): JsonObject {
  return {
    ...asGoStruct(result, ['Request', 'Driver', 'Pool', 'Device'], ''),
    AdminAccess: result.adminAccess ?? null,
    Tolerations: listOf(result, 'tolerations', tolerationStruct),
    ...asGoStruct(result, ['BindingConditions', 'BindingFailureConditions', 'ShareID', 'ConsumedCapacity'], null),
  }
}

function configStruct(config: JsonObject): JsonObject {
  return {
    Requests: config.requests ?? null,
    Opaque: structAt(config, 'opaque', ({ driver = '', parameters = null }) => ({
      Driver: driver,
      Parameters: parameters,
    })),
  }
}

function tolerationStruct(toleration: JsonObject): JsonObject {
  return {
    ...asGoStruct(toleration, ['Key', 'Operator', 'Value', 'Effect'], ''),
    TolerationSeconds: toleration.tolerationSeconds ?? null,
  }
}

function structAt(object: JsonObject, field: string, shape: (value: JsonObject) => JsonObject): JsonValue {
  const value = object[field]
  return isJsonObject(value) ? shape(value) : null
}

function listOf(object: JsonObject, field: string, shape: (item: JsonObject) => JsonObject): JsonValue {
  return object[field] === undefined ? null : itemsAt(object, field).map(shape)
}
