import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import type { CompileContext } from '../role/task-kind.ts'

/** Reports what `generate` cannot mean beside a manifest. */
export function reportGenerated(body: JsonObject, { modifiers: { generate }, report }: CompileContext): void {
  if (generate.length === 0) return
  if (body.kind !== 'Secret' || body.apiVersion !== 'v1') {
    report(['kind'], 'RB1430', `\`generate\` makes keys of a Secret, and this is not a Secret`, 'Remove `generate`.')
    return
  }
  for (const field of ['data', 'stringData']) {
    const given = body[field]
    if (!isJsonObject(given)) continue
    for (const { key } of generate) {
      if (!Object.hasOwn(given, key)) continue
      report(
        [field, key],
        'RB1431',
        `\`${key}\` is generated, and given here, too`,
        'Remove it here or from `generate`.',
      )
    }
  }
}
