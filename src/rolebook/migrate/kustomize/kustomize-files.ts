import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { isError } from '../../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import type { SourceFolder } from '../ansible-files.ts'
import type { Report } from '../report.ts'
import { Undecided } from '../undecided.ts'

const NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

/** A kustomization.yaml, with the folder that it stands in. */
export interface Kustomization {
  readonly folder: string
  readonly document: ParsedYaml
  readonly value: JsonObject
}

/** The folder that is read, and what is said of it. */
export class KustomizeFiles {
  readonly #files: SourceFolder
  readonly report: Report

  constructor(files: SourceFolder, report: Report) {
    this.#files = files
    this.report = report
  }

  kustomization(folder: string): Kustomization | undefined {
    for (const name of NAMES) {
      const source = this.#files.read(inFolder(folder, name))
      const [document] = source ? this.parse(source) : []
      if (document) return { folder, document, value: isJsonObject(document.value) ? document.value : {} }
    }
    return undefined
  }

  /** Folders in a folder. */
  list(folder: string): readonly string[] {
    return this.#files.list(folder)
  }

  /** @throws Undecided when there is no such file in the folder that is read */
  read(path: string): SourceFile {
    const source = path.startsWith('..') ? undefined : this.#files.read(path)
    if (!source)
      throw new Undecided('RB1702', `there is no ${path}`, { hint: 'name a folder that holds all that is referred to' })
    return source
  }

  objects(path: string): readonly JsonObject[] {
    return this.parse(this.read(path))
      .flatMap(({ value }) => itemsOf(value))
      .filter(isJsonObject)
  }

  parse(source: SourceFile): readonly ParsedYaml[] {
    const { documents, diagnostics } = parseYaml(source, { dialect: 'yaml-1.1' })
    this.report.diagnostics.push(...diagnostics.filter(isError))
    return documents
  }

  decide({ document }: Kustomization, path: JsonPath, error: Undecided): void {
    this.report.decide(document.locate(path, 'key'), path.map(String).join('.'), error)
  }
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  const isList = isJsonObject(value) && value.kind === 'List' && Array.isArray(value.items)
  return isList ? (value.items as readonly JsonValue[]) : [value]
}

/** A path within a folder; what leads out of the folder that is read begins with `..`. */
export function inFolder(folder: string, path: string): string {
  const steps: string[] = folder === '.' ? [] : folder.split('/')
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else steps.push(step)
  }
  return steps.length === 0 ? '.' : steps.join('/')
}
