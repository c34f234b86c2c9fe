import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runGo } from './run-go.ts'

/** What is compiled into the module: a Go module, or Go itself. */
interface Part {
  readonly name: string
  readonly version: string
  /** Texts of its licence and of its notices. */
  readonly texts: readonly string[]
  readonly note?: string
}

/** A licence in the words that many share, and who holds the copyright of what is under it. */
interface Terms {
  /** Empty: the Apache License. Its text is removed from every licence file that contains all of it. */
  readonly body: string
  readonly holders: Set<string>
}

const LICENCES: readonly (readonly [string, RegExp])[] = [
  ['Apache-2.0', /Apache License,? *\n?\s*Version 2\.0/i],
  ['BSD-3-Clause', /Redistribution and use.*(?:Neither the name|may be used to endorse)/s],
  ['BSD-2-Clause', /Redistribution and use/],
  ['MIT', /Permission is hereby granted, free of charge/],
]
const APACHE = /^ *Apache License\n *Version 2\.0, January 2004.*?(?:END OF TERMS AND CONDITIONS\n*|$(?!\n))/ms
const APPENDIX = /^ *APPENDIX: How to apply.*?(^ *Copyright [^\n]*$).*?limitations under the License\.\n*/ms
const TITLE = /^(?:The )?MIT License(?: \(MIT\))?\n+/i
/** Files that say it of whole packages; where each file says it of itself, those count that are compiled. */
const FILES = /^(?:LICEN[CS]E|COPYING|NOTICE)(?:\.(?:txt|libyaml|BSD|MIT))?$/

/** The licences of all that is compiled into the module: names, versions and each text once. */
export function helmEngineNotice(source: string): string {
  const parts = [goItself(source), ...modulesOf(source)]
  const terms = new Map<string, Terms>()
  const rows = parts.map((part) => `${part.name} ${part.version}: ${namesOf(part)}${part.note ? `, ${part.note}` : ''}`)
  for (const part of parts) for (const text of part.texts) collect(terms, part.name, text)
  const apache = readFileSync(join(source, '../../../LICENSE'), 'utf8').trim()
  const sections = [...terms.values()]
    .toSorted((a, b) => Number(a.body === '') - Number(b.body === ''))
    .map(({ body, holders }) => `${[...holders].join('\n')}\n\n${body || apache}`)
  return `${[HEADING, rows.join('\n'), ...sections].join(`\n\n${RULER}\n\n`)}\n`
}

/** What a notice lists, with versions: Go itself comes first. */
export function noticedParts(notice: string): readonly Pick<Part, 'name' | 'version'>[] {
  const [, rows = ''] = notice.split(RULER)
  return [...rows.matchAll(/^(\S+) (\S+): /gm)].map(([, name = '', version = '']) => ({ name, version }))
}

const HEADING = `helm-engine.generated.bin is Helm's renderer, compiled to WebAssembly of what is listed here.
The licences follow, each once. This file is made by 'npm run build:helm-engine'.`
const RULER = '-'.repeat(80)

function goItself(source: string): Part {
  const [root = '', version = ''] = runGo(source, ['env', 'GOROOT', 'GOVERSION']).split('\n')
  return { name: 'Go', version: version.replace('go', ''), texts: [readFileSync(join(root, 'LICENSE'), 'utf8')] }
}

function modulesOf(source: string): readonly Part[] {
  const format =
    '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{if .Replace}}parts{{else}}all{{end}} {{.Dir}} {{$.Dir}}{{end}}{{end}}'
  const modules = new Map<string, { readonly version: string; readonly isOurs: boolean; readonly files: Set<string> }>()
  for (const line of runGo(source, ['list', '-deps', '-f', format, '.']).split('\n').filter(Boolean)) {
    const [name = '', version = '', what, root = '', folder = ''] = line.split(' ')
    const files = modules.get(name)?.files ?? new Set()
    modules.set(name, { version, isOurs: what === 'parts', files })
    for (const file of licencesAbove(folder, root)) files.add(file)
  }
  return [...modules]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { version, isOurs, files }]) => {
      if (isOurs) return { name, version, texts: [APACHE_TITLE], note: 'in parts, some of them as they are there' }
      return { name, version, texts: [...files].sort().map((file) => readFileSync(file, 'utf8')) }
    })
}

/** What stands in for a licence that follows in full. */
const APACHE_TITLE = 'Apache License\nVersion 2.0, January 2004'

function licencesAbove(folder: string, root: string): readonly string[] {
  const found = readdirSync(folder).flatMap((name) => (FILES.test(name) ? [join(folder, name)] : []))
  return folder === root ? found : [...found, ...licencesAbove(dirname(folder), root)]
}

/** @throws Error when there is no licence, or an unknown one: then a person must decide whether the part may be shipped */
function namesOf({ name, texts }: Part): string {
  const licences = new Set<string>()
  for (const text of texts) {
    const found = LICENCES.filter(([, pattern]) => pattern.test(text)).map(([licence]) => licence)
    for (const licence of found) licences.add(licence)
  }
  if (licences.has('BSD-3-Clause')) licences.delete('BSD-2-Clause')
  const isOther = texts.some((text) => /Mozilla Public License|GNU |Eclipse Public License/.test(text))
  if (licences.size === 0 || isOther)
    throw new Error(`the licence of ${name} is not known: see bin/helm-engine-notice.ts`)
  return [...licences].sort().join(', ')
}

function collect(terms: Map<string, Terms>, name: string, text: string): void {
  const rest = text.replaceAll('\r', '').replace(APPENDIX, '$1\n').replace(APACHE, '').replace(TITLE, '').trim()
  const isHolder = (line: string): boolean => /^ *(?:Copyright\b|All rights reserved)/i.test(line)
  const [first = '', ...more] = rest.split(/\n\s*\n/)
  const hasHolders = first.split('\n').every(isHolder)
  const lines = hasHolders ? first.split('\n').map((line) => line.trim()) : []
  const holders = lines.filter((line) => !/yyyy/.test(line))
  const body = (hasHolders ? more.join('\n\n') : rest).trim()
  const key = body.toLowerCase().replace(/[^a-z]+/g, ' ')
  const known = terms.get(key) ?? { body, holders: new Set() }
  known.holders.add(`${name}${holders.length > 0 ? `: ${holders.join('; ')}` : ''}`)
  terms.set(key, known)
}
