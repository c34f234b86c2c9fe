import { CodedError } from '../../core/base/coded-error.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { Project } from '../../engine/operator/project.ts'
import { CHARTS_FILE, printChartsFile } from '../config/charts-file.ts'
import type { ProjectFiles, RoleFiles } from '../config/project-files.ts'
import type { TextFile } from '../config/read-text-file.ts'
import { configMapNames, type InstallSettings, metadataOf } from './install-settings.ts'

/** What a server takes at most, all keys and values of a ConfigMap together, in bytes. */
const MAX_BYTES = 1024 * 1024

/**
 * `watches.yaml` and the files of the roles that it names, as ConfigMaps: samples and tests stay at home. CRDs go with
 * them, so that an edit is checked in the cluster as it is checked here.
 * A ConfigMap has no folders: `files/motd.txt` of the role `web` becomes `web.files.motd.txt`, where `run` looks for it, and
 * all of its charts are in `web.charts.json`.
 *
 * @throws CodedError `NoConfigMap` when the files do not fit
 */
export function configMaps(project: Project, files: ProjectFiles, settings: InstallSettings): readonly JsonObject[] {
  const names = configMapNames(settings)
  const used = new Set(project.watches.map(({ role }) => role.name))
  const texts = [...used].sort().flatMap((role) => textsOf(role, { files, used }))
  const toObject = (name: string, data: readonly Text[]): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadataOf(settings), name },
    data: checkedData(name, data),
  })
  const watches = { key: 'watches.yaml', path: files.watches.path, text: withoutSchemaLine(textOf(files.watches)) }
  return [toObject(names.watches, [watches]), toObject(names.roles, texts)]
}

interface Text {
  readonly key: string
  /** Where it comes from. */
  readonly path: string
  readonly text: string
}

/** Of a role in a folder, or of one whose files lie side by side, where they have the names of keys already. */
function textsOf(
  role: string,
  { files: { roles, beside }, used }: { readonly files: ProjectFiles; readonly used: ReadonlySet<string> },
): readonly Text[] {
  const own = roles.get(role) as RoleFiles
  const flatTasks = [...roles].filter(([name]) => name.startsWith(`${role}.`) && !used.has(name))
  const keyed: readonly (readonly [string, TextFile])[] = [
    ...own.role.map((file) => [`${role}.yaml`, file] as const),
    ...own.crds.map((file) => [`${role}.crd.yaml`, file] as const),
    ...[...own.files].map(([path, file]) => [`${role}.${path.replaceAll('/', '.')}`, file] as const),
    ...[...beside].filter(([name]) => name.startsWith(`${role}.files.`)),
    ...flatTasks.flatMap(([name, other]) => other.role.map((file) => [`${name}.yaml`, file] as const)),
  ]
  const texts = keyed.map(([key, file]) => {
    const isData = key.startsWith(`${role}.files.`) || !key.endsWith('.yaml')
    return { key, path: file.path, text: isData ? textOf(file) : withoutSchemaLine(textOf(file), EMPTY_LINE) }
  })
  const charts = own.charts?.files ?? new Map()
  if (charts.size === 0) return texts
  return [...texts, { key: `${role}${CHARTS_FILE}`, path: `${role}/charts`, text: printChartsFile(charts) }]
}

/** A project could be made of the files, so they could be read; an unused file may be anything. */
function textOf(file: TextFile): string {
  if (file.source) return file.source.text
  throw refusal(`${file.path} cannot be put into a ConfigMap: ${file.problem.message}`)
}

/** Keeps the numbers of lines, which messages of the operator name. */
const EMPTY_LINE = '#\n'

/** Without what says where the schema lies in the checkout. */
function withoutSchemaLine(text: string, instead = ''): string {
  return text.replace(/^# yaml-language-server:.*\n/, instead)
}

function checkedData(name: string, texts: readonly Text[]): JsonObject {
  const data: Record<string, Text> = {}
  for (const text of texts) {
    const former = data[text.key]
    if (former)
      throw refusal(`${former.path} and ${text.path} would both be the key "${text.key}" of a ConfigMap: rename one`)
    if (!KEY.test(text.key)) {
      throw refusal(`${text.path} cannot be a key of a ConfigMap: its name may hold letters, digits, "-", "_" and "."`)
    }
    data[text.key] = text
  }
  const bytes = texts.reduce((sum, { key, text }) => sum + Buffer.byteLength(key) + Buffer.byteLength(text), 0)
  if (bytes > MAX_BYTES) throw tooLarge(name, bytes, texts)
  return Object.fromEntries(Object.entries(data).map(([key, { text }]) => [key, text]))
}

const KEY = /^[-._a-zA-Z0-9]{1,253}$/

function tooLarge(name: string, bytes: number, texts: readonly Text[]): CodedError {
  const largest = texts.toSorted((left, right) => right.text.length - left.text.length)[0]
  const sizes = `${kibibytes(bytes)}, and a server takes ${kibibytes(MAX_BYTES)} at most`
  const remedy =
    'build the roles into the image instead (rolebook generate dockerfile), and generate the rest with --built-in'
  return refusal(`the ConfigMap ${name} would have ${sizes}; the largest file is ${largest?.path}: ${remedy}`)
}

function kibibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`
}

function refusal(message: string): CodedError {
  return new CodedError('NoConfigMap', message)
}
