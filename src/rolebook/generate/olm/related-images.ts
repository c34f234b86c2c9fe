import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import type { ProjectFiles } from '../../config/project-files.ts'
import type { TextFile } from '../../config/read-text-file.ts'

/**
 * Images that the files of roles name literally, for mirrors in closed networks: texts under a key
 * `image`, or one that ends in `Image`. What a resource names is the user's.
 */
export function imagesIn(files: ProjectFiles, roles: ReadonlySet<string>): readonly string[] {
  const images = new Set<string>()
  for (const [name, { role, files: tasks }] of files.roles) {
    if (!roles.has(name)) continue
    for (const file of [...role, ...tasks.values()]) for (const value of valuesIn(file)) collect(value, images)
  }
  return [...images].sort()
}

function valuesIn({ path, source }: TextFile): readonly JsonValue[] {
  return source && path.endsWith('.yaml') ? parseYaml(source).documents.map(({ value }) => value) : []
}

function collect(value: JsonValue, images: Set<string>): void {
  if (isJsonArray(value)) for (const item of value) collect(item, images)
  if (!isJsonObject(value)) return
  for (const [key, field] of Object.entries(value)) {
    if (typeof field !== 'string') collect(field as JsonValue, images)
    else if (/^image$|Image$/.test(key) && IMAGE.test(field)) images.add(field)
  }
}

/** A name with a path, a tag and a digest, or without: `nginx:1.29`, `quay.io/team/app`. No expression. */
const IMAGE = /^[a-z0-9][-a-z0-9._]*(:\d+)?(\/[a-z0-9][-a-z0-9._]*)*(:[\w][-.\w]*)?(@sha256:[0-9a-f]{64})?$/

/** Each once, with a name of its own, which is all that a catalogue wants. */
export function relatedImages(images: readonly string[]): readonly JsonObject[] {
  const byName = new Map<string, string>()
  for (const image of new Set(images)) byName.set(unusedName(nameOf(image), byName), image)
  return [...byName].map(([name, image]) => ({ name, image }))
}

/** Without tag and digest. */
function nameOf(image: string): string {
  return image.replace(/[@:][^/]*$/, '').replace(/[^a-z0-9]+/g, '-')
}

/** `nginx`, `nginx-2`, `nginx-3`. */
function unusedName(name: string, used: ReadonlyMap<string, string>): string {
  let unused = name
  for (let number = 2; used.has(unused); number++) unused = `${name}-${number}`
  return unused
}
