import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'
import { columnsOf } from '../kinds/common/columns.ts'
import { mapField, withDefaults } from '../kinds/common/fields.ts'
import { goDecoder } from '../kinds/decode/empty-parts.ts'
import type { KindRules } from '../kinds/kind-rules.ts'
import {
  CRD_GVK,
  type CrdConversion,
  type CrdStatus,
  type CustomResourceDefinition,
} from './custom-resource-definition.ts'
import { decodeNestedSchemas } from './decode-nested-schemas.ts'
import { dropEmptyParts, keepEmptyParts } from './empty-parts.ts'
import { formatWarnings } from './format-warnings.ts'
import { validateCrd, validateCrdStatus } from './validate-crd.ts'

/** What the server does to CustomResourceDefinitions themselves. */
export function crdRulesOf(schemas: BuiltinSchemas): KindRules {
  const schema = schemas.get(CRD_GVK)
  const props = schemas.definition('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps')
  if (!schema || !props) return RULES
  const decode = goDecoder(schema)
  const decodeBody = (body: KubeObject): KubeObject =>
    withoutWebhook(keepEmptyParts(decodeNestedSchemas(decode(body), props), body), (versions) => !versions)
  return { ...RULES, decode: decodeBody }
}

const COLUMNS = columnsOf(CRD_GVK)

const RULES: KindRules = {
  gvk: CRD_GVK,
  encode: (object) => withoutWebhook(dropEmptyParts(object), (versions) => !versions?.length),
  applyDefaults,
  prepareForCreate: (object) => withStoredVersion(object as CustomResourceDefinition, NEW_STATUS),
  prepareForUpdate: (object, old) =>
    withStoredVersion(object as CustomResourceDefinition, (old as CustomResourceDefinition).status),
  prepareForStatusUpdate: (object, old) => ({ ...object, spec: old.spec }),
  validate: (object, old) =>
    validateCrd(object as CustomResourceDefinition, old as CustomResourceDefinition | undefined),
  validateStatusUpdate: (object) => validateCrdStatus(object as CustomResourceDefinition),
  warnings: (object, old) =>
    formatWarnings(object as CustomResourceDefinition, old as CustomResourceDefinition | undefined),
  generationFields: [['spec']],
  resetFields: { main: [['status']], status: [['spec']] },
  ...(COLUMNS && { columns: COLUMNS }),
  unconditionalUpdate: false,
}

/** Drops an empty `webhook`: it counts as none. */
function withoutWebhook(crd: KubeObject, isEmpty: (reviewVersions: readonly string[] | null) => boolean): KubeObject {
  const { spec } = crd as CustomResourceDefinition
  const webhook = spec.conversion?.webhook
  if (!webhook || webhook.clientConfig || !isEmpty(webhook.conversionReviewVersions)) return crd
  return { ...crd, spec: { ...spec, conversion: { strategy: spec.conversion.strategy } } } as KubeObject
}

const NEW_STATUS = { conditions: null, acceptedNames: { plural: '', kind: '' } }

function applyDefaults(object: KubeObject): KubeObject {
  const crd = object as CustomResourceDefinition
  const { names } = crd.spec
  const { kind } = names
  const allNames = {
    ...names,
    singular: names.singular || kind.toLowerCase(),
    ...(kind !== '' && { listKind: names.listKind || `${kind}List` }),
  }
  const conversion = conversionDefaults(crd.spec.conversion as JsonObject | undefined) as CrdConversion
  const spec = { ...crd.spec, conversion, names: allNames }
  const complete = { ...crd, spec }
  return crd.status.storedVersions?.length ? complete : withStoredVersion(complete, crd.status)
}

/** The service of a webhook listens on 443 by default. */
function conversionDefaults(conversion: JsonObject = { strategy: 'None' }): JsonObject {
  return mapField(conversion, 'webhook', (webhook) =>
    mapField(webhook, 'clientConfig', (config) =>
      mapField(config, 'service', (service) => withDefaults(service, { port: 443 })),
    ),
  )
}

/** A version that was ever stored stays in the list until a client removes it. */
function withStoredVersion(crd: CustomResourceDefinition, status: Partial<CrdStatus>): KubeObject {
  const storage = crd.spec.versions?.find((version) => version.storage)?.name
  const stored = status.storedVersions ?? []
  const storedVersions = storage === undefined || stored.includes(storage) ? stored : [...stored, storage]
  return { ...crd, status: { ...NEW_STATUS, ...status, storedVersions } } as KubeObject
}
