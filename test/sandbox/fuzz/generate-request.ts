import type { Corpus } from './corpus.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import type { Random } from './random.ts'
import { crdRequest, customRequest } from './requests/custom-resources.ts'
import { objectRequest } from './requests/objects.ts'
import { patchRequest } from './requests/patches.ts'
import { listRequest } from './requests/queries.ts'
import { stepRequest } from './requests/steps.ts'
import { headerRequest, pathRequest, protobufRequest } from './requests/wire.ts'

/** The next request of a run. */
export function generateRequest(random: Random, corpus: Corpus): FuzzRequest {
  const request = random.weighted<FuzzRequest>([
    [24, () => objectRequest(random, corpus)],
    [20, () => patchRequest(random, corpus)],
    [12, () => stepRequest(random, corpus)],
    [10, () => listRequest(random, corpus)],
    [7, () => crdRequest(random, corpus)],
    [10, () => customRequest(random)],
    [7, () => pathRequest(random)],
    [5, () => headerRequest(random, corpus)],
    [5, () => protobufRequest(random, corpus)],
  ])
  return mayTouchOthers(request) ? { ...request, method: 'GET', body: undefined } : request
}

/** What would rightly change the control set: its own paths, and everything that is in no namespace at once. */
function mayTouchOthers({ method, path }: FuzzRequest): boolean {
  if (method === 'GET') return false
  if (/control/.test(decode(path))) return true
  const [way = ''] = path.split('?')
  const isWhole = /^(https?:\/\/[^/]*)?\/(api|apis\/[^/]+)\/[^/]+\/[^/]+\/?$/.test(decode(way).replaceAll(/\/+/g, '/'))
  return method === 'DELETE' && isWhole
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
