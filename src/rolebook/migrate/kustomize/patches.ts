import { explain } from '../../../core/base/coded-error.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { compileGoRegex, type Regex } from '../../../core/base/regex.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'
import { applyJsonPatch } from '../../../sandbox/apiserver/patch/json-patch.ts'
import { applyMergePatch } from '../../../sandbox/apiserver/patch/merge-patch.ts'
import { PatchError } from '../../../sandbox/apiserver/patch/patch-error.ts'
import { applyStrategicMergePatch } from '../../../sandbox/apiserver/patch/strategic-merge-patch.ts'
import { Undecided } from '../undecided.ts'
import { type BuildOptions, type BuiltObject, isNamed, listAt, type NamedObject } from './built-object.ts'
import { inFolder, type Kustomization, type KustomizeFiles } from './kustomize-files.ts'

interface Patch {
  readonly target: JsonObject | undefined
  /** Operations, or fields of an object. */
  readonly content: readonly JsonValue[] | NamedObject
  readonly path: JsonPath
}

/** The objects with the patches of a kustomization.yaml. What cannot be applied is for a person to decide. */
export function patched(
  found: Kustomization,
  objects: readonly BuiltObject[],
  options: BuildOptions,
): readonly BuiltObject[] {
  let all = objects
  for (const key of ['patchesStrategicMerge', 'patches', 'patchesJson6902']) {
    for (const [index, entry] of listAt(found.value, key).entries()) {
      const path = [key, index]
      try {
        for (const patch of readPatch(entry, found, options.files, path)) all = apply(patch, all, options)
      } catch (error) {
        if (!(error instanceof Undecided || error instanceof PatchError)) throw error
        const reason = error instanceof Undecided ? error : unfit(error)
        options.files.decide(found, path, reason)
      }
    }
  }
  return all
}

/** With the reason, which a server keeps to itself. */
function unfit(error: PatchError): Undecided {
  return new Undecided('RB1705', `the patch cannot be applied: ${explain(error.cause ?? error)}`)
}

/** A path, a text, or a map with one of both and a target. */
function readPatch(entry: JsonValue, { folder }: Kustomization, files: KustomizeFiles, at: JsonPath): readonly Patch[] {
  const { path, patch, target } = isJsonObject(entry) ? entry : { path: undefined, patch: undefined, target: undefined }
  const inline =
    typeof patch === 'string' ? patch : typeof entry === 'string' && entry.includes('\n') ? entry : undefined
  const file = typeof path === 'string' ? path : typeof entry === 'string' ? entry : ''
  const source = inline === undefined ? files.read(inFolder(folder, file)) : new SourceFile('patch', inline)
  const { documents } = parseYaml(source, { dialect: 'yaml-1.1' })
  return documents.map(({ value }) => {
    if (!isPatch(value)) throw new Undecided('RB1705', 'a patch is a list, or an object with a name')
    return { target: isJsonObject(target) ? target : undefined, content: value, path: at }
  })
}

function apply(
  { target, content }: Patch,
  objects: readonly BuiltObject[],
  options: BuildOptions,
): readonly BuiltObject[] {
  const wanted = target ?? targetOf(content)
  const chosen = objects.filter((one) => isTarget(one, wanted))
  if (chosen.length === 0) throw new Undecided('RB1705', 'no object is the target of the patch')
  return objects.flatMap((one) => {
    if (!chosen.includes(one)) return [one]
    if (!isJsonArray(content) && content.$patch === 'delete') return []
    const object = patchOne(one.object, content, options)
    if (!isNamed(object)) throw new Undecided('RB1705', `the patch takes the name of ${one.origin} away`)
    return [{ ...one, object }]
  })
}

function isPatch(value: JsonValue): value is Patch['content'] {
  return isJsonArray(value) || (isJsonObject(value) && isNamed(value))
}

function targetOf(content: Patch['content']): JsonObject {
  if (isJsonArray(content)) throw new Undecided('RB1705', 'the patch has no target')
  return { kind: content.kind, name: content.metadata.name }
}

/** Kustomize takes names as regular expressions that match as a whole. */
function isTarget(
  { object, origin }: BuiltObject,
  { kind, name, labelSelector, annotationSelector }: JsonObject,
): boolean {
  if (labelSelector !== undefined || annotationSelector !== undefined) {
    throw new Undecided('RB1705', 'a patch by labels or annotations is not read')
  }
  const names = [String(object.metadata.name), origin.slice(origin.indexOf(' ') + 1)]
  if (kind !== undefined && object.kind !== kind) return false
  if (name === undefined || names.includes(String(name))) return true
  const pattern = patternOf(String(name))
  return names.some((one) => pattern.exec(one, 0) !== undefined)
}

/** @throws Undecided for what is not a regular expression of Go */
function patternOf(name: string): Regex {
  try {
    return compileGoRegex(`^(?:${name})$`)
  } catch (error) {
    throw new Undecided('RB1705', `the name of the target is not a regular expression: ${explain(error)}`)
  }
}

function patchOne(object: JsonObject, content: Patch['content'], { known }: BuildOptions): JsonObject {
  if (isJsonArray(content)) return applyJsonPatch(object, content)
  const { apiVersion = '', kind = '' } = object
  const found = known.schema(gvkOf({ apiVersion: String(apiVersion), kind: String(kind) }))
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = content
  const { name: _name, namespace: _namespace, ...fields } = metadata
  const patch = { ...rest, ...(Object.keys(fields).length > 0 && { metadata: fields }) }
  return found ? applyStrategicMergePatch(object, patch, found) : applyMergePatch(object, patch)
}
