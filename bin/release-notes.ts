/** Prints what the changelog says of a version: `node bin/release-notes.ts v1.2.3`. Ends with 1 when that is not the version of the package. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { notesOf } from './reference/changelog.ts'

const root = join(import.meta.dirname, '..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const wanted = (process.argv[2] ?? '').replace(/^v/, '')
const { version } = JSON.parse(read('package.json')) as { readonly version: string }
const notes = notesOf(wanted, read('CHANGELOG.md'))
if (wanted !== version) fail(`package.json has version ${version}: set it to ${wanted}, or take another tag`)
else if (notes === undefined) fail(`CHANGELOG.md has no section "${wanted} - <date>": rename Unreleased`)
else process.stdout.write(`${notes}\n`)

function fail(reason: string): void {
  process.stderr.write(`cannot release ${wanted}: ${reason}\n`)
  process.exitCode = 1
}
