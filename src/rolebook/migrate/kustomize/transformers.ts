import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KnownKinds } from '../known-kinds.ts'
import { Undecided } from '../undecided.ts'
import type { BuiltObject, NamedObject } from './built-object.ts'
import { annotated, labelled } from './labels.ts'

type Transform = (given: JsonValue, objects: readonly BuiltObject[], known: KnownKinds) => readonly BuiltObject[]

/** What a key of kustomization.yaml does to all objects, in the order of Kustomize. */
export const TRANSFORMERS: Readonly<Record<string, Transform>> = {
  namespace: (given, objects, known) =>
    objects.map((one) => ({ ...one, object: inNamespace(one.object, String(given), known) })),
  namePrefix: (given, objects) => renamed(objects, (name) => `${String(given)}${name}`),
  nameSuffix: (given, objects) => renamed(objects, (name) => `${name}${String(given)}`),
  commonLabels: (given, objects) => labelled(objects, mapOf(given), { selectors: true, templates: true }),
  labels: (given, objects) => {
    const entries = mapsOf(given)
    return entries.reduce((all, { pairs, includeSelectors, includeTemplates }) => {
      const where = {
        selectors: includeSelectors === true,
        templates: includeSelectors === true || includeTemplates === true,
      }
      return labelled(all, mapOf(pairs), where)
    }, objects)
  },
  commonAnnotations: (given, objects) => annotated(objects, mapOf(given)),
  images: (given, objects) => {
    const images = mapsOf(given)
    return objects.map((one) => ({
      ...one,
      object: mapFields(one.object, (value, path) => (isImage(path) ? newImage(value, images) : value)),
    }))
  },
  replicas: (given, objects) => {
    const counts = mapsOf(given)
    return objects.map((one) => {
      const found = counts.find(
        ({ name }) =>
          one.origin.endsWith(` ${String(name)}`) && /^(Deployment|StatefulSet|ReplicaSet) /.test(one.origin),
      )
      return found ? { ...one, object: withCount(one.object, found.count) } : one
    })
  },
}

/** Kinds that are not known are taken to be in one, as Kustomize does. */
function inNamespace(object: NamedObject, namespace: string, known: KnownKinds): NamedObject {
  const [apiVersion, kind] = [String(object.apiVersion), String(object.kind)]
  const withMetadata = (fields: JsonObject): NamedObject => ({
    ...object,
    metadata: { ...object.metadata, ...fields },
  })
  if (kind === 'Namespace') return withMetadata({ name: namespace })
  const isNamespaced = known.isNamespaced(gvkOf({ apiVersion, kind })) !== false
  const own = isNamespaced ? withMetadata({ namespace }) : object
  if (!/^(Cluster)?RoleBinding$/.test(kind) || !isJsonArray(own.subjects)) return own
  const subjects = own.subjects.map((subject) =>
    isJsonObject(subject) && subject.kind === 'ServiceAccount' && subject.name === 'default'
      ? { ...subject, namespace }
      : subject,
  )
  return { ...own, subjects }
}

/** Fields that name an object of a kind. */
const REFERENCES: readonly (readonly [RegExp, string])[] = [
  [/(configMap|configMapRef|configMapKeyRef)\.name$/, 'ConfigMap'],
  [/(secretRef|secretKeyRef|secret)\.name$|secret\.secretName$|\.secretName$|imagePullSecrets\.\d+\.name$/, 'Secret'],
  [/persistentVolumeClaim\.claimName$/, 'PersistentVolumeClaim'],
  [/serviceAccountName$/, 'ServiceAccount'],
  [/spec\.serviceName$|service\.name$|backend\.serviceName$/, 'Service'],
  [/scaleTargetRef\.name$/, 'Deployment'],
  [/scaleTargetRef\.name$/, 'StatefulSet'],
  [/roleRef\.name$/, 'Role'],
  [/roleRef\.name$/, 'ClusterRole'],
  [/subjects\.\d+\.name$/, 'ServiceAccount'],
]

function renamed(objects: readonly BuiltObject[], rename: (name: string) => string): readonly BuiltObject[] {
  const names = new Map<string, string>()
  const all = objects.map((one) => {
    const { kind, metadata } = one.object
    if (kind === 'Namespace' || kind === 'CustomResourceDefinition') return one
    const name = rename(String(metadata.name))
    names.set(`${String(kind)} ${String(metadata.name)}`, name)
    return { ...one, object: { ...one.object, metadata: { ...metadata, name } } }
  })
  return all.map((one) => ({ ...one, object: mapFields(one.object, (value, path) => reference(value, path, names)) }))
}

function reference(value: JsonValue, path: JsonPath, names: ReadonlyMap<string, string>): JsonValue {
  if (typeof value !== 'string' || path[0] === 'metadata') return value
  const place = path.join('.')
  const found = REFERENCES.find(([pattern, kind]) => pattern.test(place) && names.has(`${kind} ${value}`))
  return found ? (names.get(`${found[1]} ${value}`) as string) : value
}

function isImage(path: JsonPath): boolean {
  return path.at(-1) === 'image' && typeof path.at(-2) === 'number' && /ontainers$/.test(String(path.at(-3)))
}

function newImage(value: JsonValue, images: readonly JsonObject[]): JsonValue {
  const [, name = '', rest = ''] = /^([^@]*?)((?::[^:/@]+)?(?:@.*)?)$/.exec(String(value)) ?? []
  const found = images.find((image) => image.name === name)
  if (!found) return value
  const { newName = name, newTag, digest } = found
  const tag = newTag === undefined ? '' : `:${String(newTag)}`
  const end = digest === undefined ? tag : `${tag}@${String(digest)}`
  return `${String(newName)}${end === '' ? rest : end}`
}

function mapsOf(value: JsonValue): readonly JsonObject[] {
  if (isJsonArray(value)) return value.filter(isJsonObject)
  throw new Undecided('RB1705', 'this is not a list')
}

function mapOf(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value
  throw new Undecided('RB1705', 'this is not a map')
}

function withCount(object: NamedObject, replicas: JsonValue | undefined): NamedObject {
  return { ...object, spec: { ...(object.spec as JsonObject), replicas } }
}

function mapFields(value: NamedObject, map: (value: JsonValue, path: JsonPath) => JsonValue): NamedObject {
  const walk = (inner: JsonValue, path: JsonPath): JsonValue => {
    if (isJsonArray(inner)) return inner.map((item, index) => walk(item, [...path, index]))
    if (!isJsonObject(inner)) return map(inner, path)
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, walk(one as JsonValue, [...path, key])]))
  }
  return walk(value, []) as NamedObject
}
