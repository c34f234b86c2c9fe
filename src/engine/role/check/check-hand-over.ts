import { isJsonArray, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { propertySchema, type Schema } from '../../../core/schema/schema.ts'
import { parseFieldPath } from '../field-path.ts'
import { unknownField } from './check-fit.ts'
import type { TypedTexts } from './typed-texts.ts'

/** The modifier `handOver`, which stands at `path`: whether the object of a schema has the fields. */
export function checkHandOver(
  value: JsonValue | undefined,
  path: JsonPath,
  { schema, texts }: { readonly schema: Schema | undefined; readonly texts: TypedTexts },
): void {
  for (const [index, text] of (isJsonArray(value) ? value : []).entries()) {
    // What is not a path is reported where it is compiled.
    if (typeof text !== 'string' || text.includes('${')) continue
    const problem = missingField(text, schema)
    if (problem) texts.report([...path, index], problem)
  }
}

function missingField(text: string, root: Schema | undefined): ReturnType<typeof unknownField> {
  const parsed = parseFieldPath(text)
  if ('problem' in parsed) return undefined
  const place: (string | number)[] = []
  let schema = root
  for (const step of parsed.path) {
    if (schema === undefined) return undefined
    if (typeof step === 'string') {
      const problem = unknownField(step, schema, { path: place, root })
      if (problem) return problem
      place.push(step)
      schema = propertySchema(schema, step)
    } else {
      place.push(0)
      schema = schema.items
    }
  }
  return undefined
}
