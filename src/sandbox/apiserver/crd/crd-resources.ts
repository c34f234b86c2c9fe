import type { JsonObject } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import { crdSchemas } from '../../../core/schema/crd-schemas.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { forbidden, type GroupResource } from '../api-status.ts'
import { compareVersions } from '../discovery/compare-versions.ts'
import type { KindRules } from '../kinds/kind-rules.ts'
import { type ServedResource, type ServedSubresource, tableOf } from '../served-resource.ts'
import { ConversionWebhook } from './conversion/conversion-webhook.ts'
import { type CrdVersion, type CustomResourceDefinition, isConditionTrue } from './custom-resource-definition.ts'
import { customRules } from './custom-rules.ts'

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const ENDING_VERBS = VERBS.filter((verb) => !['create', 'update', 'patch'].includes(verb))
const SUBRESOURCE_VERBS = ['get', 'patch', 'update']

/** What custom resources take from the built-in ones. */
export interface CrdBasis {
  /** Schema of metadata. */
  readonly objectMeta: Schema
  /** How bodies of `/scale` are read. */
  readonly scale: ServedResource
}

/** What an established CRD makes the server serve. */
export function crdResources(
  crd: CustomResourceDefinition,
  { objectMeta, scale }: CrdBasis,
): readonly ServedResource[] {
  const { group } = crd.spec
  const byName = [...crdSchemas(crd as JsonObject, objectMeta)]
  const schemas = new Map(byName.map(([name, schema]) => [`${group}/${name}`, schema]))
  const { conversion } = crd.spec
  const client = conversion?.strategy === 'Webhook' ? conversion.webhook : undefined
  const webhook = client && new ConversionWebhook(client)
  return reachableVersions(crd).map((version) => toServed(crd, version, { schemas, scale, webhook }))
}

/** Those that are served; the objects of a CRD that ends can be reached to the last in the stored one. */
function reachableVersions(crd: CustomResourceDefinition): readonly CrdVersion[] {
  const served = crd.spec.versions.filter((version) => version.served)
  const isUnreachable = served.length === 0 && isConditionTrue(crd, 'Terminating')
  return isUnreachable ? crd.spec.versions.filter(({ storage }) => storage) : served
}

/** What the versions of a CRD share. */
interface Shared {
  readonly schemas: ReadonlyMap<string, Schema>
  readonly scale: ServedResource
  readonly webhook: ConversionWebhook | undefined
}

function toServed(
  crd: CustomResourceDefinition,
  version: CrdVersion,
  { schemas, scale, webhook }: Shared,
): ServedResource {
  const { group, scope, versions } = crd.spec
  const { kind, plural, singular = '', listKind = '', shortNames = [], categories = [] } = crd.status.acceptedNames
  const [stored = version] = versions.filter(({ storage }) => storage)
  const gvk = { group, version: version.name, kind }
  const isEnding = isConditionTrue(crd, 'Terminating')
  const schema = schemas.get(`${group}/${version.name}`)
  return {
    group,
    version: version.name,
    gvk,
    kind,
    listKind,
    plural,
    singular,
    shortNames,
    categories,
    namespaced: scope === 'Namespaced',
    verbs: VERBS,
    ...(isEnding && { shownVerbs: ENDING_VERBS }),
    subresources: subresourcesOf(version, gvk, scale),
    table: tableOf({ group, plural }),
    storageVersion: stored.name,
    custom: true,
    returnsDeleted: false,
    schema,
    schemas,
    rules: isEnding
      ? endingRules(customRules(gvk, version, schema), { group, plural })
      : customRules(gvk, version, schema),
    deprecation: deprecationOf(crd, version),
    ...(webhook && { webhook }),
  }
}

/** When a kind is terminating, its objects can still be changed, so that finalizers can be removed. New ones are refused. */
function endingRules(rules: KindRules, resource: GroupResource): KindRules {
  return {
    ...rules,
    prepareForCreate: ({ metadata }) => {
      const cause = 'create not allowed while custom resource definition is terminating'
      throw forbidden(resource, metadata.name ?? '', cause)
    },
  }
}

function subresourcesOf(
  { subresources }: CrdVersion,
  gvk: Gvk,
  scale: ServedResource,
): ReadonlyMap<string, ServedSubresource> {
  const found = new Map<string, ServedSubresource>()
  if (subresources?.status) found.set('status', { name: 'status', gvk, verbs: SUBRESOURCE_VERBS })
  if (subresources?.scale) found.set('scale', { name: 'scale', gvk: scale.gvk, verbs: SUBRESOURCE_VERBS, body: scale })
  return found
}

function deprecationOf({ spec }: CustomResourceDefinition, version: CrdVersion): string | undefined {
  if (!version.deprecated) return undefined
  if (version.deprecationWarning !== undefined) return version.deprecationWarning
  const [better] = spec.versions
    .filter(({ served, deprecated, name }) => served && !deprecated && compareVersions(name, version.name) < 0)
    .sort((left, right) => compareVersions(left.name, right.name))
  const { kind } = spec.names
  const text = `${spec.group}/${version.name} ${kind} is deprecated`
  return better ? `${text}; use ${spec.group}/${better.name} ${kind}` : text
}
