import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import { isInside, parseAnsible, readFirst, type SourceFolder, yamlPaths } from './ansible-files.ts'
import type { TaskSource } from './migrate-role.ts'
import type { Report } from './report.ts'
import { Undecided } from './undecided.ts'

export interface FoundTasks {
  /** Of the role, which the new one keeps. */
  readonly name: string
  readonly tasks: TaskSource
  readonly finalize: TaskSource | undefined
}

interface FindOptions {
  readonly files: SourceFolder
  readonly report: Report
  readonly document: ParsedYaml
  /** Of the entry. */
  readonly index: number
}

type OnUndecided = (error: Undecided, path: JsonPath, what: string) => void

/** The tasks that an entry runs, and those of its finalizer. @throws Undecided when there are none to be found */
export function findTasks(entry: JsonObject, options: FindOptions, onUndecided: OnUndecided): FoundTasks {
  const { index, report, document } = options
  const found = findSource(entry, [index], options)
  const key = entry.playbook === undefined ? 'role' : 'playbook'
  const message = `roles/${found.name}/role.yaml${key === 'role' ? '' : ', since an entry names a role here'}`
  report.add('same', document.locate([index, key], 'key'), key, message)
  return { ...found, finalize: finalizerOf(entry, options, onUndecided) }
}

function finalizerOf(entry: JsonObject, options: FindOptions, onUndecided: OnUndecided): TaskSource | undefined {
  const { finalizer } = entry
  if (finalizer === undefined) return undefined
  const { index, report, document } = options
  const path = [index, 'finalizer']
  try {
    if (!isJsonObject(finalizer)) throw new Undecided('RB1703', 'a finalizer is a map')
    if (isJsonObject(finalizer.vars) && Object.keys(finalizer.vars).length > 0) {
      const hint = 'write what happens on deletion as `finalize` of the role'
      throw new Undecided('RB1703', 'a finalizer with `vars` runs the tasks in another way', { hint })
    }
    const { tasks } = findSource(finalizer, path, options)
    const message = `\`finalize\` of the role; live resources keep the finalizer \`${String(finalizer.name)}\` until a person removes it`
    report.add('note', document.locate(path, 'key'), 'finalizer', message)
    return tasks
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    onUndecided(error, path, 'finalizer')
    return undefined
  }
}

function findSource(entry: JsonObject, path: JsonPath, options: FindOptions): Omit<FoundTasks, 'finalize'> {
  const { role, playbook } = entry
  if (typeof playbook === 'string') return fromPlaybook(playbook, [...path, 'playbook'], options)
  if (typeof role === 'string') return fromRole(role, [...path, 'role'], options)
  throw new Undecided('RB1702', 'there is neither `role` nor `playbook`', { place: { path } })
}

/** `memcached`, `roles/memcached` and `/opt/ansible/roles/memcached` are the folder `roles/memcached`. */
function fromRole(role: string, path: JsonPath, { files }: FindOptions): Omit<FoundTasks, 'finalize'> {
  const name =
    role
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? ''
  const folder = `roles/${name}`
  if (isInside(name) && readFirst(files, yamlPaths(`${folder}/tasks/main`))) return { name, tasks: { folder } }
  const hint = name.includes('.') ? 'copy the role out of its collection into `roles`' : undefined
  throw new Undecided('RB1702', `there is no ${folder}/tasks/main.yml`, { hint, place: { path } })
}

/** A playbook of one play: with one role, or with tasks. */
function fromPlaybook(playbook: string, path: JsonPath, options: FindOptions): Omit<FoundTasks, 'finalize'> {
  const file = playbook.replace(/^\/opt\/ansible\//, '')
  const source = isInside(file) ? options.files.read(file) : undefined
  if (!source) throw new Undecided('RB1702', `there is no ${file}`, { place: { path } })
  const [document] = parseAnsible(source, options.report)
  const plays: JsonValue = document?.value ?? []
  const play = isJsonArray(plays) && plays.length === 1 ? plays[0] : undefined
  if (!document || !isJsonObject(play)) throw notSimple(file, path)
  const roles = isJsonArray(play.roles) ? play.roles : []
  const hasTasks = isJsonArray(play.tasks) && play.tasks.length > 0
  if (play.pre_tasks !== undefined || play.post_tasks !== undefined || play.vars !== undefined)
    throw notSimple(file, path)
  const [role, second] = roles
  if (role !== undefined && second === undefined && !hasTasks) return fromRole(nameOfRole(role), path, options)
  if (role !== undefined || !hasTasks) throw notSimple(file, path)
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '')
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.'
  return { name, tasks: { folder, inline: { document, path: [0, 'tasks'] } } }
}

/** `- memcached` and `- {role: memcached}`. */
function nameOfRole(role: JsonValue): string {
  return isJsonObject(role) ? String(role.role ?? role.name ?? '') : String(role)
}

function notSimple(file: string, path: JsonPath): Undecided {
  const hint = 'make it one play with one role, or with tasks'
  return new Undecided('RB1702', `${file} is more than one play with one role or with tasks`, { hint, place: { path } })
}
