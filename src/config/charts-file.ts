import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'

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

/** The files in such a text. What is none of them is left out: whoever looks for a chart says that it is not there. */
export function parseChartsFile(text: string): ReadonlyMap<string, Uint8Array> {
  const entries = Object.entries(parseObject(text)).flatMap(([path, content]) => {
    const bytes = bytesOf(content)
    return bytes ? [[path, bytes] as const] : []
  })
  return new Map(entries)
}

function parseObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function bytesOf(content: JsonValue | undefined): Uint8Array | undefined {
  if (typeof content === 'string') return Buffer.from(content, 'utf8')
  if (isJsonObject(content) && typeof content.base64 === 'string') return Buffer.from(content.base64, 'base64')
  return undefined
}
