import type { Step } from './exchange.ts'
import { basics } from './scripts/basics.ts'
import { customResources } from './scripts/custom-resources.ts'
import { deletion } from './scripts/deletion.ts'
import { lists } from './scripts/lists.ts'
import { refusals } from './scripts/refusals.ts'
import { watches } from './scripts/watches.ts'

/** What is asked of the sandbox and of a real server, by topic. */
export const SCRIPTS: Readonly<Record<string, readonly Step[]>> = {
  basics,
  'custom-resources': customResources,
  deletion,
  lists,
  refusals,
  watches,
}
