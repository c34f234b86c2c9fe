import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
  printPath,
} from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { diagnosticOf } from '../../../core/yaml/diagnostic.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import { camelCase, findParameters, type Parameter, partName } from '../../scaffold/manifests/find-parameters.ts'
import { type NameRules, nameRules } from '../../scaffold/manifests/name-rules.ts'
import { roleFromManifests, sampleOf } from '../../scaffold/manifests/role-from-manifests.ts'
import type { SourceFolder } from '../ansible-files.ts'
import type { KnownKinds } from '../known-kinds.ts'
import type { Migration } from '../migration.ts'
import { Report } from '../report.ts'
import { Undecided } from '../undecided.ts'
import { build } from './build.ts'
import type { BuiltObject } from './built-object.ts'
import { inFolder, type Kustomization, KustomizeFiles } from './kustomize-files.ts'

export interface KustomizeOptions {
  readonly gvk: Gvk
  readonly known: KnownKinds
}

/**
 * Migrates a folder of Kustomize to a project of ours. The base becomes a role. What overlays change becomes fields of the spec,
 * and each overlay becomes a sample with its values of these fields.
 */
export function migrateKustomize(folder: SourceFolder, { gvk, known }: KustomizeOptions): Migration<string> {
  const report = new Report()
  const files = new KustomizeFiles(folder, report)
  const base = files.kustomization('.') ?? files.kustomization('base')
  const options = { files, known }
  const objects = base ? build(base, options) : []
  if (objects.length === 0 && report.diagnostics.length === 0) {
    const message = 'there is no kustomization.yaml with resources'
    report.diagnostics.push(
      diagnosticOf('kustomization.yaml', {
        code: 'RB1702',
        message,
        hint: 'name the folder of a base, or the one above it',
      }),
    )
  }
  if (!base || report.diagnostics.length > 0)
    return { files: new Map(), findings: report.findings, diagnostics: report.diagnostics }
  const decided = report.findings.length
  const overlays = overlaysOf(files, base.folder).map((found) => {
    const before = report.findings.length
    const built = build(found, options)
    // What is wrong in the base was said of the base.
    report.findings.splice(before, Math.min(decided, report.findings.length - before))
    return { found, built }
  })
  const written = writeRole(objects, overlays, { gvk, known, files, root: base })
  return { files: written, findings: report.findings, diagnostics: report.diagnostics }
}

interface Overlay {
  readonly found: Kustomization
  readonly built: readonly BuiltObject[]
}

/** Folders beside and below the base that refer to it. */
function overlaysOf(files: KustomizeFiles, base: string): readonly Kustomization[] {
  const top = ['.', 'overlays', ...files.list('overlays').map((name) => `overlays/${name}`), ...files.list('.')]
  const found = [...new Set(top)].flatMap((folder) => (folder === base ? [] : (files.kustomization(folder) ?? [])))
  return found.filter(({ folder, value }) => {
    const used = [value.resources, value.bases].flatMap((list) => (isJsonArray(list) ? list : []))
    return used.some((path) => typeof path === 'string' && inFolder(folder, path) === base)
  })
}

interface WriteOptions extends KustomizeOptions {
  readonly files: KustomizeFiles
  /** Of the base. */
  readonly root: Kustomization
}

function writeRole(
  objects: readonly BuiltObject[],
  overlays: readonly Overlay[],
  options: WriteOptions,
): ReadonlyMap<string, string> {
  const { gvk, known, files, root } = options
  const made = withoutNamespaces(objects, options)
  const plain = made.map(({ object }) => object as unknown as KubeObject)
  const base = nameRules(plain)
  const compared = overlays.map((overlay) => ({ ...overlay, ...matched(overlay, made, files) }))
  const changed = compared.flatMap(({ objects: all, rules }) => changesOf({ plain, base }, { all, rules }))
  const parameters = allParameters(findParameters(plain, base.base), changed, { plain, base })
  const isNamespaced = (kind: Gvk): boolean => known.isNamespaced(kind) ?? true
  const role = gvk.kind.toLowerCase()
  const comment = 'Made from a base of Kustomize by `rolebook migrate kustomize`.'
  const { files: texts, entry, notes } = roleFromManifests({ gvk, objects: plain, comment, parameters, isNamespaced })
  const whole = root.document.locate([])
  for (const note of notes) files.report.add('note', whole, role, note)
  for (const { origin } of made) files.report.add('same', whole, origin, 'ensure')
  const samples = compared.map(({ found, objects: all, rules }) => {
    const name = found.folder.slice(found.folder.lastIndexOf('/') + 1)
    reportRest({ plain, base, parameters }, { all, rules, found }, files)
    const values = parameters.map(({ field, value, places }) => ({ field, value: valueAt(all, places) ?? value }))
    const sample = sampleOf(gvk, { name: rules.base, namespace: rules.namespace, parameters: values })
    return [`roles/${role}/samples/${name}.yaml`, printYaml([sample])] as const
  })
  return new Map([
    ['watches.yaml', printYaml([[{ ...gvk, role, ...entry }]])],
    ...Object.entries(texts).map(([path, text]) => [`roles/${role}/${path}`, text] as const),
    ...samples,
  ])
}

/** A resource is in its namespace before its role runs, so the role cannot make it. */
function withoutNamespaces(objects: readonly BuiltObject[], { files, root }: WriteOptions): readonly BuiltObject[] {
  return objects.filter(({ object, origin }) => {
    const isOwn =
      object.kind === 'Namespace' &&
      objects.some(({ object: other }) => other.metadata.namespace === object.metadata.name)
    if (!isOwn) return true
    const reason = 'left out: the resource is in its namespace before the role runs'
    files.report.add('note', root.document.locate([]), origin, reason)
    return false
  })
}

/** The objects of an overlay in the order of those of the base; one that is not there is `undefined`. */
function matched(
  { found, built }: Overlay,
  base: readonly BuiltObject[],
  files: KustomizeFiles,
): { objects: readonly (KubeObject | undefined)[]; rules: NameRules } {
  const objects = base.map(
    ({ origin }) => built.find((one) => one.origin === origin)?.object as unknown as KubeObject | undefined,
  )
  const known = new Set(base.map(({ origin }) => origin))
  for (const { origin, object } of built) {
    if (known.has(origin) || object.kind === 'Namespace') continue
    files.decide(
      found,
      [],
      new Undecided('RB1704', `${origin} is in this overlay alone`, {
        hint: 'add a task with a `when`, and a field that asks for it',
      }),
    )
  }
  for (const [index, object] of objects.entries()) {
    if (object) continue
    files.decide(
      found,
      [],
      new Undecided('RB1704', `${base[index]?.origin} is not in this overlay`, {
        hint: 'give its task a `when`, and a field that asks for it',
      }),
    )
  }
  return { objects, rules: nameRules(objects.filter((one) => one !== undefined)) }
}

interface Side {
  readonly plain: readonly KubeObject[]
  readonly base: NameRules
}

interface Other {
  readonly all: readonly (KubeObject | undefined)[]
  readonly rules: NameRules
}

interface Change {
  readonly object: number
  readonly path: JsonPath
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** Where an overlay says something else than the base, but for names that follow from that of the resource. */
function changesOf({ plain, base }: Side, { all, rules }: Other): readonly Change[] {
  return plain.flatMap((object, index) => {
    const other = all[index]
    if (!other) return []
    return differences(object as unknown as JsonValue, other as unknown as JsonValue, []).flatMap(
      ({ path, before, after }) => {
        const isName =
          typeof before === 'string' &&
          typeof after === 'string' &&
          base.replace(before, path) !== undefined &&
          base.replace(before, path) === rules.replace(after, path)
        const isNamespace = path.join('.') === 'metadata.namespace'
        return isName || isNamespace ? [] : [{ object: index, path, before, after }]
      },
    )
  })
}

function differences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: JsonPath,
): readonly Omit<Change, 'object'>[] {
  if (jsonEquals(before, after)) return []
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return keys.flatMap((key) => differences(before[key], after[key], [...path, key]))
  }
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => differences(item, after[index], [...path, index]))
  }
  return [{ path, before, after }]
}

/** Those that are found in the base, and a field for each value that an overlay changes. */
function allParameters(
  found: readonly Parameter[],
  changed: readonly Change[],
  { plain, base }: Side,
): readonly Parameter[] {
  const parameters = [...found]
  for (const { object, path, before, after } of changed) {
    if (isCovered(parameters, object, path) || before === undefined || after === undefined) continue
    if (typeof before !== typeof after || isJsonObject(before) !== isJsonObject(after)) continue
    if (isJsonArray(before) || isJsonObject(before)) continue
    const type = typeof before === 'number' ? 'integer' : typeof before === 'boolean' ? 'boolean' : 'string'
    const name = camelCase(String([...path].reverse().find((step) => typeof step === 'string') ?? 'value'))
    const owner = partName(plain[object] as KubeObject, base.base)
    parameters.push({
      field: freeField(parameters, owner, name),
      value: before,
      schema: { description: `${printPath(path)} of ${plain[object]?.kind}.`, type },
      places: [{ object, path }],
    })
  }
  return parameters
}

/** The name itself, or below its owner, with a number where both are taken. */
function freeField(parameters: readonly Parameter[], owner: string, name: string): readonly string[] {
  const taken = new Set(parameters.map(({ field }) => field.join('.')))
  const maps = new Set(parameters.map(({ field }) => field[0]))
  const isFree = ([first = '', second]: readonly string[]): boolean =>
    second === undefined ? !maps.has(first) : !taken.has(first) && !taken.has(`${first}.${second}`)
  // One name more than there are fields: one of them is free.
  const names = [name, ...parameters.map((_one, index) => `${name}${index + 2}`)]
  return names.flatMap((one) => [[one], [owner, one]]).find(isFree) as readonly string[]
}

function isCovered(parameters: readonly Parameter[], object: number, path: JsonPath): boolean {
  return parameters.some(({ places }) =>
    places.some((place) => place.object === object && place.path.every((step, index) => step === path[index])),
  )
}

function valueAt(all: readonly (KubeObject | undefined)[], [place]: Parameter['places']): JsonValue | undefined {
  return place && getPath(all[place.object] as unknown as JsonValue | undefined, place.path)
}

/** What no field can say is for a person to decide. */
function reportRest(
  { plain, base, parameters }: Side & { readonly parameters: readonly Parameter[] },
  other: Other & { readonly found: Kustomization },
  files: KustomizeFiles,
): void {
  for (const { object, path } of changesOf({ plain, base }, other)) {
    if (isCovered(parameters, object, path)) continue
    const { kind, metadata } = plain[object] as KubeObject
    const message = `${kind} ${metadata.name}: ${printPath(path)} is not as in the base`
    files.decide(
      other.found,
      [],
      new Undecided('RB1704', message, { hint: 'add a field to the spec, or a task of its own' }),
    )
  }
}
