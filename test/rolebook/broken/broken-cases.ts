import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCases } from './case-file.ts'

/** Something broken that goes into a copy of the folder `project`, and what is printed of it. */
export interface BrokenCase {
  /** The folder of the case beside this file, which says what is broken: a role, a CRD, … */
  readonly place: string
  /** The file that holds the expectation. */
  readonly file: string
  readonly name: string
  /** The text of the broken file, or the folder that is laid over the project. */
  readonly given: { readonly text: string } | { readonly folder: string }
  /** Not there in a case that is new. */
  readonly expected: string | undefined
}

/** The places and their cases, in the order of their files. */
export function brokenCases(root = import.meta.dirname): readonly BrokenCase[] {
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    (one) => one.isDirectory() && one.name !== 'project',
  )
  return folders.flatMap(({ name: place }) => casesOfPlace(place, join(root, place)))
}

/** A file `<subject>.md` holds several cases; a folder is one case, with its expectation in a `.txt` beside it. */
function casesOfPlace(place: string, path: string): readonly BrokenCase[] {
  const entries = readdirSync(path, { withFileTypes: true })
  return entries.flatMap((entry) => {
    const file = join(path, entry.name)
    if (entry.isDirectory()) return [folderCase(place, file)]
    if (file.endsWith('.md')) return casesOfFile(place, file)
    if (file.endsWith('.txt') && existsSync(file.slice(0, -'.txt'.length))) return []
    throw new Error(`cannot read ${file}: cases are in files that end in .md, or are folders`)
  })
}

function folderCase(place: string, folder: string): BrokenCase {
  const file = `${folder}.txt`
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  return { place, file, name: folder.split('/').at(-1) ?? '', given: { folder }, expected }
}

function casesOfFile(place: string, file: string): readonly BrokenCase[] {
  try {
    const cases = parseCases(readFileSync(file, 'utf8'))
    return cases.map(({ name, input, expected }) => ({ place, file, name, given: { text: input }, expected }))
  } catch (error) {
    throw new Error(`cannot read ${file}`, { cause: error })
  }
}
