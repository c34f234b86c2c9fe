import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { checkLabel, checkSubdomain } from '../../write/names.ts'
import {
  asStruct,
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  required,
} from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { validateFixedSpec } from './fixed-specs.ts'

const MAX_PRECEDENCE = 10_000
const METHODS = ['ByNamespace', 'ByUser']
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

/** The spec; the schemas that every server has cannot be changed. */
export function validateFlowSchema(object: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  return [
    ...validatePrecedence(spec, object.metadata.name ?? ''),
    ...validateMethod(spec),
    ...validateLevel(textAt(objectAt(spec, 'priorityLevelConfiguration'), 'name')),
    ...itemsAt(spec, 'rules').flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`)),
    ...validateFixedSpec(object),
  ]
}

function validatePrecedence(spec: JsonObject, name: string): FieldErrors {
  const field = 'spec.matchingPrecedence'
  const precedence = numberAt(spec, 'matchingPrecedence')
  const refuse = (detail: string) => [invalid(field, precedence, detail)]
  if (precedence <= 0) return refuse('must be a positive value')
  if (precedence > MAX_PRECEDENCE) return refuse(`must not be greater than ${MAX_PRECEDENCE}`)
  if (precedence !== 1 || name === 'exempt') return []
  return refuse("only the schema named 'exempt' may have matchingPrecedence 1")
}

function validateMethod({ distinguisherMethod }: JsonObject): FieldErrors {
  if (!isJsonObject(distinguisherMethod)) return []
  const type = textAt(distinguisherMethod, 'type')
  if (METHODS.includes(type)) return []
  return [asStruct(notSupported('spec.distinguisherMethod.type', { Type: type }, METHODS))]
}

function validateLevel(name: string): FieldErrors {
  const field = 'spec.priorityLevelConfiguration.name'
  return name === ''
    ? [required(field, 'must reference a priority level')]
    : invalidFor(field, name, checkSubdomain(name))
}

function validateRule(rule: JsonObject, field: string): FieldErrors {
  const subjects = itemsAt(rule, 'subjects')
  const resources = itemsAt(rule, 'resourceRules')
  const others = itemsAt(rule, 'nonResourceRules')
  const isEmpty = resources.length + others.length === 0
  const missing = 'at least one of resourceRules and nonResourceRules has to be non-empty'
  return [
    ...(subjects.length === 0 ? [required(`${field}.subjects`, 'subjects must contain at least one value')] : []),
    ...subjects.flatMap((subject, index) => validateSubject(subject, `${field}.subjects[${index}]`)),
    ...(isEmpty ? [required(field, missing)] : []),
    ...resources.flatMap((each, index) => validateResources(each, `${field}.resourceRules[${index}]`)),
    ...others.flatMap((each, index) => validateOthers(each, `${field}.nonResourceRules[${index}]`)),
  ]
}

/** By kind, its field, and which other fields are complained about, in the order of the server. */
const SUBJECTS: Readonly<Record<string, { readonly own: string; readonly others: readonly string[] }>> = {
  ServiceAccount: { own: 'serviceAccount', others: ['user', 'group'] },
  User: { own: 'user', others: ['serviceAccount', 'group'] },
  Group: { own: 'group', others: ['serviceAccount', 'user'] },
}

const KIND_OF: Readonly<Record<string, string>> = { serviceAccount: 'ServiceAccount', user: 'User', group: 'Group' }

function validateSubject(subject: JsonObject, field: string): FieldErrors {
  const kind = textAt(subject, 'kind')
  const known = SUBJECTS[kind]
  if (!known) return [notSupported(`${field}.kind`, kind, Object.keys(SUBJECTS).sort())]
  const { own, others } = known
  const named = subject[own]
  const extra = others.filter((other) => subject[other] !== undefined)
  return [
    ...(isJsonObject(named)
      ? validateNamed(named, own, `${field}.${own}`)
      : [required(`${field}.${own}`, `${own} is required when subject kind is '${kind}'`)]),
    ...extra.map((other) =>
      forbidden(`${field}.${other}`, `${other} is forbidden when subject kind is not '${KIND_OF[other]}'`),
    ),
  ]
}

function validateNamed(named: JsonObject, own: string, field: string): FieldErrors {
  const name = textAt(named, 'name')
  const missing = name === '' ? [required(`${field}.name`)] : []
  if (own !== 'serviceAccount') return missing
  const namespace = textAt(named, 'namespace')
  return [
    ...missing,
    ...(name === '' || name === '*' ? [] : invalidFor(`${field}.name`, name, checkSubdomain(name))),
    ...(namespace === ''
      ? [required(`${field}.namespace`, 'must specify namespace for service account')]
      : invalidFor(`${field}.namespace`, namespace, checkLabel(namespace))),
  ]
}

function validateResources(rule: JsonObject, field: string): FieldErrors {
  const [groups, resources] = [textsAt(rule, 'apiGroups'), textsAt(rule, 'resources')]
  return [
    ...validateVerbs(rule, field),
    ...(groups.length === 0
      ? [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
      : []),
    ...validateWildcard(groups, `${field}.apiGroups`, 'api groups'),
    ...(resources.length === 0
      ? [required(`${field}.resources`, 'resource rules must supply at least one resource')]
      : []),
    ...validateWildcard(resources, `${field}.resources`, 'resources'),
    ...validateNamespaces(rule, `${field}.namespaces`),
  ]
}

function validateVerbs(rule: JsonObject, field: string): FieldErrors {
  const place = `${field}.verbs`
  const verbs = textsAt(rule, 'verbs')
  if (verbs.length === 0) return [required(place, 'verbs must contain at least one value')]
  if (verbs.includes('*')) return validateWildcard(verbs, place, 'verbs')
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [notSupported(place, verbs, VERBS)]
}

function validateWildcard(values: readonly string[], field: string, others: string): FieldErrors {
  if (!values.includes('*') || values.length === 1) return []
  return [invalid(field, values, `if '*' is present, must not specify other ${others}`)]
}

function validateNamespaces(rule: JsonObject, field: string): FieldErrors {
  const namespaces = textsAt(rule, 'namespaces')
  if (namespaces.length === 0 && rule.clusterScope !== true) {
    const text = 'resource rules that are not cluster scoped must supply at least one namespace'
    return [required(field, text)]
  }
  if (namespaces.includes('*')) return validateWildcard(namespaces, field, 'namespaces')
  const head = "each member of this list must be '*' or a DNS-1123 label; "
  return namespaces.flatMap((each, index) =>
    invalidFor(
      `${field}[${index}]`,
      each,
      checkLabel(each).map((text) => head + text),
    ),
  )
}

function validateOthers(rule: JsonObject, field: string): FieldErrors {
  const place = `${field}.nonResourceURLs`
  const urls = textsAt(rule, 'nonResourceURLs')
  return [
    ...validateVerbs(rule, field),
    ...(urls.length === 0 ? [required(place, 'nonResourceURLs must contain at least one value')] : []),
    ...validateWildcard(urls, place, 'non-resource URLs'),
    ...(urls.includes('*')
      ? []
      : urls.flatMap((url, index) => invalidFor(`${place}[${index}]`, url, checkUrlPath(url)))),
  ]
}

/** Only the first complaint counts. */
function checkUrlPath(path: string): readonly string[] {
  if (path === '') return ['must not be empty']
  if (path === '/') return []
  if (!path.startsWith('/')) return ['must start with slash']
  if (path.includes(' ')) return ['must not contain white-space']
  if (path.includes('//')) return ['must not contain double slash']
  const stars = path.split('*').length - 1
  return stars > 1 || (stars === 1 && !path.endsWith('/*')) ? ['wildcard can only do suffix matching'] : []
}
