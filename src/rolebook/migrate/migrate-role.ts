import { getPath, isJsonArray, isJsonObject, type JsonObject } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import { printYaml } from '../../core/yaml/print-yaml.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import { inFolder, isInside, parseAnsible, readFirst, type SourceFolder, yamlPaths } from './ansible-files.ts'
import { type NewTask, printTasks } from './new-task.ts'
import type { Report } from './report.ts'
import { RoleNames } from './role-names.ts'
import { type RoleVariable, RoleVariables } from './role-variables.ts'
import type { Shape } from './shape.ts'
import type { RoleContext, TaskContext } from './task-context.ts'
import { translateTasks } from './translate-tasks.ts'
import { Undecided } from './undecided.ts'

/** Where the tasks of a role come from: a folder of its own, or the list of a playbook. */
export interface TaskSource {
  /** `roles/memcached`; of a playbook without one, the folder that it stands in. */
  readonly folder: string
  /** Absent: `tasks/main.yml` of the folder. */
  readonly inline?: { readonly document: ParsedYaml; readonly path: (string | number)[] } | undefined
}

export interface RoleOptions {
  readonly name: string
  readonly watch: Gvk
  readonly spec: Shape
  readonly files: SourceFolder
  readonly report: Report
  readonly adopt: boolean
  readonly tasks: TaskSource
  readonly finalize: TaskSource | undefined
  /** Of the entry in watches.yaml. */
  readonly vars: JsonObject
}

export interface MigratedRole {
  readonly text: string
  /** `vars` of the entry, by the names that they have in the new role. */
  readonly vars: JsonObject
}

/** A role of Ansible as the text of ours. */
export function migrateRole(options: RoleOptions): MigratedRole {
  const { watch, spec, report, vars } = options
  const names = new RoleNames({ group: watch.group, kind: watch.kind, spec })
  const variables = new RoleVariables({ names, report, given: vars })
  const sources = [options.tasks, ...(options.finalize ? [options.finalize] : [])]
  variables.define(uniqueByName(sources.flatMap(({ folder }) => readVariables(folder, options))))
  for (const { folder } of sources) refuseRest(folder, options)
  const tasks = sourceTasks(options.tasks, names.nested(), options)
  const finalize = options.finalize && sourceTasks(options.finalize, names.nested(), options)
  const given = Object.entries(vars).map(([name, value]) => [names.variable(name)?.name ?? name, value] as const)
  return {
    text: printRole(options.name, { vars: variables.inOrder(), tasks, finalize }),
    vars: Object.fromEntries(given),
  }
}

interface RoleParts {
  readonly vars: JsonObject
  readonly tasks: readonly NewTask[]
  readonly finalize: readonly NewTask[] | undefined
}

function printRole(name: string, { vars, tasks, finalize }: RoleParts): string {
  const some = (list: readonly NewTask[]): string => printTasks(list.length > 0 ? list : [NOTHING], 2)
  return [
    `# Made from the Ansible role ${name} by \`rolebook migrate ansible\`.\n`,
    Object.keys(vars).length === 0 ? '' : `${printYaml([{ vars }])}\n`,
    `tasks:\n${some(tasks)}`,
    finalize === undefined ? '' : `\nfinalize:\n${some(finalize)}`,
  ].join('')
}

/** A role has at least one task. */
const NOTHING: NewTask = {
  comments: ['Decide: no task of the Ansible role has an effect on the cluster.'],
  fields: { name: 'Decide: nothing to do', fail: { message: 'no task was moved over' } },
}

/** Roles that a playbook or a finalizer joins may have the same variables: the first counts. */
function uniqueByName(variables: readonly RoleVariable[]): readonly RoleVariable[] {
  return [...new Map([...variables].reverse().map((one) => [one.name, one])).values()].reverse()
}

/** `vars` win over `defaults`. */
function readVariables(folder: string, { files, report }: RoleOptions): readonly RoleVariable[] {
  return ['vars/main', 'defaults/main'].flatMap((path) => {
    const source = readFirst(files, yamlPaths(inFolder(folder, path)))
    if (!source) return []
    return parseAnsible(source, report).flatMap((document) => {
      if (isJsonObject(document.value)) {
        return Object.entries(document.value).map(([name, value]) => ({ name, value: value ?? null, document }))
      }
      report.decide(document.locate([]), path, new Undecided('RB1706', 'variables are a map of names'))
      return []
    })
  })
}

/** Parts of a role that nothing here reads. */
function refuseRest(folder: string, { files, report }: RoleOptions): void {
  for (const path of ['handlers/main', 'meta/main']) {
    const source = readFirst(files, yamlPaths(inFolder(folder, path)))
    for (const document of source ? parseAnsible(source, report) : []) {
      const { value } = document
      const handlers = path === 'handlers/main' && isJsonArray(value) && value.length > 0
      const dependencies = isJsonObject(value) && isJsonArray(value.dependencies) && value.dependencies.length > 0
      if (handlers) report.decide(document.locate([0]), 'handlers', new Undecided('RB1704', HANDLERS))
      if (dependencies)
        report.decide(document.locate(['dependencies'], 'key'), 'dependencies', new Undecided('RB1704', DEPENDENCIES))
    }
  }
}

const HANDLERS = 'a role has no handlers: what depends on a change is stated, such as a digest in a pod template'
const DEPENDENCIES = 'a role has no dependencies: write their tasks into this one'

function sourceTasks(source: TaskSource, names: RoleNames, options: RoleOptions): readonly NewTask[] {
  const role = roleContext(source.folder, options)
  const context = { role, names, guarded: false, looped: false }
  const { inline, folder } = source
  if (inline) {
    const tasks = getPath(inline.document.value, inline.path)
    return translateTasks(tasks, { ...context, ...inline, files: [] })
  }
  const file = readFirst(options.files, yamlPaths(inFolder(folder, 'tasks/main')))
  return file ? fileTasks(file, { ...context, files: [] }) : []
}

function fileTasks(file: SourceFile, context: Omit<TaskContext, 'document' | 'path'>): readonly NewTask[] {
  const { report } = context.role
  const files = [...context.files, file.path]
  return parseAnsible(file, report).flatMap((document) => {
    try {
      return translateTasks(document.value, { ...context, files, document, path: [] })
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      report.decide(document.locate(error.place?.path ?? []), 'tasks', error)
      return []
    }
  })
}

function roleContext(folder: string, { watch, files, report, adopt }: RoleOptions): RoleContext {
  const readFile = (path: string): SourceFile | undefined =>
    isInside(path) ? files.read(inFolder(folder, path)) : undefined
  return {
    watch,
    report,
    adopt,
    readFile,
    conditional: new Set(),
    includeTasks(path, context) {
      const file = readFile(`tasks/${path}`)
      if (!file) throw new Undecided('RB1702', `the role has no tasks/${path}`)
      if (context.files.includes(file.path)) throw new Undecided('RB1704', `${path} includes itself`)
      return fileTasks(file, context)
    },
  }
}
