import type { JsonPath, JsonValue } from '../../../core/base/json.ts'
import { locateProblems, type SchemaChecker, type SchemaProblem } from '../../../core/yaml/check-schema.ts'
import { type Diagnostic, diagnosticAt } from '../../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import type { TaskRegistry } from '../task-registry.ts'
import { type DraftPlace, draftTasks, type TaskFile, withNested } from './draft-tasks.ts'
import { withForeignHints } from './foreign-keys.ts'
import { misplacedModifiers } from './misplaced-modifiers.ts'
import type { UsedSources } from './role-sources.ts'

/** Tasks of a role with all that it includes, each as often as it is included: a few files that include each other twice could be millions. */
const MAX_TASKS = 1_000
/** Files that include each other, one within the other. */
const MAX_DEPTH = 20

export interface IncludeTools {
  readonly registry: TaskRegistry
  readonly checker: SchemaChecker
  readonly sources: UsedSources
}

/** The files of tasks that a role includes, each read once. */
export class IncludedFiles {
  readonly diagnostics: Diagnostic[] = []
  readonly #tools: IncludeTools
  /** By path; `undefined` for those that cannot be read. */
  readonly #files = new Map<string, SizedFile | undefined>()

  constructor(tools: IncludeTools) {
    this.#tools = tools
  }

  /** What the tasks of a document are drafted with. `chain` is how it came to be included: the paths of files, outermost first. */
  placeIn(document: ParsedYaml, problems: readonly SchemaProblem[], chain: readonly string[] = []): SizedPlace {
    const place: SizedPlace = {
      registry: this.#tools.registry,
      problems,
      size: { included: 0 },
      file: (path, name) => {
        const file = this.#include(document, path, { name: String(name), chain })
        if (file === undefined) return undefined
        if (place.size.included + file.size > MAX_TASKS) return this.#tooFar(document, path)
        place.size.included += file.size
        return file
      },
    }
    return place
  }

  #include(document: ParsedYaml, path: JsonPath, { name, chain }: Include): SizedFile | undefined {
    if (chain.includes(name)) {
      const way = [...chain.slice(chain.indexOf(name)), name].join(' → ')
      const message = `this includes itself: ${way}`
      return this.#report(document, path, { code: 'RB1153', message, hint: 'break the circle: a list of tasks ends' })
    }
    if (chain.length >= MAX_DEPTH) return this.#tooFar(document, path)
    const { source, problem } = this.#tools.sources.find(name)
    if (problem) return this.#report(document, path, problem)
    if (!this.#files.has(name)) this.#files.set(name, this.#read(source, [...chain, name]))
    return this.#files.get(name)
  }

  #read(source: SourceFile, chain: readonly string[]): SizedFile | undefined {
    const { documents, diagnostics } = parseYaml(source, { single: true })
    this.diagnostics.push(...diagnostics)
    const [document] = documents
    if (!document) return undefined
    const problems = withForeignHints(this.#tools.checker.check(document.value), document.value)
    this.diagnostics.push(...locateProblems(document, problems))
    const place = this.placeIn(document, problems, chain)
    const tasks = draftTasks(document.value as JsonValue, [], place)
    const all = withNested(tasks)
    this.diagnostics.push(...all.flatMap((task) => misplacedModifiers(task, document)))
    return { document, tasks, size: all.length + place.size.included }
  }

  /** Said once: the files around one that goes too far do so, too. */
  #tooFar(document: ParsedYaml, path: JsonPath): undefined {
    if (this.diagnostics.some(({ code }) => code === 'RB1154')) return
    const message = `with what is included, the role has more than ${MAX_TASKS} tasks, or files more than ${MAX_DEPTH} deep`
    this.#report(document, path, { code: 'RB1154', message, hint: 'use `loop` where the same is done often' })
  }

  #report(document: ParsedYaml, path: JsonPath, problem: Parameters<typeof diagnosticAt>[1]): undefined {
    this.diagnostics.push(diagnosticAt(document.locate(path), problem))
  }
}

interface Include {
  readonly name: string
  readonly chain: readonly string[]
}

interface SizedFile extends TaskFile {
  /** Tasks in it and in what it includes. */
  readonly size: number
}

interface SizedPlace extends DraftPlace {
  readonly size: { included: number }
}
