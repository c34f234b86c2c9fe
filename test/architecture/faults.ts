import { AREAS, MAY_IMPORT, MOST_IMPORTS, OWNED_BY } from './layers.ts'
import { areaOf, folderOf, importsOf, relativeImportsOf, type SourceText } from './source-tree.ts'

const LONGEST_FILE = 500

/** Imports of folders that the table does not allow, as `from -> to`. */
export function layerFaults(sources: readonly SourceText[]): string[] {
  return sources.flatMap((source) => {
    const folder = folderOf(source.path)
    const allowed = [folder, ...(MAY_IMPORT[`${areaOf(source.path)}/${folder}`] ?? [])]
    return relativeImportsOf(source)
      .filter((target) => !allowed.includes('*') && !allowed.includes(folderOf(target)))
      .map((target) => `${source.path} -> ${target}: ${folder} may import only ${allowed.join(', ')}`)
  })
}

/** Imports of areas that the table does not allow, as `from -> to`. */
export function areaFaults(sources: readonly SourceText[]): string[] {
  return sources.flatMap((source) => {
    const area = areaOf(source.path)
    const allowed = [area, ...(AREAS[area] ?? [])]
    return relativeImportsOf(source)
      .filter((target) => !allowed.includes(areaOf(target)))
      .map((target) => `${source.path} -> ${target}: ${area} may import only ${allowed.join(', ')}`)
  })
}

/** Libraries imported outside their home. */
export function homeFaults(sources: readonly SourceText[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter((name) => !name.startsWith('.'))
      .filter((name) => !isAtHome(source.path, name))
      .map((name) => `${source.path} imports ${name}: its home is ${homesOf(name)?.join(', ') || 'nowhere'}`),
  )
}

const FREE = new Set(['node:path', 'node:util', 'node:events', 'node:url', 'node:buffer', 'node:net', 'node:tls'])

function isAtHome(path: string, name: string): boolean {
  const homes = homesOf(name)
  if (homes === undefined) return FREE.has(name)
  return homes.some((home) => path === home || path.startsWith(`${home}/`))
}

function homesOf(name: string): readonly string[] | undefined {
  const library = Object.keys(OWNED_BY).find((known) => name === known || name.startsWith(`${known}/`))
  return OWNED_BY[name] ?? (library === undefined ? undefined : OWNED_BY[library])
}

/** Circles of imports, type-only imports included, as the trail of each. */
export function cycleFaults(sources: readonly SourceText[]): string[] {
  const graph = new Map(sources.map((source) => [source.path, relativeImportsOf(source)]))
  const done = new Set<string>()
  const faults: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start !== -1) faults.push([...trail.slice(start), path].join(' -> '))
    if (start !== -1 || done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return faults
}

/** Places outside of the vocabulary that ask which kind of task they have: a kind says itself what is special about it. */
export function kindNameFaults(sources: readonly SourceText[]): string[] {
  return sources
    .filter(({ path }) => folderOf(path) !== 'tasks')
    .flatMap(({ path, text }) =>
      [...text.matchAll(KIND_NAME_TEST)].map(([match]) => `${path} asks for a kind of task by name: ${match}`),
    )
}

const KIND_NAME_TEST =
  /\b[kK]ind\.name\s*[!=]==?\s*['"`]|\[[\w.]*\b[kK]ind\.name\]\s*(?:\?\?|\()|\bswitch \([\w.]*kind\.name\)/g

/** Files that are too long to hold one idea. */
export function lengthFaults(sources: readonly SourceText[]): string[] {
  return sources
    .map(({ path, text }) => ({
      path,
      lines: text.trimEnd().split('\n').length,
    }))
    .filter(({ lines }) => lines > LONGEST_FILE)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${LONGEST_FILE}: cut it by subject`)
}

/** Files that know too many others: a reader of one would have to know all of them. */
export function importFaults(sources: readonly SourceText[]): string[] {
  return sources.flatMap((source) => {
    const count = new Set(importsOf(source)).size
    const most = MOST_IMPORTS[areaOf(source.path)] ?? 0
    const remedy = 'put what belongs together behind one file'
    return count > most ? [`${source.path} imports ${count} others, more than ${most}: ${remedy}`] : []
  })
}

/** How many files the middle of the engine has beyond what one can read in an hour. */
export function pipelineFaults(sources: readonly SourceText[]): string[] {
  const files = sources.filter(({ path }) => /^engine\/(reconcile|operator)\//.test(path))
  const message = `reconcile/ and operator/ have ${files.length} files, more than ${MOST_PIPELINE_FILES}`
  return files.length > MOST_PIPELINE_FILES ? [message] : []
}

const MOST_PIPELINE_FILES = 45

/** Folders that stand in only some of: the disk, the table, the page of their area (`pages`, by area). */
export function mapFaults(sources: readonly SourceText[], pages: Readonly<Record<string, string>>): string[] {
  const onDisk = new Set(sources.map(({ path }) => `${areaOf(path)}/${folderOf(path)}`))
  const onPages = new Set(
    Object.entries(pages).flatMap(([area, page]) =>
      [...page.matchAll(/^\| `([a-z-]+)\/`/gm)].map((match) => `${area}/${match[1]}`),
    ),
  )
  const inTable = new Set(Object.keys(MAY_IMPORT))
  const places = { disk: onDisk, 'the README of its area': onPages, 'test/architecture/layers.ts': inTable }
  return [...new Set([...onDisk, ...onPages, ...inTable])].flatMap((folder) =>
    Object.entries(places)
      .filter(([, folders]) => !folders.has(folder))
      .map(([place]) => `${folder}/ is missing from ${place}`),
  )
}

/** Files that the page of an area names and that do not exist. A name without a folder is in the folder of the one before it. */
export function pathFaults(sources: readonly SourceText[], pages: Readonly<Record<string, string>>): string[] {
  const paths = new Set(sources.map(({ path }) => path))
  return Object.entries(pages).flatMap(([area, page]) => {
    let folder = ''
    return [...page.matchAll(/`([\w./-]+)(?:\/|\.tsx?)`/g)].flatMap(([match, name = '']) => {
      const isFolder = match.endsWith('/`')
      const written = match.slice(1, -1)
      const path = written.includes('/') ? placeOf(area, written) : `${folder}/${written}`
      if (written.includes('/')) folder = isFolder ? path.replace(/\/$/, '') : path.slice(0, path.lastIndexOf('/'))
      if (isFolder || name === 'X' || name.endsWith('/X')) return []
      return paths.has(path) ? [] : [`the README of ${area} names ${written}, which does not exist`]
    })
  })
}

/** The path below `src` of a path that the page of an area names: below the area, or below `src`. */
function placeOf(area: string, written: string): string {
  const path = written.replace(/^\.\.\//, '')
  return path !== written || areaOf(path) in AREAS ? path : `${area}/${path}`
}
