import { isJsonObject, type JsonObject } from '../../src/core/base/json.ts'
import type { GroupKind, Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { Diagnostic } from '../../src/core/yaml/diagnostic.ts'
import { parseYaml } from '../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../src/core/yaml/source-file.ts'
import type { Type } from '../../src/engine/expression/types/type.ts'
import { schemaType } from '../../src/engine/role/check/schema-type.ts'
import { compileRole } from '../../src/engine/role/compile/compile-role.ts'
import { RoleParser } from '../../src/engine/role/parse/parse-role.ts'
import { TaskRegistry } from '../../src/engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { projectSchemas } from '../../src/rolebook/config/project-schemas.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { sourcesOf } from './sources.ts'

/** A kind with fields of every form. */
const CRD = `
spec:
  group: example.com
  names: {kind: Web, plural: webs}
  scope: Namespaced
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size, name]
              properties:
                size: {type: integer}
                name: {type: string}
                ratio: {type: number}
                debug: {type: boolean}
                mode: {type: string, enum: [fast, slow]}
                host: {type: string}
                tags: {type: array, items: {type: string}}
                config: {type: object, additionalProperties: {type: string}}
                free: {type: object, x-kubernetes-preserve-unknown-fields: true}
                port: {x-kubernetes-int-or-string: true}
                node-port: {type: integer}
                mixed: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}
                any: {x-kubernetes-preserve-unknown-fields: true}
                maybe: {type: string, nullable: true}
                memory: {type: string, default: 1Gi}
                ports:
                  type: array
                  items:
                    type: object
                    required: [port]
                    properties:
                      port: {type: integer}
                      name: {type: string}
                      hosts: {type: array, items: {type: string}}
            status:
              type: object
              properties:
                nodes: {type: array, items: {type: string}}
                ready: {type: integer}
                phase: {type: string, enum: [Up, Down]}
                healthy: { type: string, enum: ['True', 'False', Unknown] }
                conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

const [crd] = parseYaml(new SourceFile('crd.yaml', CRD)).documents.map(({ value }) => value)
const schemas = projectSchemas({ builtin: loadBuiltinSchemas() }, [{ object: isJsonObject(crd) ? crd : {} }])
/** The type of `$` in a role for the kind above. */
export const WEB: Type = schemaType(schemas.get({ group: 'example.com', version: 'v1', kind: 'Web' }))

const PARSER = new RoleParser(new TaskRegistry(builtinTaskKinds))
const WATCH = { group: 'example.com', version: 'v1', kind: 'Web' }
const FIELDS = new Set(['apiVersion', 'kind', 'metadata', 'spec'])

interface CheckedRoleOptions {
  readonly acknowledge?: readonly GroupKind[]
  readonly watch?: Gvk
  /** Of the role, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Of another vocabulary than the one that comes with rolebook. */
  readonly parser?: RoleParser
}

/** Everything that is said against the text of a role for the kind above. */
export function checkText(
  text: string,
  vars: JsonObject = {},
  { acknowledge = [], watch = WATCH, files = {}, parser = PARSER }: CheckedRoleOptions = {},
): readonly Diagnostic[] {
  const { draft, diagnostics } = parser.parse(new SourceFile('role.yaml', text), sourcesOf(files))
  if (!draft) return diagnostics
  const compiled = compileRole(draft, { name: 'web', watch, vars, fields: FIELDS, schemas, acknowledge })
  return [...diagnostics, ...compiled.diagnostics]
}
