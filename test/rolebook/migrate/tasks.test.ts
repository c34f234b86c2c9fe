import { expect } from 'chai'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import type { SourceFolder } from '../../../src/rolebook/migrate/ansible-files.ts'
import { migrateAnsible } from '../../../src/rolebook/migrate/migrate-ansible.ts'
import type { Migration } from '../../../src/rolebook/migrate/migration.ts'

const ENTRY = '- {version: v1, group: example.com, kind: Web, role: web}\n'
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  names: {kind: Web}
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          properties:
            spec:
              type: object
              properties:
                size: {type: integer}
                debug: {type: boolean}
                maxSize: {type: integer}
                hosts: {type: array, items: {type: string}}
                ports: {type: array, items: {type: object, properties: {targetPort: {type: integer}, name: {type: string}}}}
                labels: {type: object, additionalProperties: {type: string}}
                config: {type: object, properties: {logLevel: {type: string}}}
`

/** The folder of an operator in memory. */
function files(content: { readonly [path: string]: string }): SourceFolder {
  return {
    read: (path) => (Object.hasOwn(content, path) ? new SourceFile(path, content[path] as string) : undefined),
    list: (folder) =>
      Object.keys(content)
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1)),
  }
}

function migrate(content: { readonly [path: string]: string }, adopt = false): Migration & { readonly role: string } {
  const whole = { 'watches.yaml': ENTRY, 'config/crd/bases/webs.yaml': CRD, ...content }
  const migration = migrateAnsible(files(whole), { adopt })
  const findings = migration.findings.filter(({ file }) => file !== 'watches.yaml')
  return { ...migration, findings, role: migration.files.get('roles/web/role.yaml') ?? '' }
}

const MAIN = 'roles/web/tasks/main.yml'

/** What stands below `tasks:`, without its indentation. */
function tasksOf(role: string): string {
  const [, tasks = ''] = role.split(/^tasks:\n/m)
  return tasks.replace(/^ {2}/gm, '')
}

interface Case {
  readonly name: string
  readonly ansible: string
  readonly ours: string
  readonly more?: { readonly [path: string]: string }
}

const CASES: readonly Case[] = [
  {
    name: 'k8s with parameters beside the definition',
    ansible: `
- k8s:
    api_version: v1
    kind: ConfigMap
    name: "{{ ansible_operator_meta.name }}-a"
    namespace: "{{ ansible_operator_meta.namespace }}"
    definition: {data: {size: "{{ size }}!"}}
`,
    ours: `
- name: ConfigMap <metadata.name>-a
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: \${metadata.name}-a
    data:
      size: \${spec.size}!
`,
  },
  {
    name: 'k8s without an apiVersion, of several objects, in another namespace',
    ansible: `
- name: both
  kubernetes.core.k8s:
    namespace: shared
    definition:
      - {kind: ConfigMap, metadata: {name: a}}
      - {kind: Secret, metadata: {name: b}}
  register: many
`,
    ours: `
# Note: another namespace: \`allowedNamespaces\` of the entry in watches.yaml must name it.
- name: "both: ConfigMap a"
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      namespace: shared
      name: a

- name: "both: Secret b"
  ensure:
    apiVersion: v1
    kind: Secret
    metadata:
      namespace: shared
      name: b
`,
  },
  {
    name: 'k8s that waits for a condition',
    ansible: `
- name: job
  k8s:
    definition: {apiVersion: batch/v1, kind: Job, metadata: {name: a}}
    wait_condition: {type: Complete, status: true, reason: Done}
    wait_timeout: 60
`,
    ours: `
# Note: nothing polls: the change of the object runs the role again.
- name: job
  ensure:
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: a
  readyWhen: \${$condition($self, "Complete").status = "True" and $condition($self, "Complete").reason = "Done"}
  waitReady: true
  timeout: 60s
`,
  },
  {
    name: 'k8s that patches',
    ansible: `
- k8s:
    state: patched
    kind: Namespace
    name: x
    definition: {metadata: {labels: {a: "\${b}"}}}
`,
    ours: `
- name: Namespace x
  patch:
    apiVersion: v1
    kind: Namespace
    metadata:
      name: x
      labels:
        a: $\${b}
`,
  },
  {
    name: 'k8s with a text of several documents',
    ansible: `
- name: text
  k8s:
    definition: |
      kind: ConfigMap
      metadata: {name: a}
      data: {size: "{{ size }}", raw: {{ debug }}}
      ---
      kind: ConfigMap
      metadata: {name: b}
`,
    ours: `
- name: "text: ConfigMap a"
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: a
    data:
      size: \${$string(spec.size)}
      raw: \${spec.debug}

- name: "text: ConfigMap b"
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: b
`,
  },
  {
    name: 'k8s with a template, and a boolean in its text',
    ansible: '- name: file\n  k8s: {template: a.j2}\n',
    more: { 'roles/web/templates/a.j2': 'kind: ConfigMap\nmetadata: {name: a}\ndata: {a: "x{{ debug }}"}\n' },
    ours: `
# Note: a boolean within text is \`true\` or \`false\` here, and was \`True\` or \`False\`.
- name: file
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: a
    data:
      a: x\${spec.debug}
`,
  },
  {
    name: 'k8s_info by name, and what it has registered twice',
    ansible: `
- name: one
  k8s_info: {kind: Secret, name: a, namespace: "{{ ansible_operator_meta.namespace }}"}
  register: found
- name: two
  k8s_info: {kind: Secret, name: b}
  register: found
- name: both
  set_fact: {there: "{{ found.resources | length > 0 }}"}
`,
    ours: `
- name: one
  get:
    apiVersion: v1
    kind: Secret
    name: a
    namespace: \${metadata.namespace}
    optional: true
  register: found

- name: two
  get:
    apiVersion: v1
    kind: Secret
    name: b
    optional: true
  register: found_2

- name: both
  set:
    there: \${$count([$found_2]) > 0}
`,
  },
  {
    name: 'k8s_info of all namespaces',
    ansible: `
- k8s_info: {kind: Pod, label_selectors: "a=b, c == {{ ansible_operator_meta.name }}"}
`,
    ours: `
# Note: all namespaces are read, as before: \`allowedNamespaces\` of the entry in watches.yaml must allow \`read: ["*"]\`.
- list:
    apiVersion: v1
    kind: Pod
    namespace: "*"
    labels:
      a: b
      c: \${metadata.name}
`,
  },
  {
    name: 'until',
    ansible: `
- name: ready
  k8s: {definition: {kind: Pod, metadata: {name: a}}}
  register: pod
  when: debug
  until: [pod.result.status.phase == "Running", size > 0]
`,
    ours: `
# Note: \`until\` does not poll here: the change of what it reads runs the role again.
- name: ready
  when: \${spec.debug}
  ensure:
    apiVersion: v1
    kind: Pod
    metadata:
      name: a
  register: pod

- name: "Wait for: ready"
  when: \${spec.debug}
  wait:
    for: \${$pod.status.phase = "Running" and spec.size > 0}
    message: 'not yet: pod.result.status.phase == "Running" and size > 0'
    timeout: 15s
`,
  },
  {
    name: 'k8s_status, with conditions',
    ansible: `
- k8s_status:
    kind: Web
    name: "{{ ansible_operator_meta.name }}"
    status: {observedGeneration: 3, size: "{{ size }}"}
    conditions: [{type: Filled, status: "True", reason: Full, lastTransitionTime: now}]
`,
    ours: `
# Note: \`observedGeneration\` is written by the engine.
- status:
    size: \${spec.size}
    conditions:
      - type: Filled
        status: "True"
        reason: Full
`,
  },
  {
    name: 'k8s_status of one expression',
    ansible: `
- name: all
  k8s_status: {kind: Web, name: "{{ ansible_operator_meta.name }}", status: "{{ labels }}"}
`,
    ours: `
- name: all
  status: \${spec.labels}
`,
  },
  {
    name: 'a fact that is set again, under a condition',
    ansible: `
- set_fact: {mode: fast, cacheable: true}
- name: slow
  set_fact: {mode: slow}
  when: [debug, size > 3 or size == 1]
- set_fact: {text: "{{ mode }}-{{ size }}"}
`,
    ours: `
- set:
    mode: fast

- name: slow
  set:
    mode_2: '\${(spec.debug and (spec.size > 3 or spec.size = 1)) ? "slow" : $mode}'

- set:
    text: \${$mode_2}-\${spec.size}
`,
  },
  {
    name: 'assert and fail',
    ansible: `
- assert: {that: "size > 0", quiet: true}
- assert: {that: ["debug", true], msg: "no {{ size }}"}
- name: never
  fail:
  when: false
`,
    ours: `
- assert:
    that:
      - \${spec.size > 0}
    message: "an assertion: not so"

- assert:
    that:
      - \${spec.debug}
      - \${true}
    message: no \${spec.size}

- name: never
  when: \${false}
  fail:
    message: failed as requested from task
`,
  },
  {
    name: 'loops',
    ansible: `
- name: by port
  k8s: {definition: {kind: Service, metadata: {name: "{{ item.name }}-{{ n }}"}, spec: {ports: [{port: "{{ item.target_port }}"}]}}}
  loop: "{{ ports }}"
  loop_control: {index_var: n}
  when: item.name != "x"
- name: by host
  k8s: {definition: {kind: Service, metadata: {name: "{{ host }}"}}}
  with_items: "{{ hosts }}"
  loop_control: {loop_var: host}
- name: by label
  k8s: {definition: {kind: Service, metadata: {name: "{{ item.key }}"}}}
  with_dict: "{{ labels }}"
- name: listed
  k8s: {definition: {kind: Service, metadata: {name: "{{ item + 'x' }}"}}}
  loop: [a, b]
  register: all
`,
    ours: `
- name: by port
  when: \${$not($item.name = "x")}
  loop: \${spec.ports}
  ensure:
    apiVersion: v1
    kind: Service
    metadata:
      name: \${$item.name}-\${$index}
    spec:
      ports:
        - port: \${$item.targetPort}

- name: by host
  loop: \${spec.hosts}
  loopVar: host
  ensure:
    apiVersion: v1
    kind: Service
    metadata:
      name: \${$host}

# Note: entries come sorted by key.
- name: by label
  loop: \${$entries(spec.labels)}
  ensure:
    apiVersion: v1
    kind: Service
    metadata:
      name: \${$item.key}

- name: listed
  loop:
    - a
    - b
  ensure:
    apiVersion: v1
    kind: Service
    metadata:
      name: \${$item & "x"}
  register: all
`,
  },
  {
    name: 'blocks within each other, with loops and a rescue',
    ansible: `
- name: outer
  block:
    - name: inner
      block:
        - name: a {{ size }}
          fail: {msg: "{{ item }}{{ inner }}"}
      loop: "{{ hosts }}"
      when: debug
      vars: {inner: x}
  rescue:
    - fail: {msg: "{{ ansible_failed_task.name }}: {{ ansible_failed_result.msg }}"}
- block:
    - debug: {msg: gone}
`,
    ours: `
- name: outer
  block:
    tasks:
      - name: "Values for: inner"
        set:
          inner: x

      - name: inner
        when: \${spec.debug}
        loop: \${spec.hosts}
        block:
          tasks:
            - name: a <size>
              fail:
                message: \${$item}\${$inner}
    rescue:
      - fail:
          message: "\${$failure.task}: \${$failure.message}"
`,
  },
  {
    name: 'loops within each other, of items of all sorts',
    ansible: `
- name: outer
  block:
    - fail: {msg: "{{ item }} of {{ loops }}"}
      loop: [1, a]
      vars: {loops: 2}
    - fail: {msg: "{{ item + 1 }}"}
      loop: [1, 2]
  loop: "{{ ['a'] }}"
`,
    ours: `
- name: outer
  loop: \${["a"]}
  block:
    tasks:
      - name: "Values for: the next task"
        set:
          loops: 2

      - loop:
          - 1
          - a
        loopVar: inner_item
        fail:
          message: \${$inner_item} of \${$loops}

      - loop:
          - 1
          - 2
        loopVar: inner_item
        fail:
          message: \${$inner_item + 1}
`,
  },
  {
    name: 'k8s with a file that a lookup names, and one that waits for what is not so',
    ansible: `
- name: file
  k8s:
    definition: "{{ lookup('file', 'a.yaml') }}"
    wait_condition: {type: Blocked, status: false}
`,
    more: { 'roles/web/files/a.yaml': 'kind: Pod\nmetadata: {name: a}\n' },
    ours: `
# Note: nothing polls: the change of the object runs the role again.
- name: file
  ensure:
    apiVersion: v1
    kind: Pod
    metadata:
      name: a
  readyWhen: \${$condition($self, "Blocked").status = "False"}
  waitReady: true
`,
  },
  {
    name: 'reads of one namespace, until something is there',
    ansible: `
- k8s_info: {kind: Pod, namespace: other}
  register: pods
  until: pods.resources | length > 0
- k8s_status: {kind: Web, name: "{{ ansible_operator_meta.name }}", status: "{{ labels }}"}
- set_fact: {empty: "", listed: [a, "{{ size }}"], mapped: {a: "x{{ size }}"}}
  when: debug
- fail: {msg: "{{ empty }}{{ (size, 1) }}"}
`.replace('{{ (size, 1) }}', ''),
    ours: `
# Note: \`until\` does not poll here: the change of what it reads runs the role again.
- list:
    apiVersion: v1
    kind: Pod
    namespace: other
  register: pods

- name: "Wait for: the task above"
  wait:
    for: \${$count($pods) > 0}
    message: "not yet: pods.resources | length > 0"
    timeout: 15s

- status: \${spec.labels}

- when: \${spec.debug}
  set:
    empty: ""
    listed:
      - a
      - \${spec.size}
    mapped:
      a: x\${spec.size}

- fail:
    message: \${$empty}
`,
  },
  {
    name: 'files of tasks, and what has no effect',
    ansible: `
- include_tasks: more.yml
  when: debug
- import_tasks: {file: none.yml}
- debug: {msg: x}
  tags: [a]
  no_log: false
- name: secret
  fail: {msg: x}
  no_log: true
  delegate_to: localhost
  become: false
`,
    more: { 'roles/web/tasks/more.yml': '- fail: {msg: more}\n', 'roles/web/tasks/none.yml': '- debug: {msg: x}\n' },
    ours: `
- name: Tasks of more.yml
  when: \${spec.debug}
  block:
    tasks:
      - fail:
          message: more

- name: secret
  sensitive: true
  fail:
    message: x
`,
  },
]

describe('tasks of an Ansible role', () => {
  for (const { name, ansible, ours, more } of CASES) {
    it(`are translated: ${name}`, () => {
      const { role, diagnostics, findings } = migrate({ [MAIN]: ansible, ...more })
      expect(diagnostics).to.deep.equal([])
      expect(findings.filter(({ kind }) => kind === 'decide')).to.deep.equal([])
      expect(`\n${tasksOf(role)}`).to.equal(ours)
    })
  }

  const object = 'definition: {kind: Pod, metadata: {name: a}}'
  for (const [name, task, at, message] of [
    ['a module without a counterpart', 'uri: {url: x}', '1:3', /`uri` has no counterpart/],
    [
      'a module without a counterpart, first of all',
      'uri: {url: x}\n  ignore_errors: yes',
      '1:3',
      /`uri` has no counterpart/,
    ],
    ['a module of another collection', 'my.own.k8s: {}', '1:3', /`my.own.k8s` has no counterpart/],
    ['two modules', 'fail: {msg: x}\n  shell: {cmd: x}', '2:3', /`shell` has no counterpart/],
    ['two modules that are known', 'fail: {msg: x}\n  debug: {msg: x}', '2:3', /`debug` has no counterpart/],
    ['a task that does nothing', 'name: x', '1:3', /does nothing/],
    ['parameters in one line', 'k8s: state=present', '1:8', /in one line/],
    ['a parameter that nothing here has', `k8s: {${object}, host: x}`, '1:55', /parameter `host`/],
    ['a state that is computed', `k8s: {${object}, state: "{{ x }}"}`, '1:55', /`state` must be known/],
    ['a state that is not known', `k8s: {${object}, state: reset}`, '1:3', /`state: reset`/],
    ['a replacement', `k8s: {${object}, force: true}`, '1:55', /replaces the whole/],
    ['a flag that is computed', `k8s: {${object}, wait: "{{ x }}"}`, '1:55', /`wait` must be true or false/],
    [
      'a condition to wait for that is computed',
      `k8s: {${object}, wait_condition: {type: "{{ x }}"}}`,
      '1:3',
      /not simple/,
    ],
    ['a kind that is computed', 'k8s: {kind: "{{ x }}", name: a}', '1:18', /`x` is no variable/],
    [
      'a kind that is a field',
      'k8s: {definition: {kind: "{{ labels.a }}", metadata: {name: a}}}',
      '1:3',
      /the `kind` of the object/,
    ],
    ['no kind', 'k8s: {name: a}', '1:3', /the `kind` of the object/],
    ['no name', 'k8s: {kind: Pod}', '1:3', /has no name/],
    ['an object that is a variable', 'k8s: {definition: "{{ labels }}"}', '1:3', /whole object is a variable/],
    ['a definition that is text', 'k8s: {definition: [a]}', '1:3', /is not an object/],
    ['the resource itself', 'k8s: {kind: Web, name: "{{ ansible_operator_meta.name }}"}', '1:3', /its own resource/],
    ['several templates', 'k8s: {template: [a, b]}', '1:9', /list of templates/],
    ['a template that is not there', 'k8s: {template: a.j2}', '1:3', /no templates\/a.j2/],
    ['a file outside of the role', 'k8s: {src: ../../x}', '1:3', /no files\//],
    ['a lookup of something else', "k8s: {definition: \"{{ lookup('url', 'x') }}\"}", '1:3', /whole object|lookup/],
    ['an object removed', 'k8s: {state: absent, kind: Pod, name: a}', '1:3', /no task above makes/],
    ['no kind to read', 'k8s_info: {name: a}', '1:3', /no `kind` is given/],
    ['a read that waits', 'k8s_info: {kind: Pod, name: a, wait: true}', '1:3', /`wait` reads/],
    [
      'a selector that is not an equality',
      'k8s_info: {kind: Pod, label_selectors: [a in (b)]}',
      '1:3',
      /is not an equality/,
    ],
    ['the status of another object', 'k8s_status: {kind: Pod, name: a}', '1:3', /status of another object/],
    [
      'a status that is a list',
      'k8s_status: {kind: Web, name: "{{ ansible_operator_meta.name }}", status: [1]}',
      '1:69',
      /not a map/,
    ],
    [
      'conditions that are not a list',
      'k8s_status: {kind: Web, name: "{{ ansible_operator_meta.name }}", conditions: x}',
      '1:3',
      /not a list/,
    ],
    [
      'a condition that is text',
      'k8s_status: {kind: Web, name: "{{ ansible_operator_meta.name }}", conditions: [x]}',
      '1:3',
      /not a map/,
    ],
    [
      'a condition of the engine',
      'k8s_status: {kind: Web, name: "{{ ansible_operator_meta.name }}", conditions: [{type: Ready}]}',
      '1:3',
      /belongs to the engine/,
    ],
    ['facts in a loop', 'set_fact: {a: x}\n  loop: [1]', '1:3', /build on each other/],
    ['a fact that the spec wins over', 'set_fact: {max_size: 3}', '1:24', /there it wins/],
    [
      'a fact set again in a condition',
      'block:\n    - set_fact: {a: 1}\n    - set_fact: {a: 2}\n  when: debug',
      '3:21',
      /under a condition around/,
    ],
    ['nothing asserted', 'assert: {quiet: true}', '1:3', /nothing is asserted/],
    ['a condition that is a map', 'fail: {msg: x}\n  when: {a: 1}', '2:9', /a condition is text/],
    ['a condition that cannot be read', 'fail: {msg: x}\n  when: size >', '2:15', /has the end/],
    ['a template that cannot be read', 'fail: {msg: "a {{ size @ 1 }}"}', '1:26', /`@`/],
    ['a file that is not there', 'include_tasks: x.yml', '1:3', /no tasks\/x.yml/],
    ['a file that is computed', 'include_tasks: "{{ x }}.yml"', '1:18', /`file` must be known/],
    ['no file', 'include_tasks: {}', '1:3', /no `file` is given/],
    ['a file that includes itself', 'include_tasks: main.yml', '1:3', /includes itself/],
    [
      'what else a failure says',
      'block: [{fail: {msg: x}}]\n  rescue: [{fail: {msg: "{{ ansible_failed_result.rc }}"}}]',
      '2:28',
      /`rc` of a failure/,
    ],
    ['parameters that are a list', 'fail: [x]', '1:9', /in one line/],
    ['a lookup without a name', 'k8s: {definition: "{{ lookup() }}"}', '1:3', /whole object is a variable/],
    [
      'a lookup with a computed name',
      'k8s: {definition: "{{ lookup(\'template\', size) }}"}',
      '1:3',
      /whole object is a variable/,
    ],
    ['a name that is not a name', 'fail: {msg: "{{ size.1x }}"}', '1:24', /has `1`/],
    ['a call that is not closed', 'fail: {msg: "{{ size | default(1 }}"}', '1:36', /`\)`/],
    [
      'a registered result that is none',
      'block: [{fail: {msg: x}, register: a}, {fail: {msg: "{{ a.b }}"}}]',
      '1:58',
      /cannot be read/,
    ],
    ['an object without metadata', 'k8s: {definition: {kind: Pod}}', '1:3', /has no name/],
    ['a condition to wait for that is text', `k8s: {${object}, wait_condition: x}`, '1:3', /not simple/],
    ['a lookup that is computed with', 'k8s: {definition: "{{ 1 + lookup() }}"}', '1:3', /whole object/],
    ['ignored errors', 'fail: {msg: x}\n  ignore_errors: yes', '2:3', /`ignore_errors`/],
    ['a tag', 'fail: {msg: x}\n  tags: never', '2:3', /`never`/],
    ['another host', 'fail: {msg: x}\n  delegate_to: db', '2:3', /another host/],
    ['always', 'block: [{debug: {msg: x}}]\n  always: [{debug: {msg: x}}]', '2:3', /`always`/],
    ['a block that is not a list', 'block: x', '1:10', /not a list of tasks/],
    ['until of what registers nothing', 'fail: {msg: x}\n  until: size > 1', '2:3', /needs what the task registers/],
    [
      'retries that are computed',
      'k8s_info: {kind: Pod, name: a}\n  register: a\n  until: a\n  retries: "{{ x }}"',
      '1:3',
      /must be numbers/,
    ],
    ['with_items of lists', 'fail: {msg: x}\n  with_items: ["{{ hosts }}"]', '2:15', /joins them/],
    ['extended loops', 'fail: {msg: x}\n  loop: [1]\n  loop_control: {extended: true}', '3:3', /`extended`/],
    ['pauses', 'fail: {msg: x}\n  loop: [1]\n  loop_control: {pause: 3}', '3:3', /`pause`/],
    ['variables of a task that makes names', 'set_fact: {a: 1}\n  vars: {b: 1}', '2:9', /`vars` on a task/],
  ] as const) {
    it(`are left to a person, with their place: ${name}`, () => {
      const { role, findings, diagnostics } = migrate({ [MAIN]: `- ${task}\n` })
      expect(diagnostics).to.deep.equal([])
      const [found, ...more] = findings.filter(({ kind }) => kind === 'decide')
      expect(more).to.deep.equal([])
      expect(found?.message).to.match(message)
      expect(`${found?.file}:${found?.line}:${found?.column}`).to.equal(`${MAIN}:${at}`)
      expect(role).to.match(/^ *# Decide: /m)
      expect(role).to.match(/message: .?this task was not moved over: /)
    })
  }

  it('are reported with the place in the template that they name', () => {
    const { findings } = migrate({
      [MAIN]: '- k8s: {template: a.j2}\n- k8s: {template: b.j2}\n- k8s: {template: c.j2}\n',
      'roles/web/templates/a.j2': 'kind: Pod\n{% if x %}\n',
      'roles/web/templates/b.j2': 'kind: Pod\nmetadata: {name: "{{ lost }}"}\n',
      'roles/web/templates/c.j2': 'kind: [\n',
    })
    const messages = findings.filter(({ kind }) => kind === 'decide').map(({ message }) => message)
    expect(messages[0]).to.match(/^roles\/web\/templates\/a.j2:2:1: the template has statements/)
    expect(messages[1]).to.match(/^roles\/web\/templates\/b.j2:2:18: `lost` is no variable/)
    expect(messages[2]).to.match(/^roles\/web\/templates\/c.j2:\d:\d: /)
  })

  it('that read what a task left to a person would have registered are left to a person, too', () => {
    const { findings } = migrate({ [MAIN]: '- uri: {url: x}\n  register: a\n- fail: {msg: "{{ a.status }}"}\n' })
    expect(findings.map(({ message }) => message)).to.deep.equal([
      '`uri` has no counterpart',
      'what the task has registered cannot be read',
    ])
  })

  it('of a loop register what cannot be read', () => {
    const { findings } = migrate({
      [MAIN]: `- k8s_info: {kind: Pod, name: "{{ item }}"}\n  loop: [a]\n  register: a\n- fail: {msg: "{{ a.results }}"}\n`,
    })
    expect(findings.map(({ kind }) => kind)).to.deep.equal(['same', 'decide'])
  })

  for (const [name, text, message] of [
    ['a map', 'a: 1\n', /not a list of tasks/],
    ['a list of texts', '- a\n', /a task is a map/],
  ] as const) {
    it(`are left to a person when the file holds ${name}`, () => {
      const { findings, role } = migrate({ [MAIN]: text })
      expect(findings[0]?.message).to.match(message)
      expect(role).to.include('fail:')
    })
  }

  it('that have no effect in a file of their own are reported', () => {
    const { findings } = migrate({ [MAIN]: '- include_tasks: empty.yml\n', 'roles/web/tasks/empty.yml': '[]\n' })
    expect(findings.map(({ kind, message }) => [kind, message])).to.deep.equal([['same', 'nothing is left of it']])
  })

  it('take over what the modules have written, under the names that they write by', () => {
    const task = (more: string): string =>
      `- k8s: {definition: {kind: ConfigMap, metadata: {name: a}}${more}}\n  name: a\n`
    const adopted = (more: string): string | undefined =>
      / {4}adopt:\n[\s\S]*$/.exec(migrate({ [MAIN]: task(more) }, true).role)?.[0].replace(/\s+/g, ' ')
    expect(adopted('')).to.equal(' adopt: from: - OpenAPI-Generator ')
    const apply = (manager: string): string => `, apply: true, server_side_apply: {field_manager: ${manager}}`
    expect(adopted(apply('ansible'))).to.equal(' adopt: from: - OpenAPI-Generator - ansible ')
    expect(adopted(apply("'{{ size }}'"))).to.equal(' adopt: from: - OpenAPI-Generator ')
  })

  it('that have no effect leave a role that says so', () => {
    const { role } = migrate({ [MAIN]: '- debug: {msg: x}\n' })
    expect(role).to.include('no task was moved over')
  })

  it('keep the original above what is left to a person', () => {
    const { role } = migrate({ [MAIN]: '- name: look\n  stat: {path: /tmp}\n' })
    expect(`\n${tasksOf(role)}`).to.equal(`
# Decide: \`stat\` has no counterpart.
# The operator has no files: put the text into a ConfigMap.
# In Ansible it was
#
#   - name: look
#     stat:
#       path: /tmp
- name: "Decide: look"
  fail:
    message: "this task was not moved over: \`stat\` has no counterpart"
`)
  })
})

describe('variables of an Ansible role', () => {
  const reads = (...names: readonly string[]): string =>
    names.map((name) => `- fail: {msg: "{{ ${name} }}"}\n`).join('')

  for (const [name, defaults, ours, more] of [
    ['a field of the spec', 'size: 3\n', '  size: ${spec.size ?? 3}\n', {}],
    ['a map without a schema', 'image: {a: 1}\n', '  image:\n    a: 1\n', {}],
    ['a number without a schema', 'image: 3\n', '  image: 3\n', {}],
    ['nothing without a schema', 'image:\n', '  image: null\n', {}],
    ['no default', 'size:\n', '  size: ${spec.size}\n', {}],
    ['one that is not a field', 'image: a:1\n', '  image: a:1\n', {}],
    [
      'keys as the resource has them',
      'config: {log_level: info}\n',
      '  config: \'${spec.config ?? {"logLevel": "info"}}\'\n',
      {},
    ],
    [
      'those that one refers to, before it',
      'image: "{{ registry }}/{{ size }}"\nsize: 1\nregistry: "quay.io"\n',
      '  registry: quay.io\n  size: ${spec.size ?? 1}\n  image: ${$registry}/${$size}\n',
      {},
    ],
    ['vars before defaults', 'image: a\n', '  image: b\n', { 'roles/web/vars/main.yaml': 'image: b\n' }],
    ['names of functions', 'count: 3\n', '  count_value: 3\n', {}],
    ['a template that is not simple', 'size: "{% if x %}"\n', '  size: ${spec.size}\n', {}],
  ] as const) {
    it(`become vars: ${name}`, () => {
      const [, first = ''] = /^(\w+):/.exec(defaults) ?? []
      const { role } = migrate({ [MAIN]: reads(first), 'roles/web/defaults/main.yml': defaults, ...more })
      expect(role.split(/^vars:\n/m)[1]?.split('\ntasks:')[0]).to.equal(ours)
    })
  }

  it('that nothing reads are left out, with a note', () => {
    const { role, findings } = migrate({ [MAIN]: reads('size'), 'roles/web/defaults/main.yml': 'a: 1\nb: 2\n' })
    expect(role).not.to.include('vars:')
    expect(findings.filter(({ kind }) => kind === 'note').map(({ what }) => what)).to.deep.equal(['a', 'b'])
  })

  it('of another form are left to a person, and so are handlers and dependencies', () => {
    const { findings } = migrate({
      [MAIN]: reads('size'),
      'roles/web/defaults/main.yml': '- a\n',
      'roles/web/handlers/main.yml': '- name: x\n  debug: {msg: x}\n',
      'roles/web/meta/main.yml': 'dependencies: [common]\n',
    })
    const decide = findings.filter(({ kind }) => kind === 'decide')
    expect(decide.map(({ code, what }) => `${code} ${what}`)).to.deep.equal([
      'RB1706 defaults/main',
      'RB1704 handlers',
      'RB1704 dependencies',
    ])
  })
})
