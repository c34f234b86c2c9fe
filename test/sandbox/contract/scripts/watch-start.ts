import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, patch, remove, watch } from '../map-steps.ts'

const SELECTED = 'labelSelector=w'
const VERSIONS: Readonly<Record<string, string>> = {
  'no version': '',
  'an empty version': 'resourceVersion=',
  'version 0': 'resourceVersion=0',
  'an old version': 'resourceVersion={create a.rv}',
  'the latest version': 'resourceVersion={patch a.rv}',
}
const MATCHES = ['', 'NotOlderThan', 'Exact', 'Newest']
const INITIAL = ['', 'true', 'false']

/** Every way to say where a watch begins, some refused. */
const beginnings = Object.entries(VERSIONS).flatMap(([version, query]) =>
  MATCHES.flatMap((match) =>
    INITIAL.flatMap((initial): Step[] => {
      if (version === 'an empty version' && match === 'Newest') return []
      const name = `${version}, match '${match}', initial events '${initial}'`
      const parts = [
        SELECTED,
        query,
        match && `resourceVersionMatch=${match}`,
        initial && `sendInitialEvents=${initial}`,
        initial && 'allowWatchBookmarks=true',
      ]
      return [watch(name, MAPS, parts.filter(Boolean).join('&'))]
    }),
  ),
)

export const steps: readonly Step[] = [
  createMap('a', { labels: { w: '1' } }),
  createMap('b', { labels: { w: '1' } }),
  createMap('other'),
  createMap('gone', { labels: { w: '1' } }),
  remove('delete gone', `${MAPS}/gone`),
  patch('patch a', `${MAPS}/a`, { data: { n: '1' } }),
  ...beginnings,
  watch(
    'initial events without bookmarks',
    MAPS,
    `${SELECTED}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  ),
  watch(
    'initial events of nothing',
    MAPS,
    'labelSelector=nothing&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  ),
  watch(
    'initial events of one object',
    `${MAPS}/a`,
    'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  ),
  watch('no events before a change', MAPS, 'labelSelector=later'),
  watch('no events before a change, from 0', MAPS, 'labelSelector=later&resourceVersion=0'),
  createMap('c', { labels: { w: '1', later: '1' } }),
  patch('patch b', `${MAPS}/b`, { data: { n: '1' } }),
  remove('delete c', `${MAPS}/c`),
  get('the end', `${MAPS}?${SELECTED}`),
]
