/**
 * Writes the files of `deploy/` that are made from `roles/` and `watches.yaml`, and the table of functions in the page on the
 * role language; `--check` only says whether they are current.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Document, Scalar } from 'yaml'
import { ROLE_FUNCTIONS } from '../src/role/functions.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const roles = readdirSync(join(root, 'roles')).filter((name) => existsSync(join(root, 'roles', name, 'role.yaml')))

const crds = roles
  .filter((name) => existsSync(join(root, 'roles', name, 'crd.yaml')))
  .map((name) => read(`roles/${name}/crd.yaml`))
const roleTexts = roles.map((name) => [`${name}.yaml`, read(`roles/${name}/role.yaml`)] as const)

const files: Readonly<Record<string, string>> = {
  'deploy/crds.yaml': crds.join('---\n'),
  'deploy/config.yaml': [
    configMap('rolebook-watches', [['watches.yaml', read('watches.yaml')]]),
    configMap('rolebook-roles', roleTexts),
  ].join('---\n'),
  'docs/role-language.md': read('docs/role-language.md').replace(
    /(<!-- functions: .* -->\n)[\s\S]*(<!-- end of functions -->)/,
    (_all, start: string, end: string) => `${start}${functionTable()}${end}`,
  ),
}

function functionTable(): string {
  const rows = [...ROLE_FUNCTIONS.values()].map(
    ({ name, signature, doc, example }) => `| \`$${name}\` | \`${signature}\` | ${doc} | \`${example}\` |\n`,
  )
  return `| Function | Signature | Gives | Example |\n| --- | --- | --- | --- |\n${rows.join('')}`
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
if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is not current: run 'npm run generate'\n`)
  process.exitCode = stale.length === 0 ? 0 : 3
} else {
  for (const [path, text] of stale) writeFileSync(join(root, path), text)
}
