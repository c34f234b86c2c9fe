import type { JsonPath } from '../../../core/base/json.ts'
import { Undecided } from '../undecided.ts'
import { type BuildOptions, type BuiltObject, isNamed, listAt, originOf } from './built-object.ts'
import { generated } from './generators.ts'
import { inFolder, type Kustomization, type KustomizeFiles } from './kustomize-files.ts'
import { patched } from './patches.ts'
import { TRANSFORMERS } from './transformers.ts'

/** Keys that this program reads, in the order in which Kustomize goes by them, and keys without an effect. */
const READ: ReadonlySet<string> = new Set([
  ...['resources', 'bases', 'components', 'configMapGenerator', 'secretGenerator', 'generatorOptions'],
  ...['patches', 'patchesStrategicMerge', 'patchesJson6902', ...Object.keys(TRANSFORMERS)],
  ...['apiVersion', 'kind', 'metadata', 'buildMetadata', 'sortOptions'],
])

/** What `kustomize build` makes of a folder, but for the hashes in names. */
export function build(found: Kustomization, options: BuildOptions): readonly BuiltObject[] {
  return buildOne(found, [], options)
}

/** @param before what a component is added to */
function buildOne(found: Kustomization, before: readonly BuiltObject[], options: BuildOptions): readonly BuiltObject[] {
  const { files } = options
  const { value } = found
  for (const key of Object.keys(value)) {
    if (READ.has(key)) continue
    files.decide(
      found,
      [key],
      new Undecided('RB1703', `\`${key}\` is not read`, {
        hint: 'give the output of `kustomize build` to `rolebook init --from`',
      }),
    )
  }
  let objects = [...before]
  for (const key of ['resources', 'bases']) objects.push(...resources(key, found, options))
  objects = [...attempt({ found, path: ['configMapGenerator'], files }, objects, (all) => generated(found, all, files))]
  for (const [index, path] of listAt(value, 'components').entries()) {
    objects = [
      ...attempt({ found, path: ['components', index], files }, objects, (all) =>
        component(String(path), found, all, options),
      ),
    ]
  }
  objects = [...patched(found, objects, options)]
  for (const [key, transform] of Object.entries(TRANSFORMERS)) {
    const given = value[key]
    if (given !== undefined)
      objects = [...attempt({ found, path: [key], files }, objects, (all) => transform(given, all, options.known))]
  }
  return objects
}

interface Step {
  readonly found: Kustomization
  /** Where it stands in the file. */
  readonly path: JsonPath
  readonly files: KustomizeFiles
}

function attempt(
  { found, path, files }: Step,
  objects: readonly BuiltObject[],
  work: (objects: readonly BuiltObject[]) => readonly BuiltObject[],
): readonly BuiltObject[] {
  try {
    return work(objects)
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    files.decide(found, path, error)
    return objects
  }
}

function resources(key: string, found: Kustomization, options: BuildOptions): readonly BuiltObject[] {
  const { files } = options
  return listAt(found.value, key).flatMap((entry, index) =>
    attempt({ found, path: [key, index], files }, [], () => resource(String(entry), found, options)),
  )
}

function resource(path: string, { folder }: Kustomization, options: BuildOptions): readonly BuiltObject[] {
  if (/^[a-z+]+:\/\/|^git@|^github\.com\/|\?ref=/.test(path)) {
    throw new Undecided('RB1702', `${path} is on the network`, { hint: 'copy it into the folder' })
  }
  const whole = inFolder(folder, path)
  const inner = whole.startsWith('..') ? undefined : options.files.kustomization(whole)
  if (inner) return build(inner, options)
  return options.files.objects(whole).map((object) => {
    if (!isNamed(object)) throw new Undecided('RB1705', `${path} holds an object without a name`)
    return { object, origin: originOf(object) }
  })
}

function component(
  path: string,
  { folder }: Kustomization,
  objects: readonly BuiltObject[],
  options: BuildOptions,
): readonly BuiltObject[] {
  const found = options.files.kustomization(inFolder(folder, path))
  if (!found) throw new Undecided('RB1702', `there is no kustomization.yaml in ${path}`)
  return buildOne(found, objects, options)
}
