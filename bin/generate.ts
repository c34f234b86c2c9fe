/**
 * Writes what is made from other files: `deploy/`, `schemas/`, `docs/reference/`, alerts and dashboard in `docs/monitoring/`, and the tables of functions
 * in the page on the role language, of its rules, and of settings in the page on configuration. `--check` only says whether they are current.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { ROLE_FUNCTIONS } from '../src/engine/role/functions/functions.ts'
import { editorSchemaFiles, editorSchemaTexts } from '../src/rolebook/cli/editor-schemas.ts'
import { printPublicSurface, publicDeclarations } from './public-declarations.ts'
import { deployFolder } from './reference/deploy-folder.ts'
import { withExamples } from './reference/error-examples.ts'
import { metricTable } from './reference/metric-table.ts'
import { alertTable, monitoringFiles } from './reference/monitoring/monitoring-files.ts'
import { referencePages } from './reference/reference-pages.ts'
import { RULES_PAGE, readRules, ruleTable } from './reference/rules.ts'
import { schemaCatalog } from './reference/schema-catalog.ts'
import { settingsTables } from './reference/settings-table.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const files: Readonly<Record<string, string>> = {
  ...(await deployFolder()),
  ...Object.fromEntries(Object.entries(editorSchemaFiles()).map(([name, text]) => [`schemas/${name}`, text])),
  'schemas/catalog.json': schemaCatalog(editorSchemaTexts()),
  ...referencePages(),
  'docs/errors.md': withExamples(read('docs/errors.md')),
  'docs/configuration.md': withPart(read('docs/configuration.md'), 'settings', settingsTables()),
  'docs/metrics.md': withPart(read('docs/metrics.md'), 'metrics', metricTable()),
  ...monitoringFiles(),
  'docs/monitoring/README.md': withPart(read('docs/monitoring/README.md'), 'alerts', alertTable()),
  'docs/role-language.md': withPart(read('docs/role-language.md'), 'functions', functionTable()),
  'test/package/public-api.txt': printPublicSurface(await publicDeclarations()),
  [RULES_PAGE]: withPart(read(RULES_PAGE), 'rules', ruleTable(readRules())),
}

/** A page with a part of it made anew, between the comments that name it. */
function withPart(page: string, name: string, part: string): string {
  const place = new RegExp(`(<!-- ${name}: .* -->\\n)[\\s\\S]*(<!-- end of ${name} -->)`)
  return page.replace(place, (_all, start: string, end: string) => `${start}${part}${end}`)
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

function functionTable(): string {
  const rows = [...ROLE_FUNCTIONS.values()].map(
    ({ name, signature, doc, example }) => `| \`$${name}\` | \`${signature}\` | ${doc} | \`${example}\` |\n`,
  )
  return `| Function | Signature | Gives | Example |\n| --- | --- | --- | --- |\n${rows.join('')}`
}

const stale = Object.entries(files).filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text)
/** Left over from what there is no more. */
const surplus = ['deploy', 'schemas', 'docs/reference'].flatMap(filesIn).filter((path) => files[path] === undefined)
if (process.argv.includes('--check')) {
  const wrong = [...stale.map(([path]) => path), ...surplus]
  for (const path of wrong) process.stderr.write(`${path} is not current: run 'npm run generate'\n`)
  process.exitCode = wrong.length === 0 ? 0 : 3
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const path of surplus) rmSync(join(root, path))
}
