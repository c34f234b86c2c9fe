import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts'

/** An answer without what differs from run to run: names of the run, uids, versions, times, tokens, addresses. */
export function mask(value: JsonValue, namespace: string): JsonValue {
  if (typeof value === 'string') return maskText(value, namespace)
  if (isJsonArray(value)) return value.map((item) => mask(item, namespace))
  return isJsonObject(value) ? maskObject(value, namespace) : value
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

function maskText(text: string, namespace: string): string {
  return text
    .replaceAll(namespace, '<ns>')
    .replace(UID, '<uid>')
    .replace(TIME, '<time>')
    .replace(/Invalid value: "\{.*\}": /gs, 'Invalid value: "<object>": ')
    .replace(/(resource version: )\d+/gi, '$1<rv>')
    .replace(/(current: |\()\d+\b/g, '$1<rv>')
    .replace(/127\.0\.0\.1:\d+/g, '<server>')
}

function maskObject(object: JsonObject, namespace: string): JsonObject {
  const masked: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    masked[maskText(key, namespace)] = maskField(key, value, object) ?? mask(value, namespace)
  }
  return masked
}

const FIXED: Readonly<Record<string, string>> = {
  resourceVersion: '<rv>',
  continue: '<continue>',
  storageVersionHash: '<hash>',
  hash: '<hash>',
  token: '<token>',
  'ca.crt': '<ca>',
}

function maskField(key: string, value: JsonValue, parent: JsonObject): string | undefined {
  if (key === 'name' && typeof parent.generateName === 'string' && typeof value === 'string') {
    return value.replace(/[a-z0-9]{5}$/, '<random>')
  }
  const fixed = Object.hasOwn(FIXED, key) ? FIXED[key] : undefined
  return fixed !== undefined && typeof value === 'string' && (value !== '' || key === 'ca.crt') && value !== '0'
    ? fixed
    : undefined
}
