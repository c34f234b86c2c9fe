/**
 * Puts the websites of all versions into one folder, as a web server serves it: each version in a folder of its own, a first page that leads to the
 * newest, and the schemas for editors at the addresses that are their `$id`.
 *
 *   node bin/website-versions.ts websites --output website
 *
 * `websites` holds an archive of each version, `1.2.3.tar.gz`: a release has it as `website.tar.gz`. It was built for the path `/1.2.3/`, or for one that
 * ends so (`ROLEBOOK_SITE_BASE`).
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const ENDING = '.tar.gz'
const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/

const { values, positionals } = parseArgs({ allowPositionals: true, options: { output: { type: 'string' } } })
const [folder] = positionals
const { output } = values
if (folder === undefined || output === undefined) fail('give the folder of the archives, and --output')
else {
  const versions = versionsIn(folder)
  const strange = versions.filter((version) => !VERSION.test(version))
  if (versions.length === 0) fail(`${folder} holds no archive (write <version>${ENDING} there)`)
  else if (strange.length > 0) fail(`${strange[0]}${ENDING} is named by no version (name it 1.2.3${ENDING})`)
  else write(output, folder, versions)
}

/** From the oldest to the newest. */
function versionsIn(path: string): readonly string[] {
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(ENDING)) : []
  return names
    .map((name) => name.slice(0, -ENDING.length))
    .sort((left, right) => left.localeCompare(right, 'en', { numeric: true }))
}

function write(target: string, archives: string, versions: readonly string[]): void {
  rmSync(target, { recursive: true, force: true })
  for (const version of versions) {
    mkdirSync(join(target, version), { recursive: true })
    execFileSync('tar', ['-xzf', join(archives, `${version}${ENDING}`), '-C', join(target, version)])
  }
  const newest = versions.findLast((version) => !version.includes('-')) ?? versions.at(-1) ?? ''
  writeFileSync(join(target, 'index.html'), firstPage(newest))
  cpSync(join(import.meta.dirname, '../schemas'), join(target, 'schemas/v1'), { recursive: true })
  process.stdout.write(`${target}: ${versions.join(', ')}; the first page leads to ${newest}\n`)
}

function firstPage(version: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>rolebook</title>
    <meta http-equiv="refresh" content="0; url=${version}/">
  </head>
  <body><a href="${version}/">rolebook ${version}</a></body>
</html>
`
}

function fail(reason: string): void {
  process.stderr.write(`cannot put the websites together: ${reason}\n`)
  process.exitCode = 2
}
