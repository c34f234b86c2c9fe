import { join } from 'node:path'
import type { Diagnostic } from '../../src/core/yaml/diagnostic.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import type { ProjectResult } from '../../src/rolebook/config/load-project.ts'
import { checkProject } from '../../src/rolebook/trial/check-project.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { temporaryFolder, writeFiles } from './temporary-folder.ts'

const FIELDS = `size: {type: integer, minimum: 0, maximum: 9}
                image: {type: string}
                host: {type: string}
                mode: {type: string, enum: [fast, slow]}
                debug: {type: boolean}
                tags: {type: array, items: {type: string}}
                memory: {type: string}`

/** The CRD of a kind Web whose spec has these fields. */
export function webCrd(fields = FIELDS, required: readonly string[] = ['size']): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Web, plural: webs, singular: web, listKind: WebList}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [${required.join(', ')}]
              properties:
                ${fields}
            status:
              type: object
              properties:
                phase: {type: string, enum: [Up, Down]}
                conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                observedGeneration: {type: integer}
`
}

export const WEB_SAMPLE = `apiVersion: example.com/v1
kind: Web
metadata: {name: web, namespace: default}
spec: {size: 2, image: nginx, mode: fast, debug: true, tags: [a, b], memory: 1Gi, host: example.com}
`

export interface TriedProject {
  readonly crd?: string | undefined
  /** Empty: there is none. */
  readonly sample?: string | undefined
  /** More files, by path. */
  readonly files?: Readonly<Record<string, string>> | undefined
}

/** What `check` says of a project with one role. */
export async function checkRoleText(role: string, project: TriedProject = {}): Promise<readonly Diagnostic[]> {
  const folder = temporaryFolder()
  try {
    writeWebProject(folder.path, role, project)
    const { diagnostics } = await checkFolder(folder.path)
    return diagnostics.map((one) => ({ ...one, file: one.file.replace(`${folder.path}/`, '') }))
  } finally {
    folder.remove()
  }
}

/** Writes a project with one role into a folder. */
export function writeWebProject(
  path: string,
  role: string,
  { crd = webCrd(), sample = WEB_SAMPLE, files = {} }: TriedProject = {},
): void {
  writeFiles(path, {
    'watches.yaml': '- {group: example.com, version: v1, kind: Web, role: web}\n',
    'roles/web/role.yaml': role,
    'roles/web/crd.yaml': crd,
    ...(sample !== '' && { 'roles/web/samples/web.yaml': sample }),
    ...files,
  })
}

export function folderOptions(path: string) {
  return {
    watchesFile: join(path, 'watches.yaml'),
    rolesPath: join(path, 'roles'),
    environment: {},
    kinds: builtinTaskKinds,
    schemas: { builtin: loadBuiltinSchemas() },
  }
}

export function checkFolder(path: string): Promise<ProjectResult> {
  return checkProject(folderOptions(path))
}
