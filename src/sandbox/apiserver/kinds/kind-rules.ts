import type { JsonObject, JsonPath, JsonValue } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import type { ObjectApi } from '../object-api.ts'
import type { EmptyForms } from './decode/empty-parts.ts'
import { DEFAULT_SERVICE_RANGE, type ServiceRange } from './service/service-range.ts'

/**
 * What a built-in kind does on top of its schema. Every member is optional but `gvk`; all functions are pure and leave
 * their arguments alone. The write pipeline calls them in this order:
 *
 * `decode` → `applyDefaults` → managedFields → `prepareFor…` → `validate…` → `encode` → store
 *
 * so that fields set by `applyDefaults` belong to the writer and fields set by `prepareFor…` (admission plugins,
 * allocation, status) have no manager, as in the real server.
 */
export interface KindRules {
  readonly gvk: Gvk
  /**
   * What the server's decoder makes of a body or of a patched object: zero values that the Go type leaves out dropped,
   * those it always writes added, quantities and times in canonical form.
   *
   * @throws ApiError 400 when a value does not fit its type
   */
  readonly decode?: (object: KubeObject) => KubeObject
  /**
   * Whether empty lists, maps and bytes stay until the object is stored, because the functions below distinguish them from
   * missing ones. Admission and answers to clients do not contain them. Defaults to false: the decoder drops them.
   */
  readonly keepsEmpty?: boolean
  /** How such an object looks without them; set with the decoder. */
  readonly emptyForms?: EmptyForms
  /** What is stored of an object: without what was there for validation alone. */
  readonly encode?: (object: KubeObject) => KubeObject
  readonly applyDefaults?: (object: KubeObject) => KubeObject
  /** Built-in admission plugins and the strategy: resets status, allocates addresses, fills names. */
  readonly prepareForCreate?: (object: KubeObject, context: KindContext) => KubeObject
  /** Main endpoint. Takes over from `old` what this endpoint cannot change (status). */
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject, context: KindContext) => KubeObject
  /** `/status`. Takes over from `old` what this endpoint cannot change (spec, labels…). */
  readonly prepareForStatusUpdate?: (object: KubeObject, old: KubeObject, context: KindContext) => KubeObject
  /** Main endpoint. What is refused before anything else, metadata included, is looked at. */
  readonly validateFirst?: KindRules['validate']
  /** `old` is absent on create. */
  readonly validate?: (object: KubeObject, old: KubeObject | undefined, context: KindContext) => readonly FieldError[]
  /**
   * Main endpoint. What of an update depends on the old object, where complaints about the change of the metadata stand between
   * this and `validate`. Absent: `validate` says all.
   */
  readonly validateChange?: (object: KubeObject, old: KubeObject, context: KindContext) => readonly FieldError[]
  /** Other subresources that take the whole object, and change a part of it. Fields that they ignore are tracked. */
  readonly subresources?: Readonly<Record<string, SubresourceRules>>
  readonly validateStatusUpdate?: (object: KubeObject, old: KubeObject, context: KindContext) => readonly FieldError[]
  /** Texts for `Warning` headers of a write. */
  readonly warnings?: (object: KubeObject, old: KubeObject | undefined) => readonly string[]
  /** A change of any of these increments `metadata.generation`. Absent: the kind has no generation. */
  readonly generationFields?: readonly JsonPath[]
  /**
   * Whether an empty list or map that is not stored is such a change, each time that it is written: the strategy of the kind compares with
   * `reflect.DeepEqual`. Needs `keepsEmpty`. Defaults to false.
   */
  readonly countsEmpty?: boolean
  /** Fields an endpoint ignores, hence left out of `managedFields` of writes to it. */
  readonly resetFields?: {
    readonly main?: readonly JsonPath[]
    readonly status?: readonly JsonPath[]
  }
  readonly scale?: ScalePaths
  /** Of `kubectl get`, after NAMESPACE. Absent: NAME and AGE. */
  readonly columns?: readonly TableColumn[]
  /** In which order a list stands in that table. Absent: the order of the list. */
  readonly compareRows?: (left: KubeObject, right: KubeObject) => number
  /** Of a row of that table: what is to be marked about the object. */
  readonly rowConditions?: (object: KubeObject) => readonly JsonObject[]
  /** Beyond `metadata.name` and `metadata.namespace`: field label to the value compared. */
  readonly fieldSelectors?: Readonly<Record<string, (object: KubeObject) => string>>
  /** PUT to a name that is absent creates the object. Defaults to false. */
  readonly createOnUpdate?: boolean
  /** PUT without resourceVersion overwrites. Defaults to true; false answers 422. */
  readonly unconditionalUpdate?: boolean
  /** Seconds between a DELETE and the removal; 0 or absent removes at once. `requested` comes from DeleteOptions. */
  readonly gracePeriodSeconds?: (object: KubeObject, requested: number | undefined) => number
  /** What names of the kind must look like: `any` fits a path. Defaults to `subdomain` (RFC 1123); see `NAME_CHECKS`. */
  readonly nameFormat?: 'subdomain' | 'long-name' | 'label' | 'label-1035' | 'path-segment' | 'ip-address' | 'any'
}

/** What a subresource does on top of the schema of its kind. */
export interface SubresourceRules {
  /** Takes over from `old` all that the subresource cannot change. */
  readonly prepareForUpdate: (object: KubeObject, old: KubeObject) => KubeObject
  readonly validate: (object: KubeObject, old: KubeObject, context: KindContext) => readonly FieldError[]
}

/** What rules may look at beyond the object itself. */
export interface KindContext {
  readonly objects: Pick<ObjectApi, 'get' | 'list'>
  /** Milliseconds since 1970. */
  readonly now: number
  readonly settings: KindSettings
  /** Nothing is kept of what becomes of the request. */
  readonly dryRun: boolean
  /** The object as it will be stored: what it is compared with has no empty parts. */
  readonly stored: (object: KubeObject) => KubeObject
}

/** What the server was started with, as far as it matters to kinds. */
export interface KindSettings {
  readonly serviceRange: ServiceRange
  /** Whether a pod gets the ServiceAccount that it names, or the default one, and must name one that is there. */
  readonly admitsServiceAccounts: boolean
}

export const DEFAULT_SETTINGS: KindSettings = { serviceRange: DEFAULT_SERVICE_RANGE, admitsServiceAccounts: true }

/** Where `/scale` finds its numbers. `selector` is the path of a label selector or of a map of labels. */
export interface ScalePaths {
  readonly specReplicas: JsonPath
  readonly statusReplicas: JsonPath
  readonly selector: JsonPath
}

/** A column of a `meta.k8s.io/v1` Table. */
export interface TableColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description: string
  /** 0 shows always, 1 with `-o wide`. Defaults to 0. */
  readonly priority?: number
  /** `now` in milliseconds since 1970, for ages. */
  readonly cell: (object: KubeObject, now: number) => JsonValue
}
