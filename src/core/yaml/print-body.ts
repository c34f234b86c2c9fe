import type { JsonValue } from '../base/json.ts'
import { printYaml } from './print-yaml.ts'

/** One value as an answer in YAML, as people ask for it with curl. */
export function printBody(value: JsonValue): string {
  return printYaml([value])
}
