import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { ProjectTexts } from '../src/rolebook/playground/protocol.ts'

const root = join(import.meta.dirname, '..')

interface Shipped {
  readonly name: string
  readonly files: ProjectTexts
}

/** The projects that the page brings along: each example, and each role of this repository with its entries of `watches.yaml`. */
export function shippedProjects(): readonly Shipped[] {
  const entries: readonly { readonly role: string }[] = parse(readFileSync(join(root, 'watches.yaml'), 'utf8'))
  const roles = foldersIn('roles').map((name) => {
    const own = entries.filter(({ role }) => role === name)
    return { name: `role ${name}`, files: { 'watches.yaml': stringify(own), ...filesBelow('.', `roles/${name}`) } }
  })
  const examples = foldersIn('examples').map((name) => {
    const folder = `examples/${name}`
    return { name, files: { ...filesBelow(folder, 'roles'), ...filesBelow(folder, 'watches.yaml') } }
  })
  return [...examples, ...roles]
}

function foldersIn(path: string): readonly string[] {
  const entries = readdirSync(join(root, path), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

/** A file, or all files of a folder, by their path below `folder`. Hidden files belong to charts. */
function filesBelow(folder: string, path: string): ProjectTexts {
  const whole = join(root, folder, path)
  if (path.endsWith('.yaml')) return { [path]: readFileSync(whole, 'utf8') }
  const found = readdirSync(whole, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = found.map((entry) => join(entry.parentPath, entry.name).slice(join(root, folder).length + 1)).sort()
  return Object.fromEntries(paths.map((one) => [one, readFileSync(join(root, folder, one), 'utf8')]))
}
