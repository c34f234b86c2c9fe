import { getPath, type JsonObject } from '../../../core/base/json.ts'
import { apiVersionOf, formatGvk, type GroupKind } from '../../../core/kube/group-version-kind.ts'
import type { Project } from '../../../engine/operator/project.ts'
import type { Role } from '../../../engine/role/role.ts'
import { descriptorsOf, inWords } from './descriptors.ts'

/** What the operator offers: each version that a CRD serves, with how a console shows it. */
export function ownedCrds(project: Project): readonly JsonObject[] {
  return project.crds.flatMap((crd) => {
    const spec = crd.spec as CrdSpec
    return spec.versions
      .filter(({ served }) => served === true)
      .map((version) => describe({ name: crd.metadata.name as string, spec, version }, project))
  })
}

interface CrdSpec extends JsonObject {
  readonly group: string
  readonly names: JsonObject & { readonly kind: string }
  readonly versions: readonly JsonObject[]
}

interface Owned {
  readonly name: string
  readonly spec: CrdSpec
  readonly version: JsonObject
}

function describe({ name, spec, version }: Owned, project: Project): JsonObject {
  const { kind } = spec.names
  const schema = getPath(version, ['schema', 'openAPIV3Schema'])
  const description = getPath(schema, ['description'])
  const part = (field: string): JsonObject | undefined =>
    getPath(schema, ['properties', field]) as JsonObject | undefined
  return {
    name,
    version: version.name as string,
    kind,
    displayName: inWords(kind),
    description: typeof description === 'string' ? description : `Looked after by the role ${roleFor(spec, project)}.`,
    resources: madeFor(spec, project),
    specDescriptors: descriptorsOf(part('spec')),
    statusDescriptors: descriptorsOf(part('status')),
  }
}

/** Describes the kinds that the operator reconciles: those that it owns, and others, such as built-in ones. */
export function kindsInWords({ watches }: Project, owned: readonly JsonObject[]): readonly JsonObject[] {
  const others = watches.filter(({ watch: { gvk } }) => !owned.some((one) => isOf(one, gvk)))
  const described = others.map(({ watch: { gvk }, role }) => {
    return { kind: gvk.kind, version: gvk.version, description: `Looked after by the role ${role.name}.` }
  })
  return [...owned, ...described]
}

function isOf({ name, kind }: JsonObject, gvk: GroupKind): boolean {
  return kind === gvk.kind && groupIn(String(name)) === gvk.group
}

function rolesFor({ group, names }: CrdSpec, { watches }: Project): readonly Role[] {
  const entries = watches.filter(({ watch }) => watch.gvk.group === group && watch.gvk.kind === names.kind)
  return entries.map(({ role }) => role)
}

function roleFor(spec: CrdSpec, project: Project): string {
  return [...new Set(rolesFor(spec, project).map(({ name }) => name))].join(', ')
}

/** Kinds that the roles of a kind make objects of. */
function madeFor(spec: CrdSpec, project: Project): readonly JsonObject[] {
  const permissions = rolesFor(spec, project).flatMap((role) => role.permissions)
  const made = permissions.filter(({ access }) => access === 'own').map(({ gvk }) => gvk)
  const kinds = new Map(made.map((gvk) => [formatGvk(gvk), gvk]))
  return [...kinds.values()].map((gvk) => ({ kind: gvk.kind, name: '', version: apiVersionOf(gvk) }))
}

/** The samples of kinds that are owned, as a console offers them for new resources. */
export function almExamples({ samples }: Project, owned: readonly JsonObject[]): string {
  const types = new Set(owned.map(({ name, version, kind }) => `${groupIn(String(name))}/${version} ${kind}`))
  const examples = samples
    .flatMap(({ objects }) => objects)
    .filter(({ apiVersion, kind }) => types.has(`${apiVersion} ${kind}`))
  return JSON.stringify(examples, null, 2)
}

/** `example.com` of `webs.example.com`. */
function groupIn(crd: string): string {
  return crd.slice(crd.indexOf('.') + 1)
}
