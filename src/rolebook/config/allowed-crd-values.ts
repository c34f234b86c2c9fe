import { isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import type { FieldError } from '../../core/schema/field-error.ts'
import type { CustomResourceDefinition } from '../../sandbox/apiserver/crd/custom-resource-definition.ts'
import { validateCrd } from '../../sandbox/apiserver/crd/validate-crd.ts'

/** A value that no field of a CRD allows. */
const PROBE = 'rolebookProbe'

/**
 * The values that a server allows at a path of a CRD, such as `array` or `string` for the `type` of a schema. The published schema of
 * CRDs lists none of them, but a server does when it refuses a value. None where it does not.
 */
export function allowedCrdValues(path: JsonPath): readonly string[] {
  return refusalsOf(path).flatMap(({ value, detail }) => (value === PROBE ? listedIn(detail) : []))
}

function refusalsOf(path: JsonPath): readonly FieldError[] {
  const object = withValueAt(path)
  const spec = isJsonObject(object) && isJsonObject(object.spec) ? object.spec : {}
  const status = { acceptedNames: {}, storedVersions: [], conditions: [] }
  const crd = { metadata: { name: '' }, spec: { names: {}, versions: [], ...spec }, status }
  try {
    return validateCrd(crd as unknown as CustomResourceDefinition, undefined)
  } catch {
    // The rest of the CRD is not there: what needs it says nothing.
    return []
  }
}

/** A value with nothing but the probe at a path. */
function withValueAt(path: JsonPath): JsonValue {
  return path
    .toReversed()
    .reduce<JsonValue>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), PROBE)
}

/** `supported values: "Cluster", "Namespaced"`, `must be one of byte,date` */
function listedIn(detail: string): readonly string[] {
  const [, list] = /^(?:supported values: |must be one of )(.+)$/.exec(detail) ?? []
  return list === undefined ? [] : list.split(',').map((one) => one.trim().replaceAll('"', ''))
}
