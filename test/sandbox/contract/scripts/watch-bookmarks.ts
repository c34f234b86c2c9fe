import type { Step } from '../exchange.ts'
import { createMap, get, MAPS } from '../map-steps.ts'

/** Long enough for the bookmark that comes two seconds before the end. */
const WATCH = `${MAPS}?watch=true&timeoutSeconds=4&fieldSelector=metadata.name%3Dmarked`

export const steps: readonly Step[] = [
  createMap('marked'),
  {
    ...get('a watch with bookmarks', `${WATCH}&allowWatchBookmarks=true&resourceVersion={create marked.rv}`),
    unpromised: 'bookmarks are looked for once a second, and none is owed',
  },
  get('a watch without', `${WATCH}&resourceVersion={create marked.rv}`),
]
