import { isJsonArray, isJsonObject, type JsonValue } from '../../src/core/base/json.ts'

/** Where two values differ, one line a place: Mocha's own difference of many large objects cannot be read. */
export function differences(sandbox: JsonValue | undefined, real: JsonValue | undefined, path = ''): string[] {
  if (isJsonObject(sandbox) && isJsonObject(real)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(sandbox)])
    return [...keys].flatMap((key) => differences(sandbox[key], real[key], `${path}.${key}`))
  }
  if (isJsonArray(sandbox) && isJsonArray(real)) {
    const longest = sandbox.length > real.length ? sandbox : real
    return longest.flatMap((_, index) => differences(sandbox[index], real[index], `${path}[${index}]`))
  }
  return sandbox === real ? [] : [`${path}: sandbox ${print(sandbox)}, real ${print(real)}`]
}

function print(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null).slice(0, 300)
}
