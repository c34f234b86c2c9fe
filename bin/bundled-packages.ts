import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** A package whose code is in the bundle. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** Its SPDX expression. */
  readonly license: string
  /** Of its licence and notices. */
  readonly texts: readonly string[]
}

/** Those that ask for no more than that their text comes with the program. */
const LICENSES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
])
const FILES = /^(?:(?:un)?licen[cs]e|copying|notice|copyrightnotice)/i
const ITS_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/
const RULER = '-'.repeat(80)

/**
 * Sorted by name.
 * @throws Error when one has no licence, or a licence that was not considered yet: then it must not be shipped
 */
export function bundledPackages({ outputs }: Pick<Metafile, 'outputs'>): readonly BundledPackage[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
  const folders = new Set(files.flatMap((file) => ITS_FOLDER.exec(file) ?? []))
  return [...folders].map(packageIn).toSorted((a, b) => idOf(a).localeCompare(idOf(b), 'en'))
}

export function idOf({ name, version }: Pick<BundledPackage, 'name' | 'version'>): string {
  return `${name}@${version}`
}

/** A page with every package, and each text once. `heading` names the files that hold the code. Defaults to those of the program. */
export function thirdPartyLicenses(packages: readonly BundledPackage[], heading = HEADING): string {
  const rows = packages.map((one) => `${idOf(one)}: ${one.license}`)
  const holders = new Map<string, string[]>()
  for (const one of packages) for (const text of one.texts) holders.set(text, [...(holders.get(text) ?? []), idOf(one)])
  const sections = [...holders].map(([text, ids]) => `${ids.join('\n')}\n\n${text}`)
  return `${[heading, rows.join('\n'), ...sections].join(`\n\n${RULER}\n\n`)}\n`
}

const HEADING = `The files that end in .mjs, and those in dashboard, hold code of the packages that are listed here. Their licences follow.
helm-engine.generated.txt does the same for helm-engine.generated.bin.
builtin-schemas.generated.bin is made of the OpenAPI documents of Kubernetes, which are under the licence of rolebook, Apache-2.0.`

function packageIn(folder: string): BundledPackage {
  const path = join(import.meta.dirname, '..', folder)
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const texts = readdirSync(path)
    .filter((file) => FILES.test(file))
    .map((file) => readFileSync(join(path, file), 'utf8').replaceAll('\r', '').trim())
  if (!LICENSES.has(license))
    throw new Error(`cannot bundle ${name}: its licence is ${license} (see ${import.meta.filename})`)
  if (texts.length === 0) throw new Error(`cannot bundle ${name}: it comes without the text of its licence`)
  return { name, version, license, texts }
}
