import { readFileSync } from 'node:fs'

/** Requests of a script that are too many to be written out in it. */
export function readRequests<T>(name: string): readonly T[] {
  const file = new URL(`requests/${name}.generated.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}
