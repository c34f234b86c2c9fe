import type { JsonValue } from '../../core/base/json.ts'
import { printYaml } from '../../core/yaml/print-yaml.ts'

/** One value for programs, in the form that `--output` names: `yaml`, else JSON. */
export function printData(value: object, output: string): string {
  return output === 'yaml' ? printYaml([value as JsonValue]) : `${JSON.stringify(value, null, 2)}\n`
}
