import type { Step } from './exchange.ts'
import { access } from './scripts/access.ts'
import { basics } from './scripts/basics.ts'
import { crdRefusals } from './scripts/crd-refusals.ts'
import { customResources } from './scripts/custom-resources.ts'
import { deletion } from './scripts/deletion.ts'
import { discovery } from './scripts/discovery.ts'
import { events } from './scripts/events.ts'
import { lists } from './scripts/lists.ts'
import { metadata } from './scripts/metadata.ts'
import { namespaces } from './scripts/namespaces.ts'
import { refusals } from './scripts/refusals.ts'
import { subresources } from './scripts/subresources.ts'
import { tables } from './scripts/tables.ts'
import { watches } from './scripts/watches.ts'

/** What is asked of the sandbox and of a real server, by topic. */
export const SCRIPTS: Readonly<Record<string, readonly Step[]>> = {
  access,
  discovery,
  events,
  metadata,
  namespaces,
  subresources,
  tables,
  basics,
  'crd-refusals': crdRefusals,
  'custom-resources': customResources,
  deletion,
  lists,
  refusals,
  watches,
}
