import type { Corpus } from '../corpus.ts'
import { type FuzzRequest, NAMESPACES } from '../fuzz-request.ts'
import { junkText } from '../junk.ts'
import { mutate } from '../mutate.ts'
import type { Random } from '../random.ts'
import { jsonText, small } from './objects.ts'
import { encode } from './queries.ts'

/** Requests of the contract with the real server, a little changed. */
export function stepRequest(random: Random, corpus: Corpus): FuzzRequest {
  const { method, path, headers = {}, body, text } = random.pick(corpus.steps)
  const namespace = random.pick(NAMESPACES)
  const fill = (template: string): string =>
    template
      .replaceAll('{ns}', namespace)
      .replace(/\{[^{}"]+\.(uid|rv|continue|token)\}/g, (_, what) => (what === 'rv' ? String(random.below(500)) : 'x'))
  const sent = body === undefined ? text : jsonText(random, small(random.chance(0.3) ? body : mutate(random, body)))
  const isChanged = random.chance(0.2)
  const target = isChanged ? fill(path).replace(/[^/?&=]+$/, () => encode(junkText(random))) : fill(path)
  return {
    topic: 'contract',
    method,
    path: target.replace(/timeoutSeconds=\d+/, 'timeoutSeconds=1'),
    headers: Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([key, value]) => [
      key,
      fill(value),
    ]),
    body: sent === undefined ? undefined : Buffer.from(fill(sent)),
  }
}
