import { writeFiles } from '../../support/temporary-folder.ts'

/** Writes a project of one role into a folder: each Note makes a ConfigMap of its name, and one sample. */
export function writeNoteProject(folder: string): void {
  writeFiles(folder, NOTE_PROJECT)
}

export const NOTE_PROJECT = {
  'watches.yaml': '- {group: example.com, version: v1, kind: Note, role: note}\n',
  'roles/note/role.yaml': `tasks:
  - ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}" }
      data: { text: "\${spec.text}" }
`,
  'roles/note/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: notes.example.com }
spec:
  group: example.com
  names: { kind: Note, plural: notes, singular: note, listKind: NoteList }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true }
`,
  'roles/note/samples/hello.yaml': `apiVersion: example.com/v1
kind: Note
metadata: { name: hello }
spec: { text: good morning }
`,
}

/** Tasks that come to no end: each Job that is ready makes one more. */
export const ENDLESS_TASKS = `
  - list: { apiVersion: batch/v1, kind: Job, labels: { of: endless } }
    register: jobs
  - loop: "\${[0..$count($jobs[$isReady($)])]}"
    waitReady: true
    ensure:
      apiVersion: batch/v1
      kind: Job
      metadata: { name: "job-\${$item}", labels: { of: endless } }
      spec: { template: { spec: { restartPolicy: Never, containers: [{ name: job, image: "job:1" }] } } }`
