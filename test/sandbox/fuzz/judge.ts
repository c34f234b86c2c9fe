import type { FuzzRequest } from './fuzz-request.ts'
import type { WireAnswer } from './wire-client.ts'

/** Answers of 500 and more that the real server gives to the same requests; sandbox.md and the contract say which. */
const AS_THE_REAL_SERVER = [
  /resourceVersion should not be set on objects to be created/,
  /failed to create typed patch object/,
  /failed to create typed live object/,
  /failed to create manager for existing fields/,
  /strconv\.ParseUint/,
  /Too large resource version/,
  /is not available: this API server runs in memory/,
  /failed to convert new object/,
  /unknown patch type: .* in map: map\[/s,
  /unable to find api field in struct/,
  /merging an object in json but data type is not struct/,
  /merging lists cannot yet be specified in the patch/,
  /does not contain declared merge key/,
  /doesn't match \$setElementOrder list/,
  /expected a (\[\]|map\[string\])interface \{\}, but received/,
  /list element types are not identical/,
  /no elements in any of the given slices/,
  /target\.name|spec replicas field|failed to (decode|read)/,
  /no kind .* is registered/,
  /failed to allocate requested HealthCheck NodePort \d+/,
  /duplicate nodePort: \{(TCP|UDP|SCTP) \d+\}/,
  // An earlier request has set up a webhook that cannot be reached.
  /failed calling webhook/,
]

/** What is wrong with an answer; `undefined`: nothing. */
export function faultOf({ method, path }: FuzzRequest, { status, contentType, body }: WireAnswer): string | undefined {
  if (status === 0) return 'the connection was closed without an answer'
  if (status >= 500)
    return isMeant(path, body) || (method === 'HEAD' && status !== 500) ? undefined : `${status}: ${body}`
  if (status < 400 || method === 'HEAD') return undefined
  if (!contentType.includes('json'))
    return isPlainRefusal(status, body) || (status === 404 && path.includes('openapi'))
      ? undefined
      : `${status} ${contentType}: ${body}`
  return isStatus(status, body) ? undefined : `not a Status: ${status} ${body}`
}

export function isMeant(path: string, body: string): boolean {
  return AS_THE_REAL_SERVER.some((text) => text.test(body)) || isUnreachable(path, body)
}

/** An earlier request has registered an APIService of `contract/scripts/api-services.ts`, whose server cannot be reached. */
function isUnreachable(path: string, body: string): boolean {
  return /^\/apis\/far-[^/]*\.example\.com\//.test(path) && body === 'service unavailable\n'
}

/** Paths where nothing is, and what is no HTTP: Go answers these without a Status, too. */
function isPlainRefusal(status: number, body: string): boolean {
  if (status === 404) return body === '404 page not found\n'
  return [400, 405, 417, 431].includes(status) && (body === '' || body === '0\r\n\r\n' || /^\d+ /.test(body))
}

function isStatus(status: number, body: string): boolean {
  try {
    const found = JSON.parse(body)
    return found.kind === 'Status' && found.status === 'Failure' && found.code === status && found.message !== ''
  } catch {
    return false
  }
}
