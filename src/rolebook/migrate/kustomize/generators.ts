import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { applyMergePatch } from '../../../sandbox/apiserver/patch/merge-patch.ts'
import { Undecided } from '../undecided.ts'
import type { BuiltObject, NamedObject } from './built-object.ts'
import { inFolder, type Kustomization, type KustomizeFiles } from './kustomize-files.ts'

/** The objects, and those that `configMapGenerator` and `secretGenerator` make. @throws Undecided */
export function generated(
  found: Kustomization,
  objects: readonly BuiltObject[],
  files: KustomizeFiles,
): readonly BuiltObject[] {
  let all = [...objects]
  for (const [key, kind] of [
    ['configMapGenerator', 'ConfigMap'],
    ['secretGenerator', 'Secret'],
  ] as const) {
    const list = found.value[key]
    for (const entry of Array.isArray(list) ? list.filter(isJsonObject) : []) {
      const { name, behavior = 'create' } = entry
      if (typeof name !== 'string') throw new Undecided('RB1705', 'what is generated has no name')
      const origin = `${kind} ${name}`
      const data = dataOf(entry, found, files)
      const made = newObject(kind, entry, { data, options: optionsOf(found, entry) })
      const former = all.find((one) => one.origin === origin)
      if (!former || behavior === 'create') all.push({ origin, object: made })
      else {
        const object = combined(former.object, made, behavior === 'merge')
        all = all.map((one) => (one === former ? { ...one, object } : one))
      }
    }
  }
  return all
}

/** What is generated once more: data are kept or replaced, labels and annotations are added, and the name stays. */
function combined(former: NamedObject, made: NamedObject, keepsData: boolean): NamedObject {
  const { data: _data, stringData: _text, ...bare } = former
  const { name: _name, namespace: _namespace, ...added } = made.metadata
  return applyMergePatch(keepsData ? former : bare, { ...made, metadata: added }) as NamedObject
}

function optionsOf({ value }: Kustomization, { options }: JsonObject): JsonObject {
  return { ...(isJsonObject(value.generatorOptions) && value.generatorOptions), ...(isJsonObject(options) && options) }
}

function newObject(
  kind: 'ConfigMap' | 'Secret',
  { name, namespace, type }: JsonObject,
  { data, options }: { data: JsonObject; options: JsonObject },
): NamedObject {
  const { labels, annotations } = options
  const metadata: JsonObject = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
  }
  const content = kind === 'Secret' ? { type: type ?? 'Opaque', stringData: data } : { data }
  return { apiVersion: 'v1', kind, metadata, ...content }
}

function dataOf(entry: JsonObject, { folder }: Kustomization, files: KustomizeFiles): JsonObject {
  const read = (path: string): string => files.read(inFolder(folder, path)).text
  const texts = (key: string): readonly string[] => {
    const list: JsonValue | undefined = entry[key]
    return Array.isArray(list) ? list.map(String) : []
  }
  const fromFiles = texts('files').map((file) => {
    const [key = '', path = key] = file.includes('=') ? file.split('=') : [file.split('/').at(-1), file]
    return [key, read(path)] as const
  })
  const single = typeof entry.env === 'string' ? [entry.env] : []
  const envs = [...texts('envs'), ...single].flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => /^\s*[^#\s]/.test(line)),
  )
  const literals = texts('literals').map((line) => {
    const [key, value] = pairOf(line)
    return [key, value.replace(/^(['"])(.*)\1$/, '$2')] as const
  })
  return Object.fromEntries([...fromFiles, ...literals, ...envs.map(pairOf)])
}

/** @throws Undecided without a value; Kustomize takes those of an env file from where it runs. */
function pairOf(line: string): readonly [key: string, value: string] {
  const at = line.indexOf('=')
  if (at < 0) throw new Undecided('RB1705', `\`${line}\` is not of the form key=value`)
  return [line.slice(0, at).trim(), line.slice(at + 1)]
}
