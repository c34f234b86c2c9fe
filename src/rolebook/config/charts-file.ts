import { isJsonObject, type JsonValue } from '../../core/base/json.ts'
import type { Problem } from '../../core/yaml/diagnostic.ts'

/** What a file of charts is called beside the roles: `web.charts.json` holds `charts/` of the role `web`. */
export const CHARTS_FILE = '.charts.json'

/** The files of charts as one text, for where there are no folders, as in a ConfigMap. */
export function printChartsFile(files: ReadonlyMap<string, Uint8Array>): string {
  const entries = [...files].map(([path, bytes]) => {
    const text = Buffer.from(bytes).toString('utf8')
    const isText = Buffer.from(text, 'utf8').equals(bytes)
    return [path, isText ? text : { base64: Buffer.from(bytes).toString('base64') }] as const
  })
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 1)}\n`
}

/** The files in such a text, or what is wrong with it: a file that is left out would take its objects from the cluster. */
export function parseChartsFile(text: string): ReadonlyMap<string, Uint8Array> | Problem {
  const value = parseJson(text)
  if (!isJsonObject(value)) return notACharts('it is not a JSON object')
  const files = new Map<string, Uint8Array>()
  for (const [path, content] of Object.entries(value)) {
    const bytes = bytesOf(content)
    if (!bytes) return notACharts(`\`${path}\` is neither a text nor {"base64": a text}`)
    files.set(path, bytes)
  }
  return files
}

function notACharts(reason: string): Problem {
  return { code: 'RB1302', message: `cannot be read: ${reason}`, hint: 'make it with `rolebook generate deploy`' }
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function bytesOf(content: JsonValue | undefined): Uint8Array | undefined {
  if (typeof content === 'string') return Buffer.from(content, 'utf8')
  if (isJsonObject(content) && typeof content.base64 === 'string') return Buffer.from(content.base64, 'base64')
  return undefined
}
