import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from './exchange.ts'

const FOLDER = join(import.meta.dirname, 'scripts')

/**
 * What is asked of the sandbox and of a real server, by topic: the `steps` of every file in `scripts/`, or of the wanted
 * ones.
 */
export async function loadScripts(wanted: readonly string[] = []): Promise<ReadonlyMap<string, readonly Step[]>> {
  const all = readdirSync(FOLDER).map((file) => file.replace(/\.ts$/, ''))
  const topics = wanted.length === 0 ? all : all.filter((topic) => wanted.includes(topic))
  const modules: { steps: readonly Step[] }[] = await Promise.all(
    topics.map((topic) => import(`./scripts/${topic}.ts`)),
  )
  const scripts = topics.map((topic, index): [string, readonly Step[]] => [topic, modules[index]?.steps ?? []])
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
