import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { didYouMean } from '../../core/base/nearest-name.ts'
import { diagnosticAt } from '../../core/yaml/diagnostic.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import { parseAnsible, type SourceFolder } from './ansible-files.ts'
import { type FoundCrd, findCrd, findSamples } from './find-crd.ts'
import { migrateRole } from './migrate-role.ts'
import type { Report } from './report.ts'
import { specShape } from './shape.ts'
import { type FoundTasks, findTasks } from './task-sources.ts'
import { Undecided } from './undecided.ts'
import { WATCH_KEYS } from './watch-keys.ts'

export interface MigrateOptions {
  /** Whether the new roles take over objects that have no controller, such as those that the Ansible operator has made. */
  readonly adopt: boolean
}

export interface EntryResult {
  /** As it stands in the new watches.yaml. */
  readonly entry: JsonObject
  /** Above the entry. */
  readonly comments: readonly string[]
  /** Files of its role, by path. */
  readonly files: ReadonlyMap<string, string>
}

const NEEDED = ['version', 'kind'] as const

/** The entries of a watches.yaml of the Ansible operator, with their roles. */
export class WatchMigration {
  readonly #files: SourceFolder
  readonly #report: Report
  readonly #adopt: boolean
  readonly #roles = new Set<string>()

  constructor(files: SourceFolder, report: Report, { adopt }: MigrateOptions) {
    this.#files = files
    this.#report = report
    this.#adopt = adopt
  }

  migrate(document: ParsedYaml): readonly EntryResult[] {
    if (!isJsonArray(document.value)) {
      this.#wrong(document, [], 'watches.yaml is a list of entries')
      return []
    }
    return document.value.flatMap((entry, index) => this.#entry(entry, document, index))
  }

  #entry(entry: JsonValue, document: ParsedYaml, index: number): readonly EntryResult[] {
    const missing = isJsonObject(entry) ? NEEDED.filter((key) => typeof entry[key] !== 'string') : NEEDED
    if (!isJsonObject(entry) || missing.length > 0) {
      this.#wrong(document, [index], `an entry needs ${missing.map((key) => `\`${key}\``).join(' and ')}`)
      return []
    }
    const comments: string[] = []
    const keys = this.#keys(entry, { document, index, comments })
    const tasks = this.#tasks(entry, { document, index, comments })
    if (!tasks) return []
    const role = this.#roleFiles(entry, tasks)
    const { vars, files, name } = role
    const whole = { group: '', ...keys, role: name, ...(Object.keys(vars).length === 0 ? {} : { vars }) }
    return [{ entry: whole, comments, files }]
  }

  /** What can be taken key by key. */
  #keys(entry: JsonObject, { document, index, comments }: Where): JsonObject {
    const kept: Record<string, JsonValue> = {}
    for (const [key, value] of Object.entries(entry)) {
      if (ELSEWHERE.has(key) || value === undefined) continue
      const range = document.locate([index, key], 'key')
      try {
        const rule = WATCH_KEYS[key]
        if (!rule)
          throw new Undecided('RB1703', `\`${key}\` is not a key of the Ansible operator`, {
            hint: didYouMean(key, ALL_KEYS),
          })
        const { value: result, message, same = true } = rule(value)
        if (result !== undefined) kept[key] = result
        this.#report.add(same ? 'same' : 'note', range, key, message)
        if (!same) comments.push(`\`${key}\`: ${message}.`)
      } catch (error) {
        this.#decide(error, { document, path: [index, key], comments }, key)
      }
    }
    return kept
  }

  #tasks(entry: JsonObject, { document, index, comments }: Where): FoundTasks | undefined {
    const options = { files: this.#files, report: this.#report, document, index }
    try {
      return findTasks(entry, options, (error, path, what) => this.#decide(error, { document, path, comments }, what))
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      const { path = [index], at = 'value' } = error.place ?? {}
      const { code, message, hint } = error
      this.#report.diagnostics.push(diagnosticAt(document.locate(path, at), { code, message, hint }))
      return undefined
    }
  }

  #roleFiles(entry: JsonObject, { tasks, finalize, name: wanted }: FoundTasks) {
    const group = String(entry.group ?? '')
    const watch = { group, version: String(entry.version), kind: String(entry.kind) }
    const crd = findCrd(this.#files, watch)
    const name = this.#freeRole(wanted, watch.kind)
    const vars = environmentOf(isJsonObject(entry.vars) ? entry.vars : {}) as JsonObject
    const spec = specShape(crd?.spec, { snakeCase: entry.snakeCaseParameters !== false })
    const from = { files: this.#files, report: this.#report, adopt: this.#adopt }
    const role = migrateRole({ ...from, name: wanted, watch, spec, tasks, finalize, vars })
    const files = new Map([[`roles/${name}/role.yaml`, role.text], ...this.#further(name, watch, crd)])
    return { name, vars: role.vars, files }
  }

  #further(
    name: string,
    watch: Parameters<typeof findSamples>[1],
    crd: FoundCrd | undefined,
  ): readonly [string, string][] {
    const samples = findSamples(this.#files, watch).map((source): [string, string] => {
      return [`roles/${name}/samples/${source.path.split('/').at(-1)}`, source.text]
    })
    return crd ? [[`roles/${name}/crd.yaml`, crd.text], ...samples] : samples
  }

  /** A role is read with the kind that it is for: one that serves two kinds becomes two. */
  #freeRole(wanted: string, kind: string): string {
    const name = this.#roles.has(wanted) ? `${wanted}-${kind.toLowerCase()}` : wanted
    this.#roles.add(name)
    return name
  }

  #decide(
    error: unknown,
    { document, path, comments }: { document: ParsedYaml; path: JsonPath; comments: string[] },
    what: string,
  ): void {
    if (!(error instanceof Undecided)) throw error
    this.#report.decide(document.locate(path, 'key'), what, error)
    comments.push(`Decide: \`${what}\`: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}.`)
  }

  #wrong(document: ParsedYaml, path: JsonPath, message: string): void {
    this.#report.diagnostics.push(diagnosticAt(document.locate(path), { code: 'RB1701', message }))
  }
}

interface Where {
  readonly document: ParsedYaml
  readonly index: number
  readonly comments: string[]
}

const ELSEWHERE: ReadonlySet<string> = new Set(['role', 'playbook', 'finalizer', 'vars'])
const ALL_KEYS: readonly string[] = [...Object.keys(WATCH_KEYS), ...ELSEWHERE]

/** `$VAR` and `${VAR}`, which the Ansible operator fills in, as `$(VAR)`. */
function environmentOf(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return value.replace(/\$\{(\w+)\}|\$([A-Za-z_]\w*)/g, (_whole, first, second) => `$(${first ?? second})`)
  if (isJsonArray(value)) return value.map(environmentOf)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, environmentOf(inner as JsonValue)]))
}

/** The documents of watches.yaml. */
export function readWatches(files: SourceFolder, report: Report): readonly ParsedYaml[] | undefined {
  const source = files.read('watches.yaml') ?? files.read('watches.yml')
  return source && parseAnsible(source, report)
}
