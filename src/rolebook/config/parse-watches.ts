import { deepFreeze, isJsonArray, isJsonObject, type JsonObject, type JsonPath } from '../../core/base/json.ts'
import { parseDuration } from '../../core/kube/duration.ts'
import { formatGroupKind, parseGroupKind } from '../../core/kube/group-version-kind.ts'
import { type LabelSelector, printLabelSelector } from '../../core/kube/label-selector.ts'
import { locateProblems, SchemaChecker, type SchemaProblem } from '../../core/yaml/check-schema.ts'
import { type Diagnostic, diagnosticAt, type Problem, type SourceRange } from '../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import type { Watch } from '../../engine/operator/project.ts'
import { variableNameProblem } from '../../engine/role/compile/variable-names.ts'
import { RECONCILE_PERIOD } from '../../engine/role/reconcile-period-bounds.ts'
import { areDisjoint } from './disjoint-selectors.ts'
import { type Environment, expandVariables } from './expand-variables.ts'
import { REFUSED_KEYS, WATCH_DEFAULTS, WATCHES_SCHEMA } from './watches-schema.ts'

/** What entries take when they do not say. */
export interface WatchDefaults {
  readonly environment: Environment
  /** Absent: all. */
  readonly namespaces?: readonly string[] | undefined
  /** Milliseconds. Defaults to 10 hours. */
  readonly reconcilePeriod?: number | undefined
  /** Defaults to 16. */
  readonly maxConcurrentReconciles?: number | undefined
}

export interface ParsedWatches {
  /** Whether the file is YAML at all. */
  readonly isReadable: boolean
  /** As far as they can be read; all of them when nothing is wrong. */
  readonly entries: readonly WatchEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface WatchEntry {
  /** Frozen. */
  readonly watch: Watch
  /** Where it stands in the file, or a part of it. */
  locate(path: JsonPath): SourceRange
}

const checker = new SchemaChecker(WATCHES_SCHEMA)

/** `watches.yaml` to entries, and everything that is wrong with it. */
export function parseWatches(source: SourceFile, defaults: WatchDefaults): ParsedWatches {
  const { documents, diagnostics } = parseYaml(source, { single: true })
  const [document] = documents
  if (!document) return { isReadable: false, entries: [], diagnostics }
  const problems = checker.check(document.value)
  const readers = (isJsonArray(document.value) ? document.value : []).flatMap((entry, index) => {
    if (!isJsonObject(entry)) return []
    return [new EntryReader(soundPart(entry, index, problems), [index], document)]
  })
  const entries = readers.map((reader) => reader.read(defaults))
  const found = readers.flatMap((reader) => reader.found)
  const rivals = problems.length > 0 ? [] : overlaps(entries)
  return {
    isReadable: true,
    entries,
    diagnostics: [...diagnostics, ...locateProblems(document, problems), ...found, ...rivals],
  }
}

/** The keys of an entry with whose shape nothing is wrong. */
function soundPart(entry: JsonObject, index: number, problems: readonly SchemaProblem[]): JsonObject {
  const broken = new Set(problems.map(({ path }) => (path[0] === index ? path[1] : undefined)))
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !broken.has(key)))
}

/** What is sound of one entry. */
class EntryReader {
  readonly found: Diagnostic[] = []
  readonly #entry: JsonObject
  readonly #path: JsonPath
  readonly #document: ParsedYaml

  constructor(entry: JsonObject, path: JsonPath, document: ParsedYaml) {
    this.#entry = entry
    this.#path = path
    this.#document = document
  }

  read(defaults: WatchDefaults): WatchEntry {
    return { watch: deepFreeze(this.#watch(defaults)), locate: (path) => this.#locate(path) }
  }

  #watch(defaults: WatchDefaults): Watch {
    this.#refuseKeys()
    const { group = '', version = '', kind = '', role = '', namespaces, maxConcurrentReconciles } = this.#entry
    const { manageStatus, watchDependentResources, acknowledge } = this.#entry
    return {
      gvk: { group: String(group), version: String(version), kind: String(kind) },
      role: String(role),
      vars: this.#vars(defaults.environment),
      reconcilePeriod: this.#period(defaults.reconcilePeriod ?? WATCH_DEFAULTS.reconcilePeriod),
      maxConcurrentReconciles: Number(maxConcurrentReconciles ?? concurrencyOf(defaults)),
      namespaces: isJsonArray(namespaces) ? namespaces.map(String) : defaults.namespaces,
      selector: this.#selector(),
      allowedNamespaces: allowedNamespaces(this.#entry),
      manageStatus: Boolean(manageStatus ?? WATCH_DEFAULTS.manageStatus),
      deletion: deletionOf(this.#entry),
      watchDependentResources: Boolean(watchDependentResources ?? WATCH_DEFAULTS.watchDependentResources),
      acknowledge: isJsonArray(acknowledge) ? acknowledge.map((kind) => parseGroupKind(String(kind))) : [],
    }
  }

  #refuseKeys(): void {
    for (const key of Object.keys(this.#entry).filter((one) => Object.hasOwn(REFUSED_KEYS, one))) {
      const problem = { code: 'RB1306', message: `\`${key}\` has no meaning here`, hint: REFUSED_KEYS[key] }
      this.#report([key], problem, 'key')
    }
  }

  #vars(environment: Environment): JsonObject {
    const vars = (this.#entry.vars ?? WATCH_DEFAULTS.vars) as JsonObject
    const { value, unset } = expandVariables(vars, environment)
    for (const name of Object.keys(value)) {
      const problem = variableNameProblem(name)
      if (problem) this.#report(['vars', name], problem, 'key')
    }
    for (const { name, path, offset } of unset) {
      const problem = {
        code: 'RB1308',
        message: `the environment variable ${name} is not set`,
        hint: '`$$(` is a literal `$(`',
      }
      const range = this.#document.locate([...this.#path, 'vars', ...path], 'value', offset, name.length + 3)
      this.found.push(diagnosticAt(range, problem))
    }
    return value
  }

  #period(byDefault: number): number {
    const { reconcilePeriod } = this.#entry
    if (typeof reconcilePeriod !== 'string') return byDefault
    const { min, max } = RECONCILE_PERIOD
    const period = parseDuration(reconcilePeriod)
    if (period === 0 || (period !== undefined && period >= min && period <= max)) return period
    const message =
      period === undefined ? 'must be a duration such as 30s, 10m or 1h30m' : 'must be 0s, or from 10s to 500h'
    this.#report(['reconcilePeriod'], { code: 'RB1307', message })
    return byDefault
  }

  #selector(): LabelSelector | undefined {
    const selector = this.#entry.selector as LabelSelector | undefined
    if (selector === undefined) return undefined
    try {
      printLabelSelector(selector)
      const empty = (selector.matchExpressions ?? []).findIndex(hasUselessValues)
      if (empty !== -1) this.#report(['selector', 'matchExpressions', empty], USELESS_VALUES)
    } catch (error) {
      this.#report(['selector'], { code: 'RB1309', message: (error as Error).message })
    }
    return selector
  }

  #report(path: JsonPath, problem: Problem, at?: 'key' | 'value'): void {
    this.found.push(diagnosticAt(this.#locate(path, at), problem))
  }

  #locate(path: JsonPath, at?: 'key' | 'value'): SourceRange {
    return this.#document.locate([...this.#path, ...path], at)
  }
}

function concurrencyOf(defaults: WatchDefaults): number {
  return defaults.maxConcurrentReconciles ?? WATCH_DEFAULTS.maxConcurrentReconciles
}

const USELESS_VALUES: Problem = { code: 'RB1309', message: '`Exists` and `DoesNotExist` take no values' }

function hasUselessValues({ operator, values }: { operator: string; values?: readonly string[] | undefined }): boolean {
  return (operator === 'Exists' || operator === 'DoesNotExist') && values !== undefined
}

/** A list is for reading and writing; of a map, each key for itself. */
function allowedNamespaces({ allowedNamespaces: given }: JsonObject): Watch['allowedNamespaces'] {
  if (isJsonArray(given)) return { read: given.map(String), write: given.map(String) }
  return isJsonObject(given) ? (given as Watch['allowedNamespaces']) : {}
}

/** A word is the propagation; of a map, each key for itself. */
function deletionOf({ deletion = WATCH_DEFAULTS.deletion }: JsonObject): Watch['deletion'] {
  return (isJsonObject(deletion) ? deletion : { propagation: deletion }) as unknown as Watch['deletion']
}

/** Each object belongs to one entry. So two entries of one kind, in any version, must exclude each other. */
function overlaps(entries: readonly WatchEntry[]): readonly Diagnostic[] {
  return entries.flatMap((entry, index) => {
    const { gvk, selector } = entry.watch
    const kind = formatGroupKind(gvk)
    const rival = entries
      .slice(0, index)
      .find(({ watch }) => formatGroupKind(watch.gvk) === kind && !areDisjoint(watch.selector, selector))
    if (!rival) return []
    const message = `the entries in lines ${lineOf(rival)} and ${lineOf(entry)} may both be about the same ${kind}`
    const hint = 'give them selectors that exclude each other: one key with different values; versions do not count'
    return [diagnosticAt(entry.locate(['kind']), { code: 'RB1310', message, hint })]
  })
}

function lineOf({ locate }: WatchEntry): number {
  const { source, start } = locate([])
  return source.position(start).line
}
