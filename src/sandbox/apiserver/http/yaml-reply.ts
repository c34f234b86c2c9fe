import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { prefersYaml } from './accept.ts'
import type { ApiRequest } from './api-request.ts'
import type { Reply } from './reply.ts'

/** The same answer in YAML, where the client would rather have that; streams have no such form. */
export function inYaml(reply: Reply, { headers, path, printYaml }: YamlRequest): Reply {
  const isJson = 'body' in reply && reply.contentType === 'application/json'
  // Of the version, there is no YAML but of a refusal to give it.
  const mayBeYaml = isJson && (reply.status >= 400 ? /^\/(apis?|version)(\/|$)/ : /^\/apis?(\/|$)/).test(path)
  if (!mayBeYaml || !printYaml || !prefersYaml(headers.accept, reply.status >= 400)) return reply
  return { ...reply, contentType: 'application/yaml', body: printYaml(sorted(JSON.parse(String(reply.body)))) }
}

export type YamlRequest = Pick<ApiRequest, 'headers' | 'path' | 'printYaml'>

/** As the real server does: by keys. */
function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] as JsonValue)]))
}
