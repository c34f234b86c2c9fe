import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../core/base/json.ts'
import { UsageError } from './command.ts'
import { objectsInFiles } from './read-objects.ts'

/** The CustomResourceDefinitions in the YAML files of a folder and of those below it. @throws UsageError */
export function readCrds(folder: string): readonly JsonObject[] {
  const objects = objectsInFiles(filesIn(folder))
  return objects.filter(({ kind }) => kind === 'CustomResourceDefinition') as readonly object[] as readonly JsonObject[]
}

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const files = names.filter((name) => /\.(ya?ml|json)$/.test(name)).sort()
    return files.map((name) => join(folder, name))
  } catch (error) {
    throw new UsageError(`cannot read ${folder}: ${(error as NodeJS.ErrnoException).code}`)
  }
}
