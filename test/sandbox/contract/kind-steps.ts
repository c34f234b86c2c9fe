import type { JsonObject } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'
import { ObjectSteps } from './object-steps.ts'

/** What two managers apply to one object of a kind. */
export interface KindCase {
  /** With its version. */
  readonly kind: string
  /** With the namespace, when there is one. */
  readonly path: string
  readonly first: JsonObject
  readonly second: JsonObject
  /** What the first applies at the end. */
  readonly last: JsonObject
}

/** For kinds that only the API server writes to. */
export function quietKindSteps(each: KindCase): readonly Step[] {
  const thing = subject(each)
  return [
    thing.apply('created', 'alice', each.first),
    thing.apply('applied again', 'alice', each.first),
    thing.apply('another', 'bob', each.second, { unordered: true }),
    thing.apply('another by force', 'bob!', each.second),
    thing.apply('the first changes its mind', 'alice', each.last, { unordered: true }),
    ...(each.path.includes('{ns}') ? [] : [thing.delete()]),
  ]
}

/** For kinds that controllers of the real server write to at once: only what comes back first, or is refused, can be compared. */
export function controlledKindSteps(each: KindCase): readonly Step[] {
  const thing = subject(each)
  return [
    thing.apply('tried', 'alice', each.first, { query: 'dryRun=All' }),
    thing.apply('created', 'alice', each.first),
    thing.apply('another', 'bob', each.second),
  ]
}

function subject({ kind, path }: KindCase): ObjectSteps {
  return new ObjectSteps(kind.replace(/.* /, ''), path, kind, path.includes('{ns}') ? '' : '-{ns}')
}
