import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Step } from './exchange.ts'

const FOLDER = join(import.meta.dirname, 'scripts')
/** A test file has to name its cases before it may wait for anything. */
const load: (path: string) => { steps: readonly Step[] } = createRequire(import.meta.url)

/**
 * What is asked of the sandbox and of a real server, by topic: the `steps` of every file in `scripts/`, or of the wanted
 * ones.
 */
export function loadScripts(wanted: readonly string[] = []): ReadonlyMap<string, readonly Step[]> {
  const all = readdirSync(FOLDER).map((file) => file.replace(/\.ts$/, ''))
  const topics = wanted.length === 0 ? all : all.filter((topic) => wanted.includes(topic))
  const scripts = topics.map((topic): [string, readonly Step[]] => [topic, load(join(FOLDER, `${topic}.ts`)).steps])
  for (const [topic, steps] of scripts) refuseDoubledNames(topic, steps)
  return new Map(scripts)
}

/** Answers are kept by the names of their steps. */
function refuseDoubledNames(topic: string, steps: readonly Step[]): void {
  const seen = new Set<string>()
  for (const { name } of steps) {
    if (seen.has(name)) throw new Error(`scripts/${topic}.ts: two steps are named '${name}': name one otherwise`)
    seen.add(name)
  }
}
