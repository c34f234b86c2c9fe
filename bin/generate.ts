/**
 * Writes what is made from other files: parts of `deploy/`, `schemas/`, `docs/reference/`, and the tables of functions
 * and of rules in the page on the role language, and of settings in the page on configuration. `--check` only says whether they are current.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { Document, Scalar } from 'yaml'
import { editorSchemaFiles } from '../src/cli/editor-schemas.ts'
import { ROLE_FUNCTIONS } from '../src/role/functions.ts'
import { withExamples } from './reference/error-examples.ts'
import { referencePages } from './reference/reference-pages.ts'
import { readRules, ruleTable } from './reference/rules.ts'
import { settingsTables } from './reference/settings-table.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const roles = readdirSync(join(root, 'roles')).filter((name) => existsSync(join(root, 'roles', name, 'role.yaml')))

const crds = roles
  .filter((name) => existsSync(join(root, 'roles', name, 'crd.yaml')))
  .map((name) => read(`roles/${name}/crd.yaml`))
const roleTexts = roles.flatMap((name) => [
  [`${name}.yaml`, withoutSchemaLine(read(`roles/${name}/role.yaml`))] as const,
  ...filesOf(name).map((path) => {
    const text = read(`roles/${name}/${path}`)
    const shown = path.startsWith('files/') ? text : withoutSchemaLine(text)
    return [`${name}.${path.replaceAll('/', '.')}`, shown] as const
  }),
])

const files: Readonly<Record<string, string>> = {
  'deploy/crds.yaml': crds.join('---\n'),
  'deploy/config.yaml': [
    configMap('rolebook-watches', [['watches.yaml', withoutSchemaLine(read('watches.yaml'))]]),
    configMap('rolebook-roles', roleTexts),
  ].join('---\n'),
  ...Object.fromEntries(Object.entries(editorSchemaFiles()).map(([name, text]) => [`schemas/${name}`, text])),
  ...referencePages(),
  'docs/errors.md': withExamples(read('docs/errors.md')),
  'docs/configuration.md': withPart(read('docs/configuration.md'), 'settings', settingsTables()),
  'docs/role-language.md': withPart(
    withPart(read('docs/role-language.md'), 'functions', functionTable()),
    'rules',
    ruleTable(readRules()),
  ),
}

/** A page with a part of it made anew, between the comments that name it. */
function withPart(page: string, name: string, part: string): string {
  const place = new RegExp(`(<!-- ${name}: .* -->\\n)[\\s\\S]*(<!-- end of ${name} -->)`)
  return page.replace(place, (_all, start: string, end: string) => `${start}${part}${end}`)
}

/** Files of tasks and texts, which have no folders in a ConfigMap. */
function filesOf(role: string): readonly string[] {
  const home = join(root, 'roles', role)
  const paths = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const isOther = (path: string): boolean => /^(role\.yaml|crd\.yaml|samples\/|tests\/)/.test(path)
  return paths.filter((path) => path.startsWith('files/') || (path.endsWith('.yaml') && !isOther(path))).sort()
}

function functionTable(): string {
  const rows = [...ROLE_FUNCTIONS.values()].map(
    ({ name, signature, doc, example }) => `| \`$${name}\` | \`${signature}\` | ${doc} | \`${example}\` |\n`,
  )
  return `| Function | Signature | Gives | Example |\n| --- | --- | --- | --- |\n${rows.join('')}`
}

/** It says where the schema lies in the checkout. */
function withoutSchemaLine(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}

function configMap(name: string, texts: readonly (readonly [string, string])[]): string {
  const data = Object.fromEntries(texts)
  const document = new Document({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'rolebook-system' },
    data,
  })
  for (const [key] of texts) {
    const node = document.getIn(['data', key], true) as Scalar
    node.type = Scalar.BLOCK_LITERAL
  }
  return document.toString({ lineWidth: 0 })
}

const stale = Object.entries(files).filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text)
/** Left over from what there is no more. */
const surplus = ['schemas', 'docs/reference']
  .flatMap((folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : [],
  )
  .filter((path) => files[path] === undefined)
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
